"""Measures, and writes the tables and plots of docs/benchmarks/peers.md."""

from __future__ import annotations

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import time
from typing import Any, Dict, List

from . import capstan_run, report
from .measure import RUNS
from .scenes import ROOT
from .settings import ENGINES, TABLES, missing

RESULTS = ROOT / "build/peers_results.json"
TIME_LIMIT = 240  # of one measurement, s


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench/peers/run", description=__doc__)
    parser.add_argument("--scenes", nargs="+", choices=list(TABLES), default=list(TABLES))
    parser.add_argument("--engines", nargs="+", choices=list(ENGINES), default=list(ENGINES))
    parser.add_argument(
        "--rounds", type=int, default=2, help="times are medians over so many rounds, engines in turn"
    )
    parser.add_argument(
        "--report", action="store_true", help="tables and plots from the last results; measures nothing"
    )
    parser.add_argument(
        "--no-docs", action="store_true", help="prints the tables and leaves the page as it is"
    )
    return parser.parse_args()


def measured(scene: str, engine: str, kind: str, short: bool) -> Dict[str, Any]:
    command = [sys.executable, "-m", "peers.worker", scene, engine, kind] + ["--short"] * short
    RUNS.mkdir(parents=True, exist_ok=True)  # engines leave their logs where they run
    worker = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, cwd=RUNS
    )
    try:
        answer, messages = worker.communicate(timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        os.killpg(worker.pid, signal.SIGKILL)  # with the program it may have started
        worker.communicate()
        return {"failed": f"not within {TIME_LIMIT} s"}
    if worker.returncode:
        last = messages.decode(errors="replace").strip().splitlines()[-1:]
        return {"failed": f"ended with code {worker.returncode}: {' '.join(last)[:200]}"}
    return json.loads(answer)


def measure_scene(scene: str, engines: List[str], rounds: int) -> List[Dict[str, Any]]:
    """Round after round, in each one engine after the other; the first is the full one."""
    rows = {
        key: {"scene": scene, "engine": key[0], "setting": key[1]}
        for key in TABLES[scene]
        if key[0] in engines
    }
    for turn in range(rounds):
        for (engine, kind), row in rows.items():
            if turn and (TABLES[scene][engine, kind].once or "failed" in row):
                continue
            start = time.time()
            result = measured(scene, engine, kind, bool(turn))
            if turn == 0:
                row.update(result, steps=[result["step"]] if "step" in result else [])
            elif "step" in result:
                row["steps"].append(result["step"])
            if row.get("steps"):
                row["step"] = statistics.median(row["steps"])
            print(
                f"{scene:8} {ENGINES[engine][0]:15} {kind:8} {time.time() - start:6.1f} s  "
                f"{result.get('failed', '')}",
                flush=True,
            )
    return list(rows.values())


def measure_all(options: argparse.Namespace) -> Dict[str, Any]:
    for engine in options.engines:
        if missing(engine):
            print(f"{ENGINES[engine][0]} is left out: {missing(engine)}")
    engines = [engine for engine in options.engines if not missing(engine)]
    print(f"capstan run is {capstan_run.program()}")
    kept = json.loads(RESULTS.read_text())["rows"] if RESULTS.exists() else []
    rows = [row for row in kept if row["scene"] not in options.scenes or row["engine"] not in engines]
    for scene in options.scenes:
        rows += measure_scene(scene, engines, options.rounds)
        RESULTS.write_text(json.dumps({"versions": report.versions(), "rows": rows}))
    return {"versions": report.versions(), "rows": rows}


def main() -> None:
    options = arguments()
    results = json.loads(RESULTS.read_text()) if options.report else measure_all(options)
    print(report.text(results))
    if not options.no_docs:
        report.write_page(results)


main()
