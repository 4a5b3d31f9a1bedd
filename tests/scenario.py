"""Given, when, then for the pure core: two small gangs, commands through `decide`, dice in the game's words.

    given().when(hit(VEX, by=MAGS, strength=4), wound(4), injury("serious")).then(...)

`then` compares everything that was decided but the header and the rolls themselves, whole and in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any

from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.profiles import Armour, WeaponProfile
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.rulings.redecision import Slot
from tracker.campaign.state import CampaignState, Combatant
from tracker.campaign.steps import Judgement, decide
from tracker.dice import DiceTray, Die, read_die
from tracker.errors import Refusal
from tracker.records import Record, names_of_fields, replace
from tracker.rules import loader

BOOK = "necromunda_2023"
SKULLS, SAINTS = "skulls", "saints"
KRUG, VEX, MAGS, DOT = "krug", "vex", "mags", "dot"
CREW_OF = {SKULLS: (KRUG, VEX), SAINTS: (MAGS, DOT)}
GANG_OF = {name: gang for gang, crew in CREW_OF.items() for name in crew}
RANK_OF = {KRUG: "leader", VEX: "ganger", MAGS: "champion", DOT: "ganger"}

# In the middle of every scale, so that everything can still get better or worse.
ORDINARY = {
    "movement": 5,
    "weapon_skill": 4,
    "ballistic_skill": 4,
    "strength": 3,
    "toughness": 3,
    "wounds": 1,
    "initiative": 4,
    "attacks": 1,
    "leadership": 7,
    "cool": 7,
    "willpower": 7,
    "intelligence": 7,
}
MESH = Armour(name="Mesh armour", save=5)
FLAK = Armour(name="Flak armour", save=6)
DISPLACER = Armour(name="Displacer field", save=4)
REFRACTOR = Armour(name="Refractor field", save=5)


# --- given -----------------------------------------------------------------------------------------------


def card(fighter: str, **changes: Any) -> records.FighterCard:
    """A fighter as ordinary as can be but for `changes`, which name characteristics or fields of the card."""
    numbers = {name: changes.pop(name) for name in ORDINARY if name in changes}
    ordinary = records.FighterCard(
        fighter=fighter,
        name=fighter.capitalize(),
        category=RANK_OF.get(fighter, "ganger"),  # type: ignore[arg-type]
        kind="Fighter",
        cost_credits=100,
        characteristics={**ORDINARY, **numbers},
    )
    return replace(ordinary, **changes)


def house_rule(knobs: Mapping[str, str]) -> records.PolicyText:
    """A policy of this table alone."""
    return records.PolicyText(
        policy="of-this-table", version=1, title="Of this table", source="test", patch=dict(knobs)
    )


def enlist(gang: str, *fighters: records.FighterCard, **changes: Any) -> records.EnlistGang:
    """A gang of these fighters, without credits but for `changes`."""
    ordinary = records.EnlistGang(
        gang=gang,
        name=gang.capitalize(),
        house="House",
        player=f"{gang}-player",
        credits=0,
        reputation=1,
        fighters=fighters,
    )
    return replace(ordinary, **changes)


class NoState:
    """In place of the state after a refusal: a test that looks at it, as if something had been decided, meets the
    refusal."""

    def __init__(self, refusal: Refusal) -> None:
        self._refusal = refusal

    def __getattr__(self, name: str) -> Any:
        raise self._refusal

    def __eq__(self, other: object) -> bool:
        raise self._refusal

    __hash__ = None  # type: ignore[assignment]


class Table(Record):
    """The campaign after some commands; what the last of them came to."""

    state: CampaignState
    before: CampaignState
    judgements: tuple[Judgement, ...] = ()
    refusal: Refusal | None = None

    def when(self, command: records.Command, *dice: Die | tuple[Die, ...]) -> Table:
        """Ask for one thing, with exactly these dice."""
        if self.refusal is not None:
            raise self.refusal
        entry = len(self.judgements) + 1
        try:
            judged = decide(self.state, command, DiceTray(flat(dice)), loader.rulebook, entry=entry)
        except Refusal as refusal:
            return replace(self, before=self.state, state=NoState(refusal), refusal=refusal)
        return replace(
            self, before=self.state, state=judged.state, judgements=(*self.judgements, judged), refusal=None
        )

    @property
    def events(self) -> tuple[records.Event, ...]:
        """All that the last command came to, header first."""
        if self.refusal is not None:
            raise self.refusal
        return tuple(decided.event for decided in self.judgements[-1].events)

    @property
    def outcome(self) -> tuple[records.Event, ...]:
        """The last command's events without header and rolls."""
        return tuple(
            event for event in self.events if not isinstance(event, (records.DecisionTaken, records.RollMade))
        )

    @property
    def rolls(self) -> tuple[records.RollMade, ...]:
        """The last command's rolls."""
        return tuple(event for event in self.events if isinstance(event, records.RollMade))

    def fighter(self, fighter: str) -> Fighter:
        """The fighter's record now."""
        found = self.state.fighter(fighter)
        assert found is not None, fighter
        return found

    def combatant(self, fighter: str) -> Combatant:
        """The fighter's condition in the battle under way."""
        assert self.state.under_way is not None, "no battle is under way"
        return self.state.under_way.combatants[fighter]

    def slots(self) -> tuple[Slot, ...]:
        """The campaign so far as a log would hold it, one slot for each command."""
        if self.refusal is not None:
            raise self.refusal
        return as_slots(tuple(decided.event for decided in judged.events) for judged in self.judgements)

    def then(self, *expected: records.Event) -> Table:
        """Exactly this was decided, header and rolls aside."""
        assert self.outcome == expected
        return self

    def then_phrases(self, *expected: str) -> Table:
        """Exactly this was carried home, in the words of `phrases`."""
        assert phrases(self.events) == expected
        return self

    def then_refused(self, refusal: type[Refusal], **facts: object) -> Table:
        """It was refused so, and nothing has happened."""
        assert type(self.refusal) is refusal, repr(self.refusal)
        assert {name: self.refusal.facts()[name] for name in facts} == facts
        return replace(self, state=self.before, refusal=None)

    def then_nothing_happened(self) -> Table:
        """Dice may have fallen, but nobody is the worse or the better for it."""
        assert self.outcome == ()
        assert self.state == self.before
        return self


