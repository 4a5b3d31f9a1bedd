"""The kinds of fields: the meaning of a field beyond its type, for forms, schemas and sentences."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from tracker.records import Record


class FieldKind(Record):
    """What a field holds. Numbers are whole, from `lowest` to `highest`."""

    name: str
    lowest: int = 0
    highest: int = 0


class FileKey(Record):
    """The key of a field in a file, if it differs from the field's name."""

    name: str


class Size(Record):
    """How many elements a list in a file may have."""

    lowest: int = 1
    highest: int = 50


FighterId: TypeAlias = Annotated[str, FieldKind(name="fighter")]
VehicleId: TypeAlias = Annotated[str, FieldKind(name="vehicle")]
GangId: TypeAlias = Annotated[str, FieldKind(name="gang")]
BattleId: TypeAlias = Annotated[str, FieldKind(name="battle")]
TerritoryId: TypeAlias = Annotated[str, FieldKind(name="territory")]
Workplace: TypeAlias = Annotated[str | None, FieldKind(name="workplace")]
"""A territory, or None for nowhere."""
Name: TypeAlias = Annotated[str, FieldKind(name="name")]
"""A name as somebody wrote it: one line, up to 80 characters."""
Note: TypeAlias = Annotated[str, FieldKind(name="note")]
"""A reason or remark: one line, up to 500 characters; an id stands in a sentence as words."""
Credits: TypeAlias = Annotated[int, FieldKind(name="credits", highest=100_000)]
"""Money of the campaign's book, 0 to 100,000."""
Payment: TypeAlias = Annotated[int, FieldKind(name="credits", lowest=1, highest=100_000)]
Account: TypeAlias = Annotated[str, FieldKind(name="account")]
"""A gang, or an account outside every gang such as @rewards."""
Count: TypeAlias = Annotated[int, FieldKind(name="number", highest=99)]
Times: TypeAlias = Annotated[int, FieldKind(name="number", lowest=1, highest=100)]
ExperienceAward: TypeAlias = Annotated[int, FieldKind(name="number", lowest=1, highest=99)]
DiceCount: TypeAlias = Annotated[int, FieldKind(name="number", lowest=1, highest=20)]
Signed: TypeAlias = Annotated[int, FieldKind(name="signed", lowest=-100, highest=100)]
"""More or less by so much; may be written with its sign."""
Change: TypeAlias = Annotated[int, FieldKind(name="change", lowest=-100, highest=100)]
"""The same where a change of 0 is none."""
ModelCount: TypeAlias = Annotated[int, FieldKind(name="number", highest=100)]
Hundredths: TypeAlias = Annotated[int, FieldKind(name="inches", highest=99_999)]
"""Hundredths of an inch; a file writes inches with up to two decimals."""
RoundNumber: TypeAlias = Annotated[int, FieldKind(name="number", lowest=1, highest=99)]
TestModifier: TypeAlias = Annotated[int, FieldKind(name="modifier", lowest=-9, highest=9)]
"""Added to a test; may be written with its sign."""
ArmourPenetration: TypeAlias = Annotated[int, FieldKind(name="armour_penetration", lowest=-99)]
"""0 or less: -1 pierces better; may be written as a dash for none."""
DieFace: TypeAlias = Annotated[int, FieldKind(name="number", lowest=1, highest=6)]
ChartTotal: TypeAlias = Annotated[int, FieldKind(name="signed", lowest=-99, highest=99)]
"""The dice that count and what is added to them; flat minuses may bring it below 0."""
MarkerCount: TypeAlias = Annotated[int, FieldKind(name="number", lowest=1, highest=6)]
RowId: TypeAlias = Annotated[str, FieldKind(name="row")]
"""The row of a book's table: in a file in any case and with spaces; stands in a sentence as a title."""
DiceReasons: TypeAlias = Annotated[tuple[str, ...], FieldKind(name="dice_reasons")]
"""Reasons for one more or one fewer DICE each; a file may give a bare number of them."""
