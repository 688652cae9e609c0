"""Results as tables and plots; writes the parts of the page between <!-- begin X --> and <!-- end X -->."""

from __future__ import annotations

import importlib.metadata
import math
import re
from typing import Any, Callable, Dict, List, Tuple

from .scenes import ROOT
from .settings import ENGINES, TABLES

PAGE = ROOT / "docs/benchmarks/peers.md"
IMAGES = ROOT / "docs/images"
Row = Dict[str, Any]
Column = Tuple[str, Callable[[Row], str]]


def versions() -> Dict[str, str]:
    found = {}
    for package in ("capstan", "mujoco", "drake", "pin", "pybullet"):
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            pass
    return found


def number(value: Any, digits: int = 1) -> str:
    """Short: 3.2e-05, 0.00, 12."""
    if value is None:
        return "-"
    if not math.isfinite(value):
        return "falls"
    if value == 0:
        return "0"
    if 0.01 <= abs(value) < 1000:
        return f"{value:.{digits + 1}g}"
    return f"{value:.{digits}e}"


def milliseconds(row: Row) -> str:
    return plain(1e3 * row["step"]) if row.get("step") and stays(row) else "-"


def per_second(row: Row) -> str:
    """Processor time a simulated second, ms."""
    return plain(1e3 * row["step"] / row["dt"]) if row.get("step") and row.get("dt") and stays(row) else "-"


def stays(row: Row) -> bool:
    """What has fallen touches nothing, so that its steps cost nothing."""
    return math.isfinite(row.get("speed", 0))


def plain(value: float) -> str:
    """Three digits, without an exponent."""
    digits = max(0, 2 - math.floor(math.log10(value)))
    return f"{round(value, 2 - math.floor(math.log10(value))):,.{digits}f}"


def error(row: Row) -> str:
    certificate = row.get("certificate", {})
    if "error" in certificate:
        return number(certificate["error"])
    return "-" if "not_judged" in certificate or not certificate else "no contact"


def speed(row: Row) -> str:
    if row.get("speed") is not None and abs(row["speed"]) < row.get("resolution", 0):
        return f"< {number(row['resolution'])}"
    return value("speed")(row)


def value(name: str, factor: float = 1.0) -> Callable[[Row], str]:
    return lambda row: number(factor * row[name]) if row.get(name) is not None else "-"


PHYSICS: Dict[str, List[Column]] = {
    "slope": [("creep, m/s", value("speed"))],
    "stack": [("drift, mm", value("drift", 1e3)), ("top sinks, mm", value("sink", 1e3))],
    "grasp": [("slip, m/s", value("speed"))],
    "capstan": [
        ("runs at, of exp(mu phi)", lambda row: f"{row['ratio']:.3f}" if "ratio" in row else "-"),
        ("creep at 0.9, m/s", speed),
    ],
    "drum": [
        ("contacts", lambda row: f"{row.get('certificate', {}).get('contacts', '-'):,}"),
        ("overlap, mm", value("overlap", 1e3)),
        ("moved, mm", value("moved", 1e3)),
    ],
}


def table(scene: str, rows: List[Row]) -> str:
    cost = [("ms a step", milliseconds)] + [("ms a simulated s", per_second)] * (scene != "drum")
    columns: List[Column] = [
        ("engine", lambda row: ENGINES[row["engine"]][0]),
        ("settings", lambda row: TABLES[scene][row["engine"], row["setting"]].words),
        *PHYSICS[scene],
        ("error", error),
        *cost,
    ]
    lines = [
        "| " + " | ".join(name for name, _ in columns) + " |",
        "|---|---|" + "---:|" * (len(columns) - 2),
    ]
    order = list(TABLES[scene])
    for row in sorted(
        (row for row in rows if row["scene"] == scene),
        key=lambda row: order.index((row["engine"], row["setting"])),
    ):
        if "failed" in row:
            cells = [columns[0][1](row), columns[1][1](row), row["failed"], *[""] * (len(columns) - 3)]
        else:
            cells = [show(row) for _, show in columns]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def text(results: Dict[str, Any]) -> str:
    return "\n\n".join(
        f"{scene}\n{table(scene, results['rows'])}"
        for scene in TABLES
        if any(row["scene"] == scene for row in results["rows"])
    )