def campaign(*gangs: records.EnlistGang, knobs: Mapping[str, str] | None = None, book: str = BOOK) -> Table:
    """A campaign with these gangs, before its first battle."""
    policies = (house_rule(knobs),) if knobs else ()
    table = Table(state=CampaignState(), before=CampaignState()).when(
        records.OpenCampaign(name="Test", slug="test", book=book, policies=policies)
    )
    for gang in gangs:
        table = table.when(gang)
    return table


def given(
    *cards: records.FighterCard, knobs: Mapping[str, str] | None = None, battle: bool = True, book: str = BOOK
) -> Table:
    """Krug and Vex against Mags and Dot, in their first battle. `cards` replace ordinary fighters."""
    table = _two_gangs(cards, knobs or {}, book)
    return table.when(opening(1)) if battle else table


def before(
    *cards: records.FighterCard,
    knobs: Mapping[str, str] | None = None,
    book: str = BOOK,
    stage: int | None = None,
) -> Table:
    """As `given`, in a battle recorded before traits and skills asked for dice, or at an older stage of them."""
    return _two_gangs(cards, knobs or {}, book).when(replace(opening(1), number=1, whole_book=stage))


def older(table: Table, stage: int | None) -> Table:
    """The same battle, recorded at an earlier stage of the rules (ADR 29)."""
    assert table.state.under_way is not None, "no battle is under way"
    battle = replace(table.state.under_way, whole_book=stage)
    return replace(table, state=replace(table.state, under_way=battle))


def _two_gangs(cards: tuple[records.FighterCard, ...], knobs: Mapping[str, str], book: str) -> Table:
    mine = {fighter.fighter: fighter for fighter in cards}
    gangs = (
        enlist(gang, *(mine.get(name) or card(name) for name in crew), credits=100)
        for gang, crew in CREW_OF.items()
    )
    return campaign(*gangs, knobs=knobs, book=book)


