"""Conversations with the wizard: what is typed for a battle and for its aftermath, and the files that come of it."""

from pathlib import Path
from typing import Any

from cli_arbitrator import ROOT, Arbitrator
from cli_reports import GANG_SHEETS

from tracker.documents.yaml_reader import read_document

FILES = ROOT / "fixtures" / "aftermath"
MARKET = str(ROOT / "fixtures" / "armoury" / "sump-market.yaml")
SHEETS = [sheet for sheet in GANG_SHEETS if sheet.stem in ("gilded-cage", "iron-skulls")]

HEAD = ["night", "Lamps in the Gutter", "2025-03-07", "yes"]
HIT = ["hit", "krug", "autogun", "wren", "4", "out", "4-6"]
ANSWERS = [
    *HEAD,
    *HIT,
    *("out_of_action", "tallow", "sable", "", "5-5"),
    *("nerve", "ivo", "wren", "0", "6+6"),
    *("experience", "pip", "2", "held: the bridge"),
    "other: fall: {fighter: pip, inches: 2}",
    *("end", "gilded-cage"),
]
BY_HAND = """\
format: battle-report/1
battle: night
scenario: Lamps in the Gutter
date: 2025-03-07
gangs: [iron-skulls, gilded-cage]
entries:
  - hit: {attacker: krug, weapon: autogun, target: wren}
    dice: {wound: [4], injury: [out], lasting_injury: [4-6]}
  - out_of_action: {fighter: tallow, by: sable}
    dice: {lasting_injury: [5-5]}
  - nerve: {fighter: ivo, because_of: wren, friends_near: 0}
    dice: {nerve: [6+6]}
  - experience: {fighter: pip, amount: 2, reason: "held: the bridge"}
  - fall: {fighter: pip, inches: 2}
result: {winner: gilded-cage}
"""
AFTERWARDS = [
    *("every-gang", "5", "4", "n"),
    *("alignment", "gilded-cage", "outlaw", "they never were anything else"),
    *("territory", "old_ruins", "old-ruins-1", "next"),
    *("", "", "reward", "2", "", "the toll", "3", "4"),
    *("reputation", "2", "they held the bridge"),
    *("gang", "iron-skulls", "reputation", "-1", "driven off", "next"),
    *("", "2", "krug", "2+2", "", "3", "4-4"),
    *("trade", "mags", "trade", "sable", "iron-skulls", "end_actions", "next"),
    *("seek_rare", "", "3+4", "", "n", "end"),
]

LEFT = ["back", "back", "n"]
"""Both escape rolls are left for later, and nobody's XP for taking part is counted."""


def conversation(
    table: Arbitrator, *answers: str, words: tuple[str, ...] = ("battle", "play", "night.yaml"), code: int = 0
) -> str:
    """A conversation; gives what was said."""
    ran = table(*words, stdin="".join(f"{answer}\n" for answer in answers))
    assert (ran.code, ran.err) == (code, ""), ran.err + ran.out[-2000:]
    return ran.out


def written(table: Arbitrator, name: str = "night.yaml") -> str:
    return (table.folder / name).read_text(encoding="utf-8")


def post(table: Arbitrator, *answers: str, armoury: bool = False, code: int = 0) -> str:
    words = ("battle", "post", "--wizard", "after.yaml", *(("--armoury", MARKET) if armoury else ()))
    return conversation(table, *answers, words=words, code=code)


def entries(path: Path) -> Any:
    said = read_document(path).root.plain()
    assert isinstance(said, dict)
    return said["entries"]
