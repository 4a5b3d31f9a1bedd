"""Dice: the kinds of dice, their faces, and the tray that hands them to the rules.

Knows no rule, no table and no source of randomness: a roller is passed in. Dice typed in from the table count
exactly as much as rolled ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import product
from typing import Any, Final, Literal

from msgspec import UNSET, UnsetType, field

from tracker.errors import BadInput, nearest
from tracker.records import Record, replace

Source = Literal["typed", "generated", "reported", "ruling"]
"""Typed in; rolled by the tool as it recorded; rolled by it earlier, by the report's word; set by ruling."""
FROM_PEOPLE: Final = ("typed", "reported")
"""The sources of dice in a report: only its author vouches for them."""
Roller = Callable[[int], int]
"""Gives a face from 1 to the number of sides."""

D6, D3, D66, TWO_D6 = "D6", "D3", "D66", "2D6"
PLAIN_DICE = (D6, D3, D66, TWO_D6)
_SIDES = {D6: (6,), D3: (3,), D66: (6, 6), TWO_D6: (6, 6)}


def sides_of(die: str) -> tuple[int, ...]:
    """The sides of each die rolled: a D66 and a 2D6 are two dice; a special die has six sides."""
    return _SIDES.get(die, (6,))


def ways_of(die: str) -> tuple[tuple[int, ...], ...]:
    """Every way a die can fall, all equally likely."""
    return tuple(product(*(range(1, sides + 1) for sides in sides_of(die))))


class Die(Record):
    """One roll of one die (a D66 is one roll of two D6, tens first).

    `faces` are raw; `symbol` is the symbol of a special die, or the table row named instead of a D66.
    `fighter` is the fighter concerned: deciding an entry again gives the die to nobody else. `part` is the
    part of an entry with several commands, from 0; a log leaves it out elsewhere. `request` is the request
    for provable dice that drew it before its entry was recorded.
    """

    purpose: str
    die: str
    faces: tuple[int, ...] = ()
    symbol: str | None = None
    fighter: str | None = None
    source: Source = "typed"
    part: int | UnsetType = UNSET
    request: int | UnsetType = UNSET

    @property
    def face(self) -> int:
        """The face of a single die."""
        assert len(self.faces) == 1, f"{self.die} shows {self.faces}"
        return self.faces[0]

    @property
    def cell(self) -> str | None:
        """The cell of a D66, as '46'; None if a table row was named instead."""
        return f"{self.faces[0]}{self.faces[1]}" if len(self.faces) == 2 else None

    @property
    def total(self) -> int:
        """The sum of the faces."""
        return sum(self.faces)

    def shown(self) -> str:
        """The die as people write it: '4', '4-6', '3+4', 'serious_injury'."""
        if self.die == TWO_D6 and self.faces:
            return "+".join(str(face) for face in self.faces)
        if self.faces:
            return "-".join(str(face) for face in self.faces)
        return self.symbol or "?"


class SpecialDie(Record):
    """A die with pictures: the symbol on each of its six faces, and other words people use for them."""

    name: str
    symbols: tuple[str, ...]
    also_called: Mapping[str, str] = field(default_factory=dict)

    def symbol_for(self, word: str) -> str | None:
        """The symbol for a typed word, or None."""
        tidy = word.strip().lower().replace(" ", "_").replace("-", "_")
        if tidy in self.symbols:
            return tidy
        return self.also_called.get(tidy)


class DieAsked(Record):
    """A die that a rule asks for: its kind, purpose, fighter and reason."""

    purpose: str
    die: str
    fighter: str | None
    why: str
    name: str | None = None
    """What the fighter is called."""

    def in_words(self) -> str:
        """'wound' for Wren (wound roll, Strength 4 against Toughness 3)."""
        whose = f" for {self.name or self.fighter}" if self.fighter else ""
        return f"{self.purpose!r}{whose} ({self.why})"