def opening(number: int, *, without: Iterable[str] = (), crews: Mapping[str, tuple[str, ...]] | None = None):
    """The campaign's nth battle, with everybody but `without`."""
    away = tuple(without)
    everybody = {
        gang: tuple(name for name, own in GANG_OF.items() if own == gang and name not in away)
        for gang in (SKULLS, SAINTS)
    }
    return records.OpenBattle(
        battle=f"battle-{number}", scenario="Ambush", date="2026-01-01", crews=dict(crews or everybody)
    )


CLOSING = records.CloseBattle(winner=None, drawn=True)


# --- when: what is asked ---------------------------------------------------------------------------------


def profile(
    *, strength: int = 4, ap: int = 0, damage: int | None = 1, traits: tuple[str, ...] = ()
) -> WeaponProfile:
    """A weapon by its numbers."""
    return WeaponProfile(name="gun", strength=strength, armour_penetration=ap, damage=damage, traits=traits)


def hit(
    target: str,
    *,
    by: str | None = None,
    strength: int = 4,
    ap: int = 0,
    damage: int | None = 1,
    traits: tuple[str, ...] = (),
    **more: Any,
) -> records.ResolveHit:
    """A hit by a weapon of these numbers."""
    gun = profile(strength=strength, ap=ap, damage=damage, traits=traits)
    return records.ResolveHit(target=target, attacker=by, profile=gun, **more)


def injuries(target: str, *, dice: int, by: str | None = None, **more: Any) -> records.RollInjuryDice:
    """So many Injury dice, for no wounding hit."""
    return records.RollInjuryDice(target=target, injury_dice=dice, why="test", attacker=by, **more)


def out_of_action(target: str, *, by: str | None = None, **more: Any) -> records.StateOutcome:
    """The notes say: Out of Action."""
    return records.StateOutcome(target=target, outcome="out_of_action", attacker=by, **more)


def seriously_injured(target: str, *, by: str | None = None, **more: Any) -> records.StateOutcome:
    """The notes say: Seriously Injured."""
    return records.StateOutcome(target=target, outcome="serious_injury", attacker=by, **more)


def flesh_wound(target: str, *, by: str | None = None, **more: Any) -> records.StateOutcome:
    """The notes say: a Flesh Wound."""
    return records.StateOutcome(target=target, outcome="flesh_wound", attacker=by, **more)


def fall(target: str, *, hundredths: int, **more: Any) -> records.ResolveFall:
    """A fall of so many hundredths of an inch."""
    return records.ResolveFall(target=target, distance_hundredths=hundredths, **more)


# --- when: the dice --------------------------------------------------------------------------------------

INJURY_WORDS = {"flesh": "flesh_wound", "serious": "serious_injury", "ooa": "out_of_action"}


def _d6(purpose: str, face: int) -> Die:
    return read_die(purpose, "D6", face)


def wound(face: int) -> Die:
    """The wound roll shows."""
    return _d6("wound", face)


def save(face: int) -> Die:
    """The save roll shows."""
    return _d6("save", face)


def injury(*shown: str | int) -> tuple[Die, ...]:
    """The Injury dice show 'flesh', 'serious', 'ooa', or a face."""
    special = loader.book(BOOK).injury_dice["two_three_one"]
    return tuple(
        read_die("injury", "injury", INJURY_WORDS.get(str(one), one), special=special) for one in shown
    )


def lasting(tens: int, units: int) -> Die:
    """The Lasting Injury roll shows."""
    return read_die("lasting_injury", "D66", [tens, units])


def how_many(result: int) -> Die:
    """Multiple Injuries brings so many further rolls (D3)."""
    return read_die("multiple_injuries_count", "D3", result)


def further(tens: int, units: int) -> Die:
    """A further roll of Multiple Injuries shows."""
    return read_die("multiple_injuries", "D66", [tens, units])


