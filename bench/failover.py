"""Two cells of three nodes under Patroni, served and under load: who is without an answer when one is killed.

Nothing acknowledged may be lost, and nothing be there twice: that is asserted, not measured.
"""

from __future__ import annotations

from cells_killed import SETTLED_SECONDS, Host, Scene, host
from patroni_cluster import TTL_SECONDS, Unable

from bench.grown import Grown
from bench.measuring import Figure, Table, table

QUIET = "nobody is killed: home"
ROUNDS_MOST = 3
"""A round takes some three minutes."""


def measure(grown: Grown, runs: int) -> list[Table]:
    """The table of this part; none where a machine lacks what the cells run on."""
    try:
        return [_measured(grown, min(runs, ROUNDS_MOST))]
    except Unable as lacking:
        print(f"\nCells were not killed: {lacking}.")
        return []


def _measured(grown: Grown, runs: int) -> Table:
    scenes: list[Scene] = []
    folder = grown.folder / "cells-killed"
    folder.mkdir()
    with host(folder, above=grown.folder.parent) as cells:
        for _ in range(runs):
            scenes += _round(cells)
        kept = cells.nothing_is_lost()
        answers = cells.load.answers
        standbys = len(cells.load.read)
    taken: dict[str, list[float]] = {}
    for scene in scenes:
        for cell, seconds in scene.silence.items():
            taken.setdefault(f"{scene.name}: {cell}", []).append(seconds)
    figures = [Figure(name=name, runs=tuple(seconds), unit="s") for name, seconds in taken.items()]
    again = ", ".join(
        f"{many} x {what}" for what, many in sorted(answers.items()) if what not in ("200", "304")
    )
    notes = [
        f"{kept} entries acknowledged, every one there once, every log verified; {standbys} boards read.",
        f"Sent again under their keys: {again or 'none'}.",
        *(
            f"{scene.name}: whole again after {scene.whole_seconds:.0f} s, with nobody's help but a boot."
            for scene in scenes
            if scene.whole_seconds is not None
        ),
        f"Patroni's ttl is {TTL_SECONDS} s. A span ends {SETTLED_SECONDS:.0f} s after all is whole again.",
    ]
    return table(
        "Longest time without an acknowledgement, two cells of three nodes",
        figures,
        against=QUIET,
        notes=notes,
    )


def _round(cells: Host) -> list[Scene]:
    return [
        cells.quiet(),
        cells.leader_killed("west"),
        cells.cell_killed("west"),
        cells.switched_over("west"),
        cells.leader_killed("home"),
    ]
