"""Quarrels: seasons of disputes at any depth, rulings, rulings on rulings, roll backs and house rules between.

In half of them every fighter has random skills, and weapons with random traits.
After every step the state is that of a naive model which refolds everything, the boards are those of a rebuild,
`verify` is clean, a preview reported exactly what its ruling then did, and taking a ruling back gives the state
before it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence

from msgspec.json import encode
from msgspec.structs import asdict

from tracker.campaign import records
from tracker.campaign.evolve import fold, fold_in_place
from tracker.campaign.members import as_dict
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.rulings.entry_parts import EntryPart
from tracker.campaign.rulings.redecision import LOG_COMMANDS, Slot, roll_in_force
from tracker.campaign.state import CampaignState
from tracker.dice import D3, D66, TWO_D6
from tracker.errors import Refusal
from tracker.log.sealed_history import seal_history
from tracker.records import names_of_fields, replace
from tracker.service.amendments import NothingToAmend
from tracker.service.application import Tracker
from tracker.service.command_handler import CommandWithDice, RecordResult
from tracker.service.refusals import RulingBuiltUpon
from tracker.service.ruling_request import RulingRequest
from tracker.service.rulings import Preview

from . import club
from .affairs import affair
from .naive import Naive
from .runner import Run
from .skipped import note_touches, previewed_twice

STEPS = 40
FOR_THE_PREVIEW = (
    records.OpenBattle,
    records.CloseBattle,
    records.EnlistGang,
    records.RenameFighter,
    records.AdoptPolicy,
    records.RepealPolicy,
)
"""What a ruling makes of these no mark foretells: who is there, when battles are, house rules, names."""
AMENDED = (
    records.StateOutcome,
    records.ResolveHit,
    records.RollInjuryDice,
    records.PlayInTurn,
    records.Shoot,
)
"""What is amended here: what one did to another, and what has been added beside it."""
POLICIES = ("one-lasting-injury-roll@1", "older-injury-dice@1", "old-battle-wound-at-once@1")


def seasons(run: Run) -> None:
    """A season a round."""
    for dice in run.each_round():
        with (
            run.empty_folder() as folder,
            club.opened(club.sqlite(folder / "club.db"), seed=dice.randrange(10**9)) as tracker,
        ):
            season = Season(tracker, dice)
            for _ in range(STEPS):
                season.step()
            for what, count in season.counted.items():
                run.count(what, by=count)


def standing(state: CampaignState) -> CampaignState:
    """The state without what is said about it: disputes, and which slots and rulings were spoken of."""
    return replace(state, disputes={}, kept={}, rulings_taken_back=())


def differing(kept: CampaignState, replayed: CampaignState) -> dict[str, object]:
    """The parts of two states that are not equal."""
    pairs = {name: (getattr(kept, name), getattr(replayed, name)) for name in names_of_fields(kept)}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def differ_by_steps_only(played: Sequence[records.Event], by_now: Sequence[records.Event]) -> bool:
    """Whether only the word that a gang comes to a step differs: which entry says it moves nobody."""

    def rest(events: Sequence[records.Event]) -> list[records.Event]:
        return [
            event for event in events if not isinstance(event, (records.StepReached, records.PostBattleDone))
        ]

    return bool(by_now) and rest(played) == rest(by_now)


class Season:
    """One campaign, and its naive model."""

    def __init__(self, tracker: Tracker, dice: random.Random) -> None:
        self.tracker = tracker
        self.dice = dice
        self.armed = dice.random() < 0.5
        self.campaign = club.begin(tracker, armed=dice if self.armed else None)
        self.naive = Naive()
        self.seen = 0
        self.counted: Counter[str] = Counter()
        self.counted["armed seasons"] = int(self.armed)
        self.look()

    def step(self) -> None:
        """Something happens, and everything is looked at."""
        doing = self.dice.choices(
            [
                self.play,
                self.dispute,
                self.rule,
                self.take_back,
                self.roll_back,
                self.withdraw,
                self.house_rule,
                self.amend,
            ],
            weights=[12, 4, 5, 2, 1, 1, 1, 2],
        )[0]
        self.tried(doing)
        self.counted["steps"] += 1
        self.look()

    def tried(self, doing: Callable[[], None]) -> None:
        """What the rules or the state refuse leaves nothing."""
        before = self.tracker.repository.load(self.campaign)
        try:
            doing()
        except Refusal as refusal:
            if refusal.exit_code not in (1, 2):
                raise
            assert self.tracker.repository.load(self.campaign) == before, "what was refused left something"
            self.counted["refused"] += 1

    # --- what happens --------------------------------------------------------------------------------------

    def play(self) -> None:
        for _ in range(self.dice.randint(1, 4)):
            self.tried(self.play_on)

    def play_on(self) -> None:
        if not self.tracker.repository.state(self.campaign).gang_of:
            return  # a ruling struck both gangs: nobody is left to play
        key = f"play-{self.seen}-{self.dice.randrange(10**9)}"
        state = self.tracker.repository.state(self.campaign)
        if state.under_way is None and state.battles and self.dice.random() < 0.7:
            self.between_battles(state, key)
        elif state.under_way is not None and self.dice.random() < 0.1:
            # Evenings are short, so that a season has more than a few.
            self.tracker.commands.play(
                self.campaign, [CommandWithDice(command=records.CloseBattle(drawn=True))], key=key, roll=True
            )
        else:
            recorded = club.something(
                self.tracker, self.campaign, self.dice, key=key, rulings=False, armed=self.armed
            )
            if self.armed and recorded is not None:
                self.counted["recorded in armed seasons"] += 1

    def between_battles(self, state: CampaignState, key: str) -> None:
        command = affair(state, self.dice)
        self.tracker.commands.play(self.campaign, [CommandWithDice(command=command)], key=key, roll=True)
        self.counted[f"done: {type(command).__name__}"] += 1

    def house_rule(self) -> None:
        name = self.dice.choice(POLICIES)
        if self.dice.random() < 0.6:
            self.tracker.commands.adopt_policy(self.campaign, name, from_battle=None, reason="voted")
        else:
            self.tracker.commands.repeal_policy(self.campaign, name, from_battle=None, reason="voted")

    def dispute(self) -> None:
        live = list(self.tracker.repository.log.live(self.campaign))
        rolls = [recorded for recorded in live if isinstance(recorded.event, records.RollMade)]
        chance = self.dice.random()
        if rolls and chance < 0.6:
            address = self.dice.choice(rolls).address
        elif chance < 0.8:
            address = str(self.dice.randint(2, self.tracker.repository.store.head(self.campaign).entries))
        else:
            address = self.dice.choice(live).address
        self.tracker.disputes.open(self.campaign, address, reason="cocked", raised_by="Vic")
        self.counted["disputes"] += 1

    def withdraw(self) -> None:
        open_disputes = list(self.tracker.repository.state(self.campaign).disputes)
        if open_disputes:
            self.tracker.disputes.withdraw(
                self.campaign, str(self.dice.choice(open_disputes)), reason="never mind"
            )

    def rule(self) -> None:
        open_disputes = self.tracker.repository.state(self.campaign).disputes
        if not open_disputes:
            return
        dispute = self.dice.choice(list(open_disputes.values()))
        address = f"{dispute.target_entry}.{dispute.target_position}"
        event = self.tracker.repository.event_at(self.campaign, address).event
        self.ruled(str(dispute.dispute), self.answer(event))

    def answer(self, event: object) -> RulingRequest:
        strategy = self.dice.choice(["carry", "keep-later", "void-later"])
        verdict = self.dice.choice(["confirmed", "voided"])
        if isinstance(event, records.RollMade) and self.dice.random() < 0.8:
            verdict = self.dice.choice(["corrected", "corrected", "rerolled", "set"])
        elif self.dice.random() < 0.3:
            verdict = "reversed"
        faces = outcome = None
        if verdict in ("corrected", "rerolled") and isinstance(event, records.RollMade):
            faces = self.faces(event.die)
        elif verdict == "set" and isinstance(event, records.RollMade):
            outcome = self.dice.choice(["passed", "failed", "out_cold", "hobbled", "out_of_action", "wounds"])
        answer = RulingRequest(
            verdict=verdict, reason="seen", faces=faces, outcome=outcome, strategy=strategy
        )
        return self.letting_go(answer)

    def letting_go(self, answer: RulingRequest) -> RulingRequest:
        """Now and then with something that is kept let go as well."""
        kept = [*self.tracker.repository.state(self.campaign).kept]
        if not kept or answer.verdict == "confirmed" or self.dice.random() < 0.6:
            return answer
        self.counted["let go"] += 1
        return replace(answer, unkeep=(self.dice.choice(kept),))

    def faces(self, die: str) -> str:
        first, second = self.dice.randint(1, 6), self.dice.randint(1, 6)
        return {D66: f"{first}-{second}", TWO_D6: f"{first}+{second}", D3: str((first + 1) // 2)}.get(
            die, str(first)
        )

    def roll_back(self) -> None:
        state, entries = (
            self.tracker.repository.state(self.campaign),
            self.tracker.repository.store.head(self.campaign).entries,
        )
        if state.battles and self.dice.random() < 0.6:
            slots = self.tracker.rulings.slots_of_battle(self.campaign, self.dice.choice(list(state.battles)))
        else:
            slots = self.tracker.rulings.slots_after(
                self.campaign, self.dice.randint(max(3, entries - 20), entries)
            )
        answer = RulingRequest(
            verdict="rolled_back",
            reason="wrong",
            void=slots,
            strategy=self.dice.choice(["carry", "keep-later", "void-later"]),
        )
        before = self.tracker.repository.state(self.campaign)
        if self.ruled(None, self.letting_go(answer)) and self.dice.random() < 0.5:
            self.undone(before)

    def amend(self) -> None:
        """Somebody else stood there, or did it, or something was forgotten; half the time it is taken back at
        once."""
        state = self.tracker.repository.state(self.campaign)
        live = list(self.tracker.repository.log.live(self.campaign))
        headers = [recorded for recorded in live if isinstance(recorded.event, records.DecisionTaken)]
        named = [recorded for recorded in headers if isinstance(recorded.event.command, AMENDED)]  # type: ignore[union-attr]
        if not named:
            return
        place = self.dice.choice(named)
        recorded = self.tracker.amendments.recorded(self.campaign, place.slot)
        fighter = self.dice.choice([*state.gang_of])
        key = self.dice.choice(["attacker", "target", "besides"])
        part = self.dice.randint(1, len(recorded.parts))
        try:
            if key == "besides":
                forgotten = records.AwardExperience(fighter=fighter, amount=1, reason="forgotten")
                made = self.tracker.amendments.beside(recorded, [EntryPart(command=forgotten)])
            else:
                command = recorded.part(part).command
                if isinstance(command, records.AwardExperience):
                    key = "fighter"
                command = replace(command, **{key: fighter})
                made = self.tracker.amendments.of_entry(recorded, command, part=part)
        except NothingToAmend:
            return
        answer = RulingRequest(
            verdict="amended",
            reason="typed wrong",
            outcome=f"entry {place.slot}, {key} {fighter}",
            amended={place.slot: made.amendment},
            strategy=self.dice.choice(["carry", "keep-later", "void-later"]),
        )
        if self.ruled(None, self.letting_go(answer)) and self.dice.random() < 0.5:
            self.undone(state)

    def take_back(self) -> None:
        rulings = [*self.naive.rulings]
        if not rulings:
            return
        number = self.dice.choice([rulings[-1], self.dice.choice(rulings)])
        before = self.tracker.repository.state(self.campaign)
        try:
            done = self.ruled(None, RulingRequest(verdict="reversed", reverses=number, reason="no"))
        except RulingBuiltUpon:
            self.counted["built upon"] += 1
            raise
        if done and number in before.rulings_taken_back:
            raise AssertionError("a ruling was taken back twice")
        if done and self.dice.random() < 0.5:
            self.undone(before)

    def undone(self, before: CampaignState) -> None:
        """The last ruling is taken back at once, and everything is as it was before it."""
        number = self.tracker.repository.store.head(self.campaign).entries
        self.look()
        # Nothing comes between, so nothing is left to be settled.
        self.tracker.rulings.rule(
            self.campaign, None, RulingRequest(verdict="reversed", reverses=number, reason="no")
        )
        after = self.tracker.repository.state(self.campaign)
        assert standing(after) == standing(before), "what was taken back left something"
        assert after.kept == before.kept, "other entries are kept than before"
        assert {*after.rulings_taken_back} == {*before.rulings_taken_back, number}
        assert after.disputes == before.disputes
        self.counted["taken back at once"] += 1

    def ruled(self, name: str | None, answer: RulingRequest) -> bool:
        """Preview and rule, speaking for whatever is left open; False when that has no end."""
        for turn in range(40):
            listed = previewed_twice(self.tracker, self.campaign, name, answer, self.dice)
            self.counted["entries skipped"] += listed.redecision.skipped
            # Else more is struck than what was disputed.
            if turn == 0 and answer.strategy == "carry" and not answer.unkeep:
                self.was_marked(listed, answer)
            left = listed.redecision.unsettled
            if not left:
                done = self.tracker.rulings.rule(self.campaign, name, answer, expected_head=listed.head_size)
                self.does_as_previewed(listed, done)
                self.counted[f"ruled: {answer.verdict}"] += 1
                return True
            try:
                self.tracker.rulings.rule(self.campaign, name, answer)
            except records.RulingIncomplete:
                pass
            else:
                raise AssertionError("a ruling was made that leaves something open")
            answer = self.spoken_for(answer, left[0].slot.slot, listed)
        return False

    def spoken_for(self, answer: RulingRequest, slot: int, preview: Preview) -> RulingRequest:
        needed = preview.redecision.unsettled[0].needed
        if needed is not None and self.dice.random() < 0.7:
            more = (needed.purpose, self.faces(needed.die))
            supplied = {**answer.supplied, slot: [*answer.supplied.get(slot, ()), more]}
            return replace(answer, supplied=supplied)
        if slot not in (*answer.keep, *answer.amended) and self.dice.random() < 0.5:
            return replace(answer, keep=(*answer.keep, slot))
        supplied = {place: dice for place, dice in answer.supplied.items() if place != slot}
        kept = tuple(kept_slot for kept_slot in answer.keep if kept_slot != slot)
        amended = {place: amendment for place, amendment in answer.amended.items() if place != slot}
        answer = replace(answer, amended=amended)
        return replace(answer, void=(*answer.void, slot), keep=kept, supplied=supplied)

    def was_marked(self, preview: Preview, answer: RulingRequest) -> None:
        """Whatever a ruling on a dispute changes was marked while it was open, but for what the preview tells."""
        number = preview.dispute.dispute
        if not number:
            return
        if answer.verdict == "reversed" and preview.dispute.target_slot != preview.dispute.target_entry:
            return  # disputed was one thing that a ruling had decided again, and all of the ruling goes
        disputed = self.tracker.disputes.slot_now(self.campaign, preview.dispute.target_slot)
        touched: list[object] = [*disputed.domain_events]
        for redecided in preview.redecision.slots:
            touched += [*redecided.slot.domain_events, *(decided.event for decided in redecided.fill or ())]
        headers = [event for event in touched if isinstance(event, records.DecisionTaken)]
        if any(isinstance(header.command, FOR_THE_PREVIEW) for header in headers):
            return
        pending = self.tracker.boards.pending(self.campaign)
        marked = {dependent.event.slot for dependent in pending.dependents if dependent.dispute == number}
        for redecided in preview.redecision.slots:
            if redecided.result in ("changed", "refused", "needs_dice"):
                by_now = [decided.event for decided in redecided.fill or ()]
                assert redecided.slot.slot in marked or differ_by_steps_only(
                    redecided.slot.domain_events, by_now
                ), (
                    f"entry {redecided.slot.slot} rests on {preview.dispute} and was not marked: {redecided.result} {redecided.why}"
                    f" {redecided.slot.domain_events} {by_now}"
                )
                self.counted["marked"] += 1

    def does_as_previewed(self, preview: Preview, done: RecordResult) -> None:
        """The ruling did what its preview reported, slot by slot."""
        assert done.state == preview.after, "the preview said something else"
        (entry,) = done.entries
        number = entry[0].entry
        written: dict[int, list[object]] = {}
        for recorded in entry:
            if recorded.slot != number:
                written.setdefault(recorded.slot, []).append(recorded.event)
        promised = {
            redecided.slot.slot: None
            if redecided.fill is None
            else [decided.event for decided in redecided.fill]
            for redecided in preview.redecision.slots
            if redecided.fill is not None or redecided.result == "voided"
        }
        assert set(written) == set(promised), "other slots were written than the preview said"
        for slot, events in promised.items():
            assert events is None or written[slot] == events, f"slot {slot} is not as the preview said"

    # --- what holds ----------------------------------------------------------------------------------------

    def look(self) -> None:
        """Everything that must hold, after every step."""
        self.follow()
        head, state = self.tracker.repository.load(self.campaign)
        live = fold(
            CampaignState(), (recorded.event for recorded in self.tracker.repository.log.live(self.campaign))
        )
        assert live == state, f"the state is not what the log adds up to: {differing(live, state)}"
        assert standing(self.naive.state) == standing(state), "the naive model differs"
        assert self.naive.kept == state.kept, "the naive model keeps other entries"
        pending = self.tracker.boards.pending(self.campaign)
        assert {row["dispute"] for row in pending.disputes} == {*state.disputes}
        assert pending.events <= {
            recorded.seq for recorded in self.tracker.repository.log.live(self.campaign)
        }, "struck, and pending"
        audit = self.tracker.audit.verify(self.campaign)
        assert audit.ok, audit
        assert head.entries >= self.seen
        self.from_segments(head.entries)
        self.counted["blocks of touches"] += note_touches(self.tracker, self.campaign, self.dice)

    def from_segments(self, entries: int) -> None:
        """Sealed now and then, history reads as it does from the rows, as any entry knew it: rulings made
        before and after the sealing are in it.
        """
        repository = self.tracker.repository
        if self.dice.random() < 0.3:
            wanted = self.dice.choice((1, 5, 20))
            seal_history(repository.engine, self.campaign, repository.codec, moving_events=wanted)
        through = self.dice.randint(1, entries)
        after = self.dice.choice((0, self.dice.randint(0, through)))
        for where in ({"after_slot": after, "as_of_entry": through}, {"after_slot": after}):
            from_rows = list(repository.log.moving(self.campaign, **where))
            sealed = list(repository.sealed.moving(self.campaign, worth_asking=0, **where))
            assert [asdict(event) for event in sealed] == [asdict(event) for event in from_rows]
            assert all(map(isinstance, sealed, map(type, from_rows)))
        state = repository.state(self.campaign, as_of_entry=through)
        in_place = fold_in_place(
            CampaignState(), repository.sealed.moving(self.campaign, as_of_entry=through, worth_asking=0)
        )
        assert encode(in_place, enc_hook=as_dict) == encode(state, enc_hook=as_dict), differing(
            in_place, state
        )

    def follow(self) -> None:
        """The naive model plays what was recorded since it last looked."""
        entries = self.tracker.repository.store.head(self.campaign).entries
        for number in range(self.seen + 1, entries + 1):
            entry = self.tracker.repository.log.entry(self.campaign, number)
            header = entry[0].event
            assert isinstance(header, records.DecisionTaken), "an entry begins with its header"
            if isinstance(header.command, records.RuleOnDispute):
                slot, place = self._about(header.command, number)
                self.naive.rule(number, header.command, slot, place)
            elif not isinstance(header.command, LOG_COMMANDS):
                self.naive.play(number, header.command, (*header.dice, *header.spare), header.note)
        self.seen = entries

    def _about(self, command: records.RuleOnDispute, ruling: int) -> tuple[int, int | None]:
        """The slot of the dispute that was ruled on, and its die's place there before the ruling."""
        if not command.dispute or command.faces is None:
            return 0, None
        disputed = next(
            recorded.event
            for recorded in self.tracker.repository.log.entry(self.campaign, command.dispute)
            if isinstance(recorded.event, records.RollDisputed)
        )
        target = self.tracker.repository.event_at(
            self.campaign, f"{disputed.target_entry}.{disputed.target_position}"
        )
        fillings = [
            filling
            for filling in self.tracker.repository.log.fillings(self.campaign, target.slot)
            if filling[0].entry < ruling
        ]
        filled: tuple[RecordedEvent, ...] = fillings[-1]
        found = roll_in_force(Slot(slot=target.slot, entry=filled[0].entry, events=filled), target)
        assert found is not None, "the disputed die lay there"
        return target.slot, found[0]