class DiceNeeded(BadInput):
    """A rule asked for a die that nobody gave.

    `needed` are the faces that pass, such as 4+; `rolled` the dice of the entry before it; `also` the dice it
    asks for whatever this one shows, `perhaps` the purposes of others; `paste` the dice as they are written,
    with ? for each missing one.
    """

    purpose: str
    die: str
    fighter: str | None
    why: str
    entry: str = ""
    name: str | None = None
    needed: str | None = None
    rolled: tuple[Die, ...] = ()
    also: tuple[DieAsked, ...] = ()
    perhaps: tuple[str, ...] = ()
    paste: str = ""

    def __init__(self, *args: Any, **facts: Any) -> None:
        super().__init__(*args, **facts)
        self.asked: Any = None
        """The interrupted decision, to look further ahead: see `campaign/missing_dice.py`."""

    def facts(self) -> dict[str, Any]:
        stated = {name: fact for name, fact in super().facts().items() if fact != ""}
        return {"kind": self.die, **stated}

    def message(self) -> str:
        where = f"{self.entry}: " if self.entry else ""
        return f"{where}{self.how_to_give_it()}, or let the tool roll what is missing with --roll."

    def how_to_give_it(self) -> str:
        """The missing dice and how to write them, without a full stop."""
        also = "; ".join(die.in_words() for die in self.also)
        listed = f" However it falls, these are missing too: {also}." if also else ""
        perhaps = f" As it falls, also: {', '.join(self.perhaps)}." if self.perhaps else ""
        write = (
            f"Write what was rolled for each ? in {self.paste}"
            if self.paste
            else f"Add it under dice: {{{self.purpose}: [...]}}"
        )
        return f"{self.lacking()}{listed}{perhaps} {write}"

    def lacking(self) -> str:
        """Which die is missing, for whom and for what."""
        article = "an" if self.die[0].lower() in "aeiou" else "a"
        what = f"a {self.die}" if self.die in (D6, D3, D66) else f"{article} {self.die} die"
        why = self.why
        if self.needed is not None and not why.endswith(self.needed):
            why = f"{why}, needs {self.needed}"
        die = DieAsked(purpose=self.purpose, die=self.die, fighter=self.fighter, why=why, name=self.name)
        return f"{what} is missing: {die.in_words()}."


class DiceLeftOver(BadInput):
    """More dice were given than the rules asked for."""

    left: tuple[Die, ...]
    entry: str = ""
    notes: tuple[str, ...] = ()
    """Rules of the entry that may have called for dice at the table, and have no rule here."""

    def message(self) -> str:
        where = f"{self.entry}: " if self.entry else ""
        listed = ", ".join(f"{die.purpose} {die.shown()}" for die in self.left)
        perhaps = "".join(f" {note}" for note in self.notes)
        return (
            f"{where}dice are left over that no rule asked for: {listed}. Take them out, or look whether an"
            f" earlier die (a save, a wound roll) was written wrongly.{perhaps}"
        )


class ImpossibleFace(BadInput):
    """A face that the die does not have."""

    purpose: str
    die: str
    given: str
    expected: str

    def message(self) -> str:
        message = f"{self.given} is no result of a {self.die} ({self.purpose}): expected {self.expected}"
        return message if message.endswith("?") else f"{message}."


def read_die(purpose: str, die: str, given: object, *, special: SpecialDie | None = None) -> Die:
    """A typed face as a Die: 4, '4', '4-6', 46, [4, 6] or a symbol. Raises ImpossibleFace."""
    if die == D66:
        return _read_d66(purpose, given)
    if die == TWO_D6:
        return _read_two_d6(purpose, given)
    sides = 3 if die == D3 else 6
    expected = f"a whole number from 1 to {sides}"
    if special is not None:
        words = sorted({*special.symbols, *special.also_called})
        expected = f"a face from 1 to 6 or one of {', '.join(sorted(set(special.symbols)))}"
        if isinstance(given, str) and not given.strip().isdecimal():
            symbol = special.symbol_for(given)
            if symbol is None:
                expected += "." + nearest(given, words)
                raise ImpossibleFace(
                    purpose=purpose, die=die, given=repr(given), expected=expected.rstrip(".")
                )
            return Die(purpose=purpose, die=die, symbol=symbol)
    face = _whole_number(given)
    if face is None or not 1 <= face <= sides:
        raise ImpossibleFace(purpose=purpose, die=die, given=_shown(given), expected=expected)
    return Die(purpose=purpose, die=die, faces=(face,))


