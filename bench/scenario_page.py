#!/usr/bin/env python3
"""Puts the tables of a run of bench_scenarios into docs/benchmarks/scenarios.md.

    bench/scenario_page.py OUT     OUT is the folder that --out named; the page keeps its words
"""
import pathlib
import sys

BEGIN, END = "<!-- tables: bench/scenario_page.py writes from here -->", "<!-- to here -->"


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    page = pathlib.Path(__file__).resolve().parent.parent / "docs/benchmarks/scenarios.md"
    text = page.read_text()
    summary = (pathlib.Path(sys.argv[1]) / "summary.md").read_text()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    page.write_text(before + BEGIN + "\n" + summary + "\n" + END + after)


if __name__ == "__main__":
    main()