def lesson(result: int) -> Die:
    """Lesson Learned teaches so much (D3)."""
    return read_die("lesson_learned", "D3", result)


def old_wound(face: int) -> Die:
    """The Old Battle Wound die of the Wrap-up shows."""
    return _d6("old_battle_wound", face)


def succumb(face: int) -> Die:
    """The die for who ends the battle Seriously Injured shows."""
    return _d6("succumb", face)


OUT_COLD = lasting(2, 1)


def flat(dice: Iterable[Die | tuple[Die, ...]]) -> tuple[Die, ...]:
    """Dice given singly and in handfuls, in one row."""
    row: list[Die] = []
    for die in dice:
        row.extend(die if isinstance(die, tuple) else (die,))
    return tuple(row)


# --- then ------------------------------------------------------------------------------------------------


def phrases(events: Iterable[records.Event]) -> tuple[str, ...]:
    """What fighters carry home from some events, a phrase each; what happens within the battle is left out."""
    return tuple(phrase for event in events if (phrase := _phrase(event)))


def _phrase(event: records.Event) -> str:
    match event:
        case records.LastingInjurySuffered():
            repeat = f" counts as {event.counts_as}" if event.counts_as else ""
            inside = f" within {event.within}" if event.within else ""
            return f"{event.injury}{inside}{repeat}"
        case records.WentIntoConvalescence():
            return "convalescence"
        case records.ConvalescenceEnded():
            return f"{event.fighter} convalescence ended"
        case records.WentIntoRecovery():
            return f"recovery from battle {event.battle}"
        case records.RecoveryEnded():
            return f"{event.fighter} recovery ended"
        case records.CharacteristicChanged():
            return f"{event.characteristic} {event.before} to {event.after}"
        case records.CharacteristicKept():
            return f"{event.characteristic} kept at {event.value}"
        case records.SkillGained():
            return f"skill {event.skill}" + (f" against {event.against}" if event.against else "")
        case records.CapturePending():
            return f"captured by {event.captor}"
        case records.CriticalInjuryPending():
            return "critical"
        case records.FighterDied():
            return f"{event.fighter} dies"
        case records.ExperienceGained():
            return f"{event.fighter} +{event.amount} XP"
        case _:
            return ""


def recorded(event: records.Event, *, seq: int, entry: int, position: int, **more: Any) -> RecordedEvent:
    """An event as a log holds it, in the slot of its entry but for `more`."""
    envelope = {
        "slot": entry, "at": "2026-01-01T00:00:00Z", "actor": "arbitrator", "policy_version": "", "policy_digest": "",
        "causation": None,
    } | more  # fmt: skip
    return RecordedEvent(event=event, seq=seq, entry=entry, position=position, **envelope)  # type: ignore[arg-type]


def as_slots(entries: Iterable[tuple[records.Event, ...]]) -> tuple[Slot, ...]:
    """Entries as a log holds them."""
    seqs = count()
    return tuple(
        Slot(
            slot=entry,
            entry=entry,
            events=tuple(
                recorded(event, seq=next(seqs), entry=entry, position=position)
                for position, event in enumerate(events, start=1)
            ),
        )
        for entry, events in enumerate(entries, start=1)
    )


def everything_of(record: object) -> dict[str, object]:
    """A record's fields by name."""
    return {name: getattr(record, name) for name in names_of_fields(record)}


# --- whole seasons ---------------------------------------------------------------------------------------


def old_wound_that_returns() -> Table:
    """Five battles: Vex's Old Battle Wound acts up after the second and the fourth, so they miss the third and
    the fifth.
    """
    return (
        given(knobs={"convalescence.next_battle": "misses"})
        .when(out_of_action(VEX, by=MAGS), lasting(4, 1))
        .when(CLOSING)
        .when(opening(2))
        .when(CLOSING, old_wound(1))
        .when(opening(3, without=[VEX]))
        .when(CLOSING)
        .when(opening(4))
        .when(CLOSING, old_wound(1))
        .when(opening(5, without=[VEX]))
        .when(CLOSING)
    )
