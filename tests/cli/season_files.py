"""Files of whole seasons: the commands of each, and a file's entries in one form."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from by_hand import listed
from cli_arbitrator import ROOT

from tracker.documents.yaml_reader import read_document

SEASONS = ROOT / "fixtures" / "seasons"


def commands(folder: Path) -> Iterator[list[str]]:
    """The commands of a season, its files by their whole path."""
    for line in (folder / "play.txt").read_text("utf-8").splitlines():
        words = shlex.split(line, comments=True)
        if words:
            yield [str(folder / word) if word.endswith(".yaml") else word for word in words]


def read_file(file: Path) -> dict[str, Any]:
    said = read_document(file).root.plain()
    assert isinstance(said, dict)
    return said


def normalized(said: dict[str, Any]) -> dict[str, Any]:
    """A file with everything that has two ways of being written in one of them."""
    tidy = {key: value for key, value in said.items() if key != "recorded_by"}
    if isinstance(tidy.get("gangs"), dict) and set(map(str, tidy["gangs"].values())) == {"all"}:
        tidy["gangs"] = [*tidy["gangs"]]
    entries = []
    for entry in said.get("entries", []):
        kind = next(iter(entry))
        lines, dice = dict(entry[kind]), dict(entry.get("dice", {}))
        if kind == "out_of_action" and "lasting_injury" in lines:
            dice["lasting_injury"] = lines.pop("lasting_injury")
        entries.append({**entry, kind: lines, **({"dice": listed(dice)} if dice else {})})
    for key in ("opening", "wrap_up"):
        if key in tidy:
            tidy[key] = {"dice": listed(tidy[key]["dice"])}
    return {**tidy, "entries": entries}
