"""Reading tables: D66 tables, charts and the effects of their lines, from what a book's files say.

Refuses a line that misses or repeats a cell, an unknown effect, a characteristic or a die of no book.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, get_args, get_type_hints

from tracker.dice import D66
from tracker.errors import Refusal, nearest
from tracker.rules.effects import CONDITIONS, EFFECTS
from tracker.rules.rulebook import CharacteristicLimits, DicePurpose
from tracker.rules.tables import ALL_CELLS, Band, Chart, Row, Table, band_ends, cells_between


class BrokenBook(Refusal):
    """{file}: {fault}. The file must be mended before anything is decided with it."""

    file: str
    fault: str

    exit_code = 2


def read_table(
    stem: str, content: Mapping[str, Any], characteristics: Mapping[str, CharacteristicLimits], where: str
) -> Table:
    """A D66 table from its file's content; `where` names the book. Raises BrokenBook."""
    file = f"{where}/{stem}.toml"
    if content["id"] != stem:
        raise BrokenBook(
            file=file, fault=f"holds the table {content['id']}, whose file is {content['id']}.toml"
        )
    rows = tuple(_row(entry, characteristics, file) for entry in content["row"])
    printed = sorted(cell for row in rows for cell in row.cells)
    if printed != sorted(ALL_CELLS):
        missing = [cell for cell in ALL_CELLS if cell not in printed]
        twice = sorted({cell for cell in printed if printed.count(cell) > 1})
        raise BrokenBook(
            file=file, fault=f"cells missing: {missing or 'none'}, cells twice: {twice or 'none'}"
        )
    ids = [row.id for row in rows]
    if len(set(ids)) != len(ids):
        raise BrokenBook(file=file, fault="two rows share an id")
    named = [
        content["default_row"],
        *(row for entry in content["row"] for fx in entry["effects"] for row in fx.get("rerolls", ())),
    ]
    for name in named:
        if name not in ids:
            raise BrokenBook(file=file, fault=f"names a row {name!r} that it does not have")
    return Table(
        id=content["id"],
        title=content["title"],
        source=content["source"],
        default_row=content["default_row"],
        rows=rows,
    )


def read_chart(
    stem: str, content: Mapping[str, Any], characteristics: Mapping[str, CharacteristicLimits], where: str
) -> Chart:
    """A chart from its file's content; `where` names the book. Raises BrokenBook."""
    file = f"{where}/{stem}.toml"
    if content["id"] != stem:
        raise BrokenBook(
            file=file, fault=f"holds the chart {content['id']}, whose file is {content['id']}.toml"
        )
    bands = []
    for entry in content["band"]:
        lowest, highest = band_ends(entry["totals"])
        effects = tuple(_of_kind(EFFECTS, effect, file) for effect in entry.get("effects", ()))
        bands.append(
            Band(id=entry["id"], name=entry["name"], lowest=lowest, highest=highest, effects=effects)
        )
        _check_characteristics(entry, characteristics, file)
    for band, following in pairwise(bands):
        if band.highest is None or following.lowest != band.highest + 1:
            raise BrokenBook(file=file, fault=f"{following.id} does not follow {band.id} without a gap")
    return Chart(
        id=content["id"],
        title=content["title"],
        source=content["source"],
        bands=tuple(bands),
        roll=content["roll"],
    )


def check_effect_dice(
    files: Mapping[str, Mapping[str, Any]], purposes: Mapping[str, DicePurpose], where: str
) -> None:
    """Every die that an effect asks for must be one that can be given, under a purpose of this book.

    Raises BrokenBook.
    """
    for stem, content in files.items():
        for line in (*content.get("row", ()), *content.get("band", ())):
            for effect in line.get("effects", ()):
                asked = {"purpose": D66 if "count_purpose" in effect else effect.get("dice")}
                asked["count_purpose"] = effect.get("dice")
                for key, die in asked.items():
                    if key in effect and (effect[key] not in purposes or purposes[effect[key]].die != die):
                        fault = (
                            f"{line['id']} asks for {effect[key]!r} by {die}, which dice.toml does not know"
                        )
                        raise BrokenBook(file=f"{where}/{stem}.toml", fault=fault)


def one_of(known: tuple[str, ...], said: str, where: str) -> None:
    """What a file says must be one of these. Raises ValueError."""
    if said not in known:
        raise ValueError(f"{where} says {said!r}, which is none of {', '.join(known)}")


def _row(entry: Mapping[str, Any], characteristics: Mapping[str, CharacteristicLimits], file: str) -> Row:
    _check_characteristics(entry, characteristics, file)
    return Row(
        id=entry["id"],
        name=entry["name"],
        cells=cells_between(entry["cells"]),
        effects=tuple(_of_kind(EFFECTS, effect, file) for effect in entry["effects"]),
        counts_as_default_when=tuple(
            _of_kind(CONDITIONS, one, file) for one in entry.get("counts_as_default_when", ())
        ),
        rolled_again_when=tuple(
            _of_kind(CONDITIONS, one, file) for one in entry.get("rolled_again_when", ())
        ),
    )


def _of_kind(kinds: Mapping[str, type[Any]], entry: Mapping[str, Any], file: str) -> Any:
    kind = kinds.get(entry["kind"])
    if kind is None:
        raise BrokenBook(file=file, fault=f"unknown kind {entry['kind']!r};{nearest(entry['kind'], kinds)}")
    for name, said in entry.items():
        choices = get_args(get_type_hints(kind).get(name))
        if choices and all(isinstance(choice, str) for choice in choices):
            one_of(choices, said, entry["kind"])
    facts = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in entry.items()
        if name != "kind"
    }
    return kind(**facts)


def _check_characteristics(
    entry: Mapping[str, Any], characteristics: Mapping[str, CharacteristicLimits], file: str
) -> None:
    for effect in entry.get("effects", ()):
        if "characteristic" in effect and effect["characteristic"] not in characteristics:
            raise BrokenBook(
                file=file,
                fault=f"{entry['id']} changes an unknown characteristic {effect['characteristic']!r}",
            )
