"""The notebooks run, and are kept with their pictures."""

import nbformat
import pytest

run_notebooks = pytest.importorskip("run_notebooks")


def pictures(notebook):
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return sum("image/png" in output.get("data", {}) for output in outputs)


def test_there_are_four():
    assert len(run_notebooks.NOTEBOOKS) == 4


@pytest.mark.parametrize("path", run_notebooks.NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs(path):
    kept = nbformat.read(path, as_version=4)
    assert pictures(run_notebooks.executed(path)) == pictures(kept) > 0
