"""The package itself: its pages' examples run, its types hold, its example draws."""

import doctest
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import capstan

MODULES = ["capstan"] + [
    f"capstan.{m.name}" for m in pkgutil.iter_modules(capstan.__path__) if m.name != "_core"
]
PAGE = Path(__file__).resolve().parents[2] / "docs/python.md"


def test_examples_in_docstrings_run():
    tried = 0
    for name in MODULES:
        result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
        assert result.failed == 0, name
        tried += result.attempted
    assert tried > 30


def test_examples_in_the_page_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.failed == 0 and result.attempted > 15


def test_the_program_comes_along(program, tmp_path):
    """`pip install` puts the command line beside python, with the viewer's page inside."""
    said = subprocess.check_output([program, "--version"], text=True)
    assert said.strip() == f"capstan {capstan.__version__}"
    capstan.Simulation({"rigid": [{"shape": "sphere", "radius": 0.1}]}).run(2, output=tmp_path / "run")
    subprocess.check_call([program, "view", str(tmp_path / "run"), "--export", str(tmp_path / "page.html")])
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<html" in page and len(page) > 500_000


def test_everything_public_is_explained():
    for name in capstan.__all__:
        if name != "__version__":
            assert getattr(capstan, name).__doc__, name
            assert getattr(capstan, name).__module__.startswith("capstan"), name


def test_types_are_shipped_and_hold():
    folder = Path(capstan.__file__).parent
    assert (folder / "py.typed").is_file()
    assert "class Problem" in (folder / "_core.pyi").read_text()
    mypy = pytest.importorskip("mypy.api")
    output, errors, status = mypy.run(
        ["--strict", "--ignore-missing-imports", "--cache-dir", "/dev/null", "-p", "capstan"]
    )
    assert status == 0, output + errors


def test_importing_is_light():
    # scipy, matplotlib and their friends come when they are needed.
    code = "import sys, capstan; print([m for m in ('scipy', 'matplotlib') if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_the_example_says_where_its_pictures_are(tmp_path):
    pytest.importorskip("matplotlib")
    code = [sys.executable, "-m", "capstan.examples", str(tmp_path / "out"), "--problem", "stack_3"]
    printed = subprocess.check_output(code, text=True)
    for name in ("convergence.png", "sparsity.png", "rope_mu_0.3.png", "rope_mu_0.2.png"):
        picture = (tmp_path / "out" / name).resolve()
        assert f"drawn: {picture}" in printed
        assert picture.read_bytes().startswith(b"\x89PNG")


def test_the_example_does_without_matplotlib(tmp_path, monkeypatch, capsys):
    from capstan import examples

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    examples.main([str(tmp_path / "out"), "--problem", "slope"])
    printed = capsys.readouterr().out
    assert "pip install 'capstan[plot]'" in printed and "rope_mu_0.3.png" in printed
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "rope_mu_0.2.png",
        "rope_mu_0.3.png",
    ]
