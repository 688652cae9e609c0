"""Runs the notebooks of docs/notebooks, each in a kernel of its own, and keeps what they print and draw in them."""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[2] / "docs/notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def executed(path: Path) -> nbformat.NotebookNode:
    """The notebook with new outputs; raises CellExecutionError where a cell does."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        record_timing=False,
        extra_arguments=["--log-level=ERROR"],
        resources={"metadata": {"path": str(path.parent)}},
    )
    return client.execute()


def main() -> None:
    for path in NOTEBOOKS:
        print(path.name, flush=True)
        notebook = executed(path)
        notebook.metadata = {"kernelspec": notebook.metadata["kernelspec"]}
        nbformat.write(notebook, path)


if __name__ == "__main__":
    sys.exit(main())