def versions_line(found: Dict[str, str]) -> str:
    names = {
        "capstan": "Capstan",
        "mujoco": "MuJoCo",
        "drake": "Drake",
        "pin": "Pinocchio",
        "pybullet": "PyBullet",
    }
    return ", ".join(f"{names[package]} {version}" for package, version in found.items()) + "."


def write_page(results: Dict[str, Any]) -> None:
    parts = {scene: table(scene, results["rows"]) for scene in TABLES}
    parts["versions"] = versions_line(results["versions"])
    page = PAGE.read_text()
    for name, part in parts.items():
        page = replace_part(page, name, part)
    PAGE.write_text(page)
    draw(results["rows"])


def replace_part(page: str, name: str, part: str) -> str:
    pattern = re.compile(rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", re.DOTALL)
    if not pattern.search(page):
        raise ValueError(f"{PAGE.name}: has no part '{name}'")
    return pattern.sub(lambda found: f"{found[1]}{part}\n{found[2]}", page)


COLOURS = {
    "capstan": "#c0392b",
    "mujoco": "#2471a3",
    "drake": "#1e8449",
    "bullet": "#d68910",
    "pinocchio": "#7d3c98",
    "capstan_solver": "#e59890",
}


def physical_error(row: Row) -> float:
    """One number that should be zero, for the plot."""
    if row["scene"] == "stack":
        return math.hypot(row.get("drift", math.nan), row.get("sink", math.nan))
    if row["scene"] == "drum":
        return row.get("overlap", math.nan)
    return max(abs(row.get("speed", math.nan)), row.get("resolution", 0))


def draw(rows: List[Row]) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.rcParams.update({"font.size": 8, "axes.grid": True, "grid.alpha": 0.3})
    draw_cost(plt, rows)
    draw_tracks(plt, rows)


def draw_cost(plt: Any, rows: List[Row]) -> None:
    """Error over cost, a panel a scene."""
    names = {
        "slope": "slope: creep, m/s",
        "stack": "stack: drift and sinking, m",
        "grasp": "grasp: slip, m/s",
        "capstan": "rope at 0.9 of its limit: creep, m/s",
        "drum": "drum: deepest overlap, m",
    }
    figure, axes = plt.subplots(2, 3, figsize=(9, 5.4))
    for axis, (scene, title) in zip(axes.flat, names.items()):
        for row in rows:
            error = physical_error(row)
            if row["scene"] != scene or not row.get("dt") or not math.isfinite(error):
                continue
            axis.plot(
                1e3 * row["step"] / row["dt"],
                max(error, 1e-13),
                "o" if row["setting"] == "default" else "^",
                color=COLOURS[row["engine"]],
                ms=6,
            )
        axis.set(xscale="log", yscale="log", title=title, xlabel="processor ms a simulated second")
        axis.xaxis.set_minor_formatter("")
    legend = axes.flat[-1]
    legend.axis("off")
    for engine, colour in COLOURS.items():
        legend.plot([], [], "s", color=colour, label=ENGINES[engine][0])
    legend.plot([], [], "o", color="grey", label="default")
    legend.plot([], [], "^", color="grey", label="best")
    legend.legend(loc="center")
    figure.tight_layout()
    figure.savefig(IMAGES / "peers_cost.png", dpi=90)


def draw_tracks(plt: Any, rows: List[Row]) -> None:
    """How far things that should stay have moved."""
    figure, axes = plt.subplots(1, 3, figsize=(9, 3.2), sharey=True)
    for axis, (scene, title) in zip(
        axes,
        {
            "slope": "box on a slope",
            "stack": "ten boxes, to the side",
            "grasp": "cube between two fingers",
        }.items(),
    ):
        for row in rows:
            if row["scene"] == scene and row.get("track"):
                axis.plot(
                    row["t"],
                    [max(abs(x), 1e-13) for x in row["track"]],
                    color=COLOURS[row["engine"]],
                    ls="-" if row["setting"] == "default" else "--",
                    lw=1.2,
                    label=ENGINES[row["engine"]][0] if row["setting"] == "default" else None,
                )
        axis.set(yscale="log", title=title, xlabel="t, s", ylim=(1e-13, 1))
    axes[0].set_ylabel("moved, m")
    axes[0].legend(fontsize=6, loc="lower right")
    figure.tight_layout()
    figure.savefig(IMAGES / "peers_tracks.png", dpi=90)
