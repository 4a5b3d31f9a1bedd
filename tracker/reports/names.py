"""Names: the names of fighters, gangs and battles by id, and the words for money."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from msgspec import field

from tracker.dice import Die
from tracker.records import Record, replace
from tracker.reports import cards
from tracker.reports.dice_words import die_words, face_words
from tracker.reports.escaping import AROUND_NAMES, sanitize
from tracker.rules.glossary import USUAL, GameWords

if TYPE_CHECKING:
    from tracker.campaign.state import CampaignState


Named = TypeVar("Named")


class Names(Record):
    """The display names of ids, and the numbers of battles. An unknown id is shown as it is.

    `game` has the words of the campaign's book; the log uses its own. `around` is put before and after the
    name of a fighter or gang, for a page that must find names again.
    """

    fighters: Mapping[str, str] = field(default_factory=dict)
    gangs: Mapping[str, str] = field(default_factory=dict)
    battles: Mapping[str, int] = field(default_factory=dict)
    territories: Mapping[str, str] = field(default_factory=dict)
    game: GameWords = USUAL
    around: tuple[str, str] = ("", "")

    @classmethod
    def of_state(cls, state: CampaignState) -> Names:
        """The names that hold in a state."""
        return cls(
            fighters=_NamesOfFighters(state),
            gangs={gang.gang: gang.name for gang in state.gangs.values()},
            battles=_NumbersOfBattles(state),
            territories={known.territory: known.name for known in state.territories.values()},
            game=cards.words_of(state.book),
        )

    @classmethod
    def of_states(cls, *states: CampaignState) -> Names:
        """The names that hold in any of these states; of two, the later state's."""
        all_names = [cls.of_state(state) for state in states]
        return cls(
            fighters=_LaterNames([names.fighters for names in all_names]),
            gangs={gang: name for names in all_names for gang, name in names.gangs.items()},
            battles=_LaterNames([names.battles for names in all_names]),
            territories=_LaterNames([names.territories for names in all_names]),
            game=all_names[-1].game,
        )

    def money(self, amount: int) -> str:
        """'1 credit', '40 ducats'."""
        return self.game.money(amount)

    def marked(self) -> Names:
        """The same names, each isolated from the text direction around it in HTML."""
        return replace(self, around=AROUND_NAMES)

    def fighter(self, fighter: str) -> str:
        """The fighter's name, or the id."""
        return _shown(self.fighters.get(fighter), fighter).join(self.around)

    def gang(self, gang: str) -> str:
        """The gang's name, or the id."""
        return _shown(self.gangs.get(gang), gang).join(self.around)

    def territory(self, territory: str, name: str) -> str:
        """The territory's name, with its id if the campaign has another one of that name."""
        alike = any(
            called.casefold() == name.casefold() and known != territory
            for known, called in self.territories.items()
        )
        return f"{sanitize(name)} ({sanitize(territory)})" if alike else sanitize(name)

    def unmarked(self, fighter: str) -> str:
        """The name of a fighter within a text, without `around`."""
        return sanitize(self.fighters.get(fighter, fighter))

    def text(self, text: object) -> str:
        """A text as somebody wrote it, without terminal control characters."""
        return sanitize(text)

    def words(self, text: str) -> str:
        """An id as words; anything else as somebody wrote it."""
        return cards.lowercase_id(text)

    def title(self, text: str) -> str:
        """An id as a title, 'Out Cold'; anything else as somebody wrote it."""
        return cards.display_name(text)

    def by(self, fighter: str | None, word: str = "by") -> str:
        """' by Krug', or with another word; empty if nobody is named."""
        return f" {word} {self.fighter(fighter)}" if fighter is not None else ""

    def counted(self, number: int, thing: str, things: str | None = None) -> str:
        """'1 Wound', '2 Wounds'; `things` is the plural if it is not formed with s."""
        return cards.counted(number, thing, things)

    def die(self, die: Die) -> str:
        """'wound roll 4', 'Lasting Injury roll 4-6, rolled by the tool'."""
        return die_words(die)

    def face(self, die: Die) -> str:
        """What a die shows: '4', '4-6, rolled by the tool'."""
        return face_words(die)

    def address(self, entry: int, position: int) -> str:
        """'57.3'; for an entry's header 'entry 57'."""
        return address_words(entry, position)

    def inches(self, hundredths: int) -> str:
        """'4.5' of 450 hundredths of an inch."""
        return cards.inches(hundredths)

    def characteristic(self, characteristic: str) -> str:
        """'Ballistic Skill'."""
        return cards.characteristic_name(characteristic)

    def characteristic_value(self, characteristic: str, value: int) -> str:
        """A number with its sign, as on a card: '5"', '4+', '3'."""
        return cards.characteristic_shown(characteristic, value)

    def anyone(self, who: str) -> str:
        """The name of a fighter or gang, or the text itself: for fields that may hold either."""
        return self.fighter(who) if who in self.fighters else self.gang(who)

    def battle(self, battle: str) -> str:
        """'battle 3 (sump-raid)', or 'battle sump-raid' if its number is unknown."""
        number = self.battles.get(battle)
        return f"battle {sanitize(battle)}" if number is None else f"battle {number} ({sanitize(battle)})"


class _NamesOfFighters(Mapping[str, str]):
    """The names of a state's fighters and vehicles; former fighters are looked up on demand.

    A die or an award may be about a vehicle; no id belongs to a fighter and a vehicle at once.
    """

    def __init__(self, state: CampaignState) -> None:
        self._state = state

    def __getitem__(self, identity: str) -> str:
        named = self._state.vehicle(identity) or self._state.fighter(identity)
        if named is None:
            raise KeyError(identity)
        return named.name

    def __contains__(self, identity: object) -> bool:
        return identity in self._state.vehicle_of or identity in self._state.gang_of

    def __iter__(self) -> Iterator[str]:
        for gang in self._state.gangs.values():
            yield from gang.fighters
        for gang in self._state.gangs.values():
            yield from gang.vehicles

    def __len__(self) -> int:
        return sum(len(gang.fighters) + len(gang.vehicles) for gang in self._state.gangs.values())


class _NumbersOfBattles(Mapping[str, int]):
    """The numbers of a state's battles; past ones are looked up on demand."""

    def __init__(self, state: CampaignState) -> None:
        self._state = state

    def __getitem__(self, battle: str) -> int:
        under_way = self._state.under_way
        if under_way is not None and under_way.battle == battle:
            return under_way.number
        return self._state.battles[battle]

    def __iter__(self) -> Iterator[str]:
        under_way, battles = self._state.under_way, self._state.battles
        yield from battles
        if under_way is not None and under_way.battle not in battles:
            yield under_way.battle

    def __len__(self) -> int:
        return sum(1 for _ in self)


class _LaterNames(Mapping[str, Named]):
    """Several mappings as one; of two values the later mapping's counts."""

    def __init__(self, each: Sequence[Mapping[str, Named]]) -> None:
        self._each = each

    def __getitem__(self, identity: str) -> Named:
        for names in reversed(self._each):
            if identity in names:
                return names[identity]
        raise KeyError(identity)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(identity for names in self._each for identity in names))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _shown(name: str | None, identity: str) -> str:
    # A name of only invisible characters would leave a gap in the sentence.
    return sanitize(name or "").strip() or sanitize(identity)


def address_words(entry: int, position: int) -> str:
    """'57.3'; for an entry's header 'entry 57'."""
    return f"entry {entry}" if position == 1 else f"{entry}.{position}"
