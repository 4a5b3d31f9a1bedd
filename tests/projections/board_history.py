"""A small campaign for the boards' tests: events by hand, entries and rulings, and the boards kept along.

Knows no decider: what is written here need not follow from any rule.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from scenario import ORDINARY, recorded
from sqlalchemy import Connection, Engine, StaticPool, create_engine, select

from tracker import schema
from tracker.campaign import records
from tracker.campaign.evolve import evolve
from tracker.campaign.profiles import Characteristics
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.state import CampaignState
from tracker.dice import Die
from tracker.projections import board_diff, boards
from tracker.records import replace

CAMPAIGN = "c1"
SLUG = "underhive"
CREATED_AT = "2026-01-02T03:04:05Z"

HAWKS, RATS = "hawks", "rats"
KRUG, VEX, MAGS = "krug", "vex", "mags"

CARD = Characteristics(**ORDINARY)


def enlisted(fighter: str, gang: str, *, cost_credits: int = 50) -> records.FighterEnlisted:
    return records.FighterEnlisted(
        fighter=fighter,
        gang=gang,
        name=fighter.title(),
        category="ganger",
        kind="Gunner",
        cost_credits=cost_credits,
        characteristics=CARD,
    )


def gang_enlisted(gang: str) -> records.GangEnlisted:
    return records.GangEnlisted(
        gang=gang, name=gang.title(), house="orlock", player="Vic", credits=100, reputation=1
    )


def roll(fighter: str, *faces: int, purpose: str = "wound", number: int = 0) -> records.RollMade:
    return records.RollMade(
        number=number,
        purpose=purpose,
        die="D6" if len(faces) == 1 else "D66",
        faces=faces,
        symbol=None,
        source="typed",
        fighter=fighter,
        rolled_by=None,
        modifiers=(records.Modifier(why="cover", by=-1),),
        target=4,
        passed=faces[0] >= 4,
        outcome="wounded",
        section="Resolve Hits",
    )


def injured(
    fighter: str, *, by: str | None = None, battle_number: int | None = 1
) -> records.LastingInjurySuffered:
    return records.LastingInjurySuffered(
        fighter=fighter,
        by=by,
        table="lasting_injuries",
        cell="46",
        injury="hobbled",
        name="Hobbled",
        counts_as=None,
        occurrence=1,
        within=None,
        battle=battle_number,
        section="Lasting Injuries",
    )


def out_of_action(fighter: str, *, by: str | None = None) -> records.FighterWentOutOfAction:
    return records.FighterWentOutOfAction(
        fighter=fighter, by=by, reason="injury_dice", out_of_action_dice=1, lasting_injury_rolls=1
    )


def xp(fighter: str, amount: int = 1) -> records.ExperienceGained:
    return records.ExperienceGained(fighter=fighter, amount=amount, reason="took part")


def fold(state: CampaignState, event: records.Event) -> CampaignState:
    """`evolve`, but for events about fighters that a ruling of these tests removed."""
    known = {*state.gang_of, None}
    if isinstance(event, records.FighterEnlisted):
        return evolve(state, event) if event.gang in state.gangs else state
    if isinstance(event, records.BattleOpened):
        crews = {gang: crew for gang, crew in event.crews.items() if gang in state.gangs and known >= {*crew}}
        return evolve(state, replace(event, crews=crews))
    if getattr(event, "fighter", None) not in known:
        return state
    return evolve(state, event)


def boards_database() -> Engine:
    engine = create_engine("sqlite://", poolclass=StaticPool)
    schema.metadata.create_all(engine, tables=boards.BOARDS)
    return engine


def board_rows(connection: Connection) -> dict[str, list[tuple[object, ...]]]:
    """Everything that stands on the boards, byte for byte."""
    return {
        table.name: sorted(tuple(row) for row in connection.execute(select(table))) for table in boards.BOARDS
    }


@dataclass
class History:
    """A log in memory whose boards are kept by `boards.update`, as the service keeps them."""

    connection: Connection
    campaign: str = CAMPAIGN
    slots: dict[int, list[RecordedEvent]] = field(default_factory=dict)
    out: list[RecordedEvent] = field(default_factory=list)
    entry: int = 0
    seq: int = -1
    state: CampaignState = field(default_factory=CampaignState)

    # --- playing

    def judged(self, *events: records.Event) -> int:
        """An entry as it was decided, header first."""
        self.entry += 1
        self._append([(self.entry, event) for event in events])
        return self.entry

    def play(self, command: records.Command, *events: records.Event) -> int:
        return self.judged(records.DecisionTaken(command=command), *events)

    def open_campaign(self) -> int:
        opened = records.CampaignOpened(name="Underhive", slug=SLUG, book="necromunda_2023")
        return self.play(records.OpenCampaign(name="Underhive", slug=SLUG, book="necromunda_2023"), opened)

    def enlist(self, gang: str, *fighters: str) -> int:
        command = records.EnlistGang(
            gang=gang, name=gang.title(), house="orlock", player="Vic", credits=100, reputation=1, fighters=()
        )
        return self.play(command, gang_enlisted(gang), *(enlisted(fighter, gang) for fighter in fighters))

    def open_battle(self, battle: str, crews: Mapping[str, tuple[str, ...]]) -> int:
        number = len(self.state.battles) + 1
        opened = records.BattleOpened(
            battle=battle, number=number, scenario="Sump Raid", date="2026-01-03", crews=dict(crews)
        )
        command = records.OpenBattle(
            battle=battle, scenario="Sump Raid", date="2026-01-03", crews=dict(crews)
        )
        return self.play(command, opened)

    def close_battle(self, battle: str, *, winner: str | None = None) -> int:
        closed = records.BattleClosed(battle=battle, winner=winner, drawn=winner is None)
        return self.play(records.CloseBattle(winner=winner, drawn=winner is None), closed)

    def award(self, fighter: str, amount: int = 1) -> int:
        return self.play(
            records.AwardExperience(fighter=fighter, amount=amount, reason="took part"), xp(fighter, amount)
        )

    def hit(self, fighter: str, *events: records.Event) -> int:
        return self.play(records.RollInjuryDice(target=fighter, injury_dice=1, why="a hit"), *events)

    def first_battle(self, *, winner: str) -> None:
        """Two gangs, Vex enlisted before Krug; Mags is hurt in entry 5, and the battle is closed in entry 6."""
        self.open_campaign()
        self.enlist(HAWKS, VEX, KRUG)
        self.enlist(RATS, MAGS)
        self.open_battle("b1", {HAWKS: (KRUG, VEX), RATS: (MAGS,)})
        self.hit(MAGS, roll(MAGS, 5), out_of_action(MAGS, by=KRUG), injured(MAGS, by=KRUG), xp(KRUG, 2))
        self.close_battle("b1", winner=winner)

    def retire(self, fighter: str, *events: records.Event) -> int:
        return self.play(records.RetireFighter(fighter=fighter, reason="moved away"), *events)

    def dispute(self, slot: int) -> int:
        target = self.slots[slot][-1]
        stated = {
            "target_seq": target.seq,
            "target_entry": target.entry,
            "target_position": target.position,
            "target_slot": slot,
            "raised_by": "Vic",
            "reason": "cocked die",
        }
        command = records.DisputeRoll(**stated)  # type: ignore[arg-type]
        disputed = records.RollDisputed(dispute=self.entry + 1, **stated)  # type: ignore[arg-type]
        return self.play(command, disputed)

    def rule(
        self,
        dispute: int,
        *,
        again: Mapping[int, tuple[records.Event, ...]] | None = None,
        void: Iterable[int] = (),
        keep: Iterable[int] = (),
        words_on_their_slots: bool = True,
    ) -> int:
        """A ruling. Words on slots (void, kept) are stamped with those slots, or with the ruling's own."""
        self.entry += 1
        command = records.RuleOnDispute(dispute=dispute, verdict="corrected", reason="seen by all")
        disputed = Die(purpose="wound", die="D6", faces=(5,))
        ruling = records.RulingMade(
            dispute=dispute, verdict="corrected", reason="seen by all", before=disputed
        )
        stamped: list[tuple[int, records.Event]] = [
            (self.entry, records.DecisionTaken(command=command)),
            (self.entry, ruling),
        ]
        for slot, events in (again or {}).items():
            header = self.slots[slot][0].event
            stamped += [(slot, header), *((slot, event) for event in events)]
        for slot in void:
            voided = records.SlotVoided(voided_slot=slot, reason="never happened")
            stamped.append((slot if words_on_their_slots else self.entry, voided))
        stamped += [(self.entry, records.SlotKept(kept_slot=slot, reason="as played")) for slot in keep]
        self._append(stamped)
        return self.entry

    # --- reading

    def live(self) -> Iterator[RecordedEvent]:
        for slot in sorted(self.slots):
            yield from self.slots[slot]

    def struck(self) -> Iterator[RecordedEvent]:
        yield from self.out

    def rebuild_into(self, connection: Connection) -> CampaignState:
        return boards.rebuild(
            connection,
            self.campaign,
            live=self.live(),
            struck=self.struck(),
            fold=fold,
            slug=SLUG,
            created_at=CREATED_AT,
        )

    def differences(self, connection: Connection | None = None) -> list[str]:
        rebuild = partial(
            boards.rebuild,
            live=self.live(),
            struck=self.struck(),
            fold=fold,
            slug=SLUG,
            created_at=CREATED_AT,
        )
        return board_diff.differences(
            self.connection if connection is None else connection, self.campaign, rebuild=rebuild
        )

    # --- the log

    def _append(self, stamped: list[tuple[int, records.Event]]) -> None:
        at = f"2026-01-{self.entry % 28 + 1:02d}T20:00:00Z"
        book = {"policy_version": "necromunda_2023", "policy_digest": "d" * 8}
        entry = [
            recorded(
                event,
                seq=self.seq + position,
                entry=self.entry,
                position=position,
                slot=slot,
                at=at,
                actor="vic",
                **book,
            )
            for position, (slot, event) in enumerate(stamped, start=1)
        ]
        self.seq += len(entry)
        before = self.state
        self._file(entry)
        if all(
            recorded.slot == recorded.entry and not isinstance(recorded.event, records.SlotVoided)
            for recorded in entry
        ):
            for event in entry:
                self.state = fold(self.state, event.event)
        else:
            self.state = CampaignState()
            for event in self.live():
                self.state = fold(self.state, event.event)
        boards.update(
            self.connection,
            self.campaign,
            before=before,
            after=self.state,
            recorded=entry,
            created_slug=SLUG if self.entry == 1 else None,
            created_at=CREATED_AT,
        )

    def _file(self, recorded: list[RecordedEvent]) -> None:
        replaced = {event.slot for event in recorded if event.slot != event.entry}
        replaced |= {
            recorded.event.voided_slot
            for recorded in recorded
            if isinstance(recorded.event, records.SlotVoided)
        }
        for slot in replaced:
            self.out += self.slots.pop(slot, [])
        for event in recorded:
            self.slots.setdefault(event.slot, []).append(event)