def _read_d66(purpose: str, given: object) -> Die:
    expected = "two faces from 1 to 6, tens first, such as 4-6 (or the row's name, such as hobbled)"
    faces: tuple[int | None, ...] | None = None
    if isinstance(given, (list, tuple)) and len(given) == 2:
        faces = (_whole_number(given[0]), _whole_number(given[1]))
    elif isinstance(given, int) and not isinstance(given, bool) and 11 <= given <= 66:
        faces = (given // 10, given % 10)
    elif isinstance(given, str):
        tidy = given.strip()
        digits = tidy.replace("-", "").replace(" ", "")
        if len(digits) == 2 and digits.isascii() and digits.isdecimal():
            faces = (int(digits[0]), int(digits[1]))
        elif (
            tidy
            and not digits.isdecimal()
            and tidy.replace("_", "").replace("-", "").replace(" ", "").isalpha()
        ):
            return Die(purpose=purpose, die=D66, symbol=tidy.lower().replace(" ", "_").replace("-", "_"))
    if faces is None or not all(face is not None and 1 <= face <= 6 for face in faces):
        raise ImpossibleFace(purpose=purpose, die=D66, given=_shown(given), expected=expected)
    return Die(purpose=purpose, die=D66, faces=tuple(face for face in faces if face is not None))


def _read_two_d6(purpose: str, given: object) -> Die:
    faces: list[int | None] = []
    if isinstance(given, (list, tuple)):
        faces = [_whole_number(face) for face in given]
    elif isinstance(given, str):
        faces = [_whole_number(face) for face in given.replace("-", "+").split("+")]
    whole = tuple(face for face in faces if face is not None and 1 <= face <= 6)
    if len(faces) != 2 or len(whole) != 2:
        expected = "both faces of two D6, such as 3+4 (a total alone could not be disputed)"
        raise ImpossibleFace(purpose=purpose, die=TWO_D6, given=_shown(given), expected=expected)
    return Die(purpose=purpose, die=TWO_D6, faces=whole)


def _whole_number(given: object) -> int | None:
    if isinstance(given, bool):
        return None
    if isinstance(given, int):
        return given
    if isinstance(given, str) and given.strip().isascii() and given.strip().isdecimal() and len(given) < 4:
        return int(given)
    return None


def _shown(given: object) -> str:
    text = repr(given)
    return text if len(text) <= 40 else text[:37] + "..."


class DiceTray:
    """Hands out dice by purpose, in the order given, and remembers them. The only mutable object in the core.

    Typed dice name no fighter and answer any request of their purpose. Dice of an earlier decision name
    theirs, and answer only for that fighter.
    """

    def __init__(self, given: Iterable[Die] = (), *, roller: Roller | None = None) -> None:
        self._waiting: list[Die] = list(given)
        self._roller = roller
        self._handed_out: list[Die] = []
        self._part: int | UnsetType = UNSET

    def serve(self, part: int | UnsetType) -> None:
        """From now on hand out the dice of this part of the entry, and those of no part."""
        self._part = part

    @property
    def handed_out(self) -> tuple[Die, ...]:
        """Every die handed out so far, in order."""
        return tuple(self._handed_out)

    @property
    def last_number(self) -> int:
        """The number of the die handed out last, from 0."""
        return len(self._handed_out) - 1

    @property
    def waiting(self) -> tuple[Die, ...]:
        """The dice that nobody has asked for yet."""
        return tuple(self._waiting)

    def d6(self, purpose: str, *, why: str, fighter: str | None = None) -> Die:
        """One D6. Raises DiceNeeded."""
        return self._next(purpose, D6, why, fighter, _SIDES[D6])

    def d3(self, purpose: str, *, why: str, fighter: str | None = None) -> Die:
        """One D3, as its result from 1 to 3. Raises DiceNeeded."""
        return self._next(purpose, D3, why, fighter, _SIDES[D3])

    def d66(self, purpose: str, *, why: str, fighter: str | None = None) -> Die:
        """Two D6, tens then units. Raises DiceNeeded."""
        return self._next(purpose, D66, why, fighter, _SIDES[D66])

    def two_d6(self, purpose: str, *, why: str, fighter: str | None = None) -> Die:
        """Two D6 to be added, both faces kept. Raises DiceNeeded."""
        return self._next(purpose, TWO_D6, why, fighter, _SIDES[TWO_D6])

    def special(self, die: SpecialDie, purpose: str, *, why: str, fighter: str | None = None) -> Die:
        """One special die, its symbol always filled in. Raises DiceNeeded."""
        return self._next(purpose, die.name, why, fighter, _SIDES[D6], die)

    def finish(self) -> None:
        """Raises DiceLeftOver if dice were given that no rule asked for."""
        if self._waiting:
            raise DiceLeftOver(left=tuple(self._waiting))

    def _next(
        self,
        purpose: str,
        die: str,
        why: str,
        fighter: str | None,
        sides: tuple[int, ...],
        special: SpecialDie | None = None,
    ) -> Die:
        taken = self._take(purpose, fighter) if self._waiting else None
        if taken is None:
            taken = self._throw(purpose, die, why, fighter, sides, special)
        else:
            assert taken.die == die, f"{purpose} holds a {taken.die}, asked for a {die}"
            symbol = special.symbols[taken.face - 1] if special is not None and taken.faces else taken.symbol
            if taken.fighter != fighter or taken.symbol != symbol:
                taken = replace(taken, fighter=fighter, symbol=symbol)
        if taken.part != self._part:
            taken = replace(taken, part=self._part)
        self._handed_out.append(taken)
        return taken

    def _throw(
        self,
        purpose: str,
        die: str,
        why: str,
        fighter: str | None,
        sides: tuple[int, ...],
        special: SpecialDie | None,
    ) -> Die:
        """Roll a die that was not given. The odds override this to enumerate all faces."""
        if self._roller is None:
            raise DiceNeeded(purpose=purpose, die=die, fighter=fighter, why=why)
        roller = self._roller
        faces = (roller(sides[0]),) if len(sides) == 1 else tuple(map(roller, sides))
        symbol = special.symbols[faces[0] - 1] if special is not None else None
        return Die(purpose=purpose, die=die, faces=faces, symbol=symbol, fighter=fighter, source="generated")

    def _take(self, purpose: str, fighter: str | None) -> Die | None:
        for position, die in enumerate(self._waiting):
            if (
                die.purpose == purpose
                and (die.fighter is None or die.fighter == fighter)
                and (die.part is UNSET or self._part is UNSET or die.part == self._part)
            ):
                return self._waiting.pop(position)
        return None
