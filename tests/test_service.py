"""The application service: what is played once, believed at every moment, ruled on and proved, on both engines."""

import os
import random
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import forked
import pytest
from scenario import CLOSING, DOT, KRUG, MAGS, SAINTS, SKULLS, VEX, card, enlist, hit, injuries, out_of_action

from tracker.campaign import records
from tracker.campaign.evolve import fold
from tracker.campaign.state import CampaignState
from tracker.dice import D66, DiceLeftOver
from tracker.errors import Refusal, Stale
from tracker.log import database
from tracker.log.refusals import CommandKeyReused
from tracker.records import replace
from tracker.service import repository
from tracker.service.application import Tracker
from tracker.service.command_handler import CommandWithDice, RecordResult
from tracker.service.refusals import PreviewStale
from tracker.service.ruling_request import RulingRequest
from tracker.service.snapshots import fingerprint

FIGHTERS = {SKULLS: (KRUG, VEX, "ash", "bolt"), SAINTS: (MAGS, DOT, "cinder", "soot")}
EVERYBODY = [fighter for crew in FIGHTERS.values() for fighter in crew]


def tracker_on(url: str, *, seed: int = 0, actor: str = "dana") -> Tracker:
    """A tracker with a clock that stands still and dice that fall the same every time."""
    dice = random.Random(seed)
    return Tracker(
        url, actor=actor, clock=lambda: "2026-01-01T20:00:00Z", roller=lambda sides: dice.randint(1, sides)
    )


def begin(tracker: Tracker, *, policies: tuple[str, ...] = ()) -> str:
    """A campaign of two gangs of four."""
    played = tracker.commands.open_campaign(
        name="Ash Wastes", slug="ash-wastes", book="necromunda_2023", preset=None, policies=policies
    )
    for gang, names in FIGHTERS.items():
        cards = (card(name, category="ganger") for name in names)
        gang_of_four = enlist(gang, *cards, player="Vic", reputation=0)
        tracker.commands.play(played.campaign, [CommandWithDice(command=gang_of_four)], key=f"gang:{gang}")
    return played.campaign


def battle(name: str, *commands: records.Command) -> list[CommandWithDice]:
    """A battle with everybody who is available."""
    opening = records.OpenBattle(
        battle=name, scenario="Ambush", date="2026-01-01", crews={SKULLS: (), SAINTS: ()}
    )
    return [CommandWithDice(command=one) for one in (opening, *commands, CLOSING)]


@pytest.fixture
def tracker() -> Iterator[Tracker]:
    opened = tracker_on("sqlite://")
    yield opened
    opened.close()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database that several trackers and processes can open."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'campaigns.db'}"
    address: str = request.getfixturevalue("postgres_at_head")
    return address


@pytest.fixture
def trackers(url: str) -> Iterator[Callable[..., Tracker]]:
    """Opens trackers on one database, and closes them."""
    opened: list[Tracker] = []

    def another(seed: int = 0) -> Tracker:
        opened.append(tracker_on(url, seed=seed))
        return opened[-1]

    yield another
    for one in opened:
        one.close()


def sound(tracker: Tracker, campaign: str) -> None:
    """Everything that must hold, holds."""
    found = tracker.audit.verify(campaign)
    assert found.ok, found


# --- once, and only once ---------------------------------------------------------------------------------


def interrupted(step: Callable[..., object], by: Callable[[], object]) -> Callable[..., object]:
    """The step, but the first time somebody else writes just before it."""
    left = [by]

    def late(*args: object, **more: object) -> object:
        if left:
            left.pop()()
        return step(*args, **more)

    return late


def overtake(tracker: Tracker, by: Callable[[], object]) -> None:
    """Let somebody else write after this tracker has looked, just before it takes its turn, or sends what it
    has decided.
    """
    turn = "single_message_append" if tracker.engine.dialect.name == "postgresql" else "exclusively"
    setattr(tracker.repository.store, turn, interrupted(getattr(tracker.repository.store, turn), by))


def test_who_was_overtaken_decides_once_and_on_what_is_there(trackers: Callable[..., Tracker]) -> None:
    mine, other = trackers(seed=1), trackers(seed=2)
    campaign = begin(mine)
    rolled: list[int] = []

    def counted(sides: int) -> int:
        rolled.append(sides)
        return 6

    mine.commands.roller = counted
    rename = records.RenameFighter(fighter=KRUG, name="Ash")
    overtake(mine, lambda: other.commands.play(campaign, [CommandWithDice(command=rename)]))
    played = mine.commands.play(
        campaign, battle("b1", injuries(VEX, dice=1, by=MAGS)), key="battle:b1", roll=True
    )
    assert rolled == [6, 6, 6]
    rolls = [recorded.event for recorded in played.entries[1] if isinstance(recorded.event, records.RollMade)]
    assert [roll.faces for roll in rolls] == [(6,), (6, 6)]
    assert played.state.fighter(KRUG).name == "Ash"  # type: ignore[union-attr]
    assert other.repository.state(campaign) == played.state
    sound(other, campaign)


def test_who_decides_lets_the_others_wait(
    trackers: Callable[..., Tracker], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_MILLISECONDS", 200)
    mine, other = trackers(), trackers()
    campaign = begin(mine)
    rename = CommandWithDice(command=records.RenameFighter(fighter=KRUG, name="Ash"))
    for tracker in (other, mine):
        tracker.commands.play(campaign, [rename])  # who knows of nobody else locks nothing while deciding
    waited: list[Stale] = []

    def rename_or_wait() -> None:
        try:
            other.commands.play(campaign, [rename])
        except Stale as busy:
            waited.append(busy)

    mine.repository.append_within = interrupted(mine.repository.append_within, rename_or_wait)  # type: ignore[method-assign, assignment]
    played = mine.commands.play(campaign, battle("b1"), key="battle:b1")
    assert len(waited) == 1, "it waited, and in vain"
    assert other.repository.state(campaign) == played.state
    other.commands.play(campaign, [rename])
    sound(other, campaign)


def test_the_same_command_again_finds_its_first_answer(trackers: Callable[..., Tracker]) -> None:
    first, second = trackers(seed=1), trackers(seed=2)
    campaign = begin(first)
    plans = battle("b1", injuries(VEX, dice=1, by=MAGS))
    played = first.commands.play(campaign, plans, key="battle:b1", roll=True)
    size = first.repository.store.head(campaign).size
    again = second.commands.play(campaign, plans, key="battle:b1", roll=True)
    assert (again.repeated, again.entries, again.state) == (True, played.entries, played.state)
    assert first.repository.store.head(campaign).size == size


def test_the_same_command_at_the_same_moment_has_one_answer(trackers: Callable[..., Tracker]) -> None:
    mine, other = trackers(seed=1), trackers(seed=2)
    campaign = begin(mine)
    plans = battle("b1", injuries(VEX, dice=2, by=MAGS), injuries(MAGS, dice=2, by=VEX))
    answers: list[RecordResult] = []
    overtake(mine, lambda: answers.append(other.commands.play(campaign, plans, key="battle:b1", roll=True)))
    played = mine.commands.play(campaign, plans, key="battle:b1", roll=True)
    assert (played.repeated, played.entries, played.state) == (True, answers[0].entries, answers[0].state)
    sound(mine, campaign)


def test_another_command_under_the_same_key_is_refused_even_in_a_race(
    trackers: Callable[..., Tracker],
) -> None:
    mine, other = trackers(), trackers()
    campaign = begin(mine)
    award = records.AwardExperience(fighter=KRUG, amount=1, reason="x")
    overtake(mine, lambda: other.commands.play(campaign, [CommandWithDice(command=award)], key="one"))
    with pytest.raises(CommandKeyReused):
        mine.commands.play(
            campaign, [CommandWithDice(command=records.RenameFighter(fighter=KRUG, name="Ash"))], key="one"
        )
    assert mine.repository.state(campaign) == other.repository.state(campaign)


def test_the_same_ruling_at_the_same_moment_is_made_once(trackers: Callable[..., Tracker]) -> None:
    mine, other = trackers(), trackers()
    campaign, _, ruling = disputed(mine)
    answers: list[RecordResult] = []
    mine.repository.append = interrupted(  # type: ignore[method-assign, assignment]
        mine.repository.append,
        lambda: answers.append(other.rulings.rule(campaign, ruling, RulingRequest(verdict="voided"))),
    )
    played = mine.rulings.rule(campaign, ruling, RulingRequest(verdict="voided"))
    assert played.repeated
    assert played.entries == answers[0].entries
    sound(mine, campaign)


def test_a_plan_refused_in_the_middle_leaves_nothing(tracker: Tracker) -> None:
    campaign = begin(tracker)
    before = tracker.repository.store.head(campaign)
    with pytest.raises(Refusal):
        tracker.commands.play(campaign, battle("b1", injuries(VEX, dice=1), hit("nobody")), roll=True)
    assert tracker.repository.store.head(campaign) == before
    assert tracker.audit.board_differences(campaign) == []


def test_threads_that_record_at_once_all_get_in(trackers: Callable[..., Tracker]) -> None:
    campaign = begin(trackers())
    wrong: list[BaseException] = []

    def record(writing: Tracker, writer: int) -> None:
        try:
            for number in range(3):
                writing.commands.play(
                    campaign,
                    [
                        CommandWithDice(
                            command=records.AwardExperience(
                                fighter=KRUG, amount=1, reason=f"{writer}.{number}"
                            )
                        )
                    ],
                )
        except Refusal as refusal:  # pragma: no cover  # checked below
            wrong.append(refusal)

    threads = [threading.Thread(target=record, args=(trackers(seed=writer), writer)) for writer in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    fresh = trackers()
    assert fresh.repository.state(campaign).fighter(KRUG).experience == 9  # type: ignore[union-attr]
    assert fresh.repository.store.head(campaign).entries == 3 + 9
    sound(fresh, campaign)


REPORT = """\
format: battle-report/1
battle: b{number}
scenario: Ambush
date: 2026-01-01
gangs: {{skulls: [krug, vex], saints: [mags, dot]}}
entries:
  - flesh_wound: {{fighter: vex}}
  - experience: {{fighter: krug, amount: {number}, reason: stood}}
result: {{draw: true}}
"""


def test_processes_that_record_at_once_leave_no_gap(
    url: str, trackers: Callable[..., Tracker], tmp_path: Path
) -> None:
    campaign = begin(trackers())
    files = [tmp_path / f"b{number}.yaml" for number in range(1, 5)]
    for number, file in enumerate(files, start=1):
        file.write_text(REPORT.format(number=number))
    words = [["--db", url, "battle", "record", str(file)] for file in files]
    processes = [forked.command(each, os.environ) for each in words]
    assert [(done.returncode, done.stderr) for done in (each.ended() for each in processes)] == [(0, b"")] * 4
    fresh = trackers()
    head, state = fresh.repository.load(campaign)
    assert head.entries == 3 + 4 * 4
    assert sorted(state.battles) == ["b1", "b2", "b3", "b4"]
    assert sorted(state.battles.values()) == [1, 2, 3, 4]
    assert state.fighter(KRUG).experience == 1 + 2 + 3 + 4  # type: ignore[union-attr]
    assert [one.seq for one in fresh.repository.store.read(campaign)] == list(range(head.size))
    sound(fresh, campaign)


# --- rulings ---------------------------------------------------------------------------------------------


def disputed(tracker: Tracker) -> tuple[str, str, str]:
    """Vex goes Out of Action by a 6; that die is disputed. The campaign, the event, the dispute."""
    campaign = begin(tracker)
    tracker.commands.roller = lambda _: 6
    tracker.commands.play(campaign, battle("b1", injuries(VEX, dice=1, by=MAGS)), key="battle:b1", roll=True)
    played = tracker.disputes.open(campaign, "5.2", reason="cocked", raised_by="Vic")
    return campaign, "5.2", str(played.entries[0][0].entry)


def test_a_ruling_does_exactly_what_its_preview_shown(tracker: Tracker) -> None:
    campaign, _, dispute = disputed(tracker)
    answer = RulingRequest(verdict="corrected", faces="1")
    listed = tracker.rulings.preview(campaign, dispute, answer)
    assert listed.before == tracker.repository.state(campaign)
    done = tracker.rulings.rule(campaign, dispute, answer, expected_head=listed.head_size)
    assert without_disputes(done.state) == without_disputes(listed.after)
    assert done.state.fighter(VEX).standing == "enlisted"  # type: ignore[union-attr]


def test_a_ruling_on_an_older_preview_is_stale(tracker: Tracker) -> None:
    campaign, _, dispute = disputed(tracker)
    listed = tracker.rulings.preview(campaign, dispute, RulingRequest(verdict="voided"))
    tracker.commands.play(
        campaign, [CommandWithDice(command=records.RenameFighter(fighter=KRUG, name="Ash"))]
    )
    with pytest.raises(PreviewStale):
        tracker.rulings.rule(
            campaign, dispute, RulingRequest(verdict="voided"), expected_head=listed.head_size
        )


def test_a_die_that_stays_unasked_for_is_refused(tracker: Tracker) -> None:
    campaign, _, dispute = disputed(tracker)
    answer = RulingRequest(verdict="corrected", faces="1", supplied={5: [("wound", "4")]})
    with pytest.raises(DiceLeftOver):
        tracker.rulings.rule(campaign, dispute, answer)


def test_snapshots_after_a_changed_slot_are_dropped(
    tracker: Tracker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repository, "EVERY_ENTRIES", 1)
    campaign, _, dispute = disputed(tracker)
    tracker.commands.play(campaign, battle("b2", out_of_action(DOT, by=KRUG)), roll=True)
    tracker.rulings.rule(campaign, dispute, RulingRequest(verdict="corrected", faces="1"))
    ruled = tracker.repository.store.head(campaign).entries
    kept = [
        entry
        for entry in range(1, ruled + 1)
        if (found := tracker.repository.store.nearest_snapshot(campaign, fingerprint(), at_most_entry=entry))
        and found[0] == entry
    ]
    assert kept
    assert all(entry < 5 or entry == ruled for entry in kept)


# --- a season of everything --------------------------------------------------------------------------------


def without_disputes(state: CampaignState) -> CampaignState:
    return replace(state, disputes={})


class Season:
    """A random campaign, played through one tracker; after every entry it is remembered what was believed."""

    def __init__(self, tracker: Tracker, seed: int) -> None:
        self.tracker = tracker
        self.dice = random.Random(seed)
        self.campaign = begin(tracker)
        self.believed: dict[int, CampaignState] = {}
        self.battles = 0
        self.rulings = 0
        self.remember()

    def remember(self) -> None:
        """What stands now, and that everything on the boards is what the log adds up to."""
        head, state = self.tracker.repository.load(self.campaign)
        self.believed[head.entries] = state
        assert self.tracker.audit.board_differences(self.campaign) == []

    def step(self) -> None:
        """Something happens."""
        self.dice.choice([self.fight, self.fight, self.fight, self.change, self.rule, self.rule, self.rule])()

    def asked(self, ask: Callable[[], RecordResult | None]) -> RecordResult | None:
        """Something is done, or is refused and leaves everything as it was."""
        before = self.tracker.repository.load(self.campaign)
        try:
            done = ask()
        except Refusal:
            done = None
            assert self.tracker.repository.load(self.campaign) == before
        self.remember()
        return done

    def fight(self) -> None:
        self.battles += 1
        blows = [self.blow() for _ in range(self.dice.randint(0, 3))]
        self.asked(
            lambda: self.tracker.commands.play(self.campaign, battle(f"b{self.battles}", *blows), roll=True)
        )

    def blow(self) -> records.Command:
        victim, attacker = self.dice.choice(FIGHTERS[SKULLS]), self.dice.choice(FIGHTERS[SAINTS])
        if self.dice.random() < 0.5:
            victim, attacker = attacker, victim
        match self.dice.randrange(4):
            case 0:
                return hit(
                    victim, by=attacker, strength=self.dice.randint(2, 8), damage=self.dice.randint(1, 3)
                )
            case 1:
                return injuries(victim, dice=self.dice.randint(1, 3), by=attacker)
            case 2:
                return out_of_action(victim, by=attacker, out_of_action_dice=self.dice.randint(1, 2))
            case _:
                return records.AwardExperience(
                    fighter=attacker, amount=self.dice.randint(1, 3), reason="stood"
                )

    def change(self) -> None:
        self.asked(self.changed)

    def changed(self) -> RecordResult | None:
        match self.dice.randrange(5):
            case 0:
                return self.play(
                    records.RenameFighter(fighter=self.dice.choice(EVERYBODY), name=f"N{self.dice.random()}")
                )
            case 1:
                return self.play(records.RetireFighter(fighter=self.dice.choice(EVERYBODY), reason="tired"))
            case 2:
                name = self.dice.choice(
                    ["one-lasting-injury-roll@1", "older-injury-dice@1", "old-battle-wound-at-once@1"]
                )
                return self.tracker.commands.adopt_policy(
                    self.campaign, name, from_battle=None, reason="voted"
                )
            case 3:
                return self.tracker.commands.repeal_policy(
                    self.campaign, "one-lasting-injury-roll", from_battle=None, reason="voted"
                )
            case _:
                self.tracker.audit.rebuild_boards(self.campaign)
                return None

    def play(self, command: records.Command) -> RecordResult:
        return self.tracker.commands.play(self.campaign, [CommandWithDice(command=command)])

    def rule(self) -> None:
        head = self.tracker.repository.store.head(self.campaign)
        rolls = [
            recorded
            for recorded in self.tracker.repository.log.live(self.campaign)
            if isinstance(recorded.event, records.RollMade)
        ]
        disputed = self.dice.choice(rolls) if rolls and self.dice.random() < 0.8 else None
        entry = self.dice.randint(2, head.entries)
        address = (
            disputed.address
            if disputed
            else self.dice.choice(self.tracker.repository.log.entry(self.campaign, entry)).address
        )
        opened = self.asked(
            lambda: self.tracker.disputes.open(self.campaign, address, reason="cocked", raised_by="Vic")
        )
        if opened is None or self.dice.random() < 0.15:
            return  # it stays open
        answer = RulingRequest(verdict=self.dice.choice(["confirmed", "voided"]), reason="seen")
        if disputed is not None and self.dice.random() < 0.75:
            answer = RulingRequest(verdict="corrected", reason="seen", faces=self.faces(disputed.event))
        self.asked(lambda: self.settled(str(opened.entries[0][0].entry), answer))

    def faces(self, roll: object) -> str:
        assert isinstance(roll, records.RollMade)
        if roll.die == D66:
            return f"{self.dice.randint(1, 6)}-{self.dice.randint(1, 6)}"
        return str(self.dice.randint(1, 3 if roll.die == "D3" else 6))

    def settled(self, dispute: str, answer: RulingRequest) -> RecordResult:
        """Rule, speaking for whatever no longer follows until nothing is left."""
        for _ in range(400):  # twice for every entry, at most
            listed = self.tracker.rulings.preview(self.campaign, dispute, answer)
            assert listed.before == self.tracker.repository.state(self.campaign)
            left = listed.redecision.unsettled
            if left and self.dice.random() < 0.7 and all(one.result == "needs_dice" for one in left):
                try:
                    done = self.tracker.rulings.rule(self.campaign, dispute, answer, roll=True)
                except records.RulingIncomplete:
                    pass  # what was rolled led on to what no longer follows
                else:
                    self.rulings += 1
                    return done
            if not left:
                done = self.tracker.rulings.rule(
                    self.campaign, dispute, answer, expected_head=listed.head_size
                )
                assert without_disputes(done.state) == without_disputes(listed.after)
                self.rulings += 1
                return done
            with pytest.raises(records.RulingIncomplete):
                self.tracker.rulings.rule(self.campaign, dispute, answer)
            slot = left[0].slot.slot
            if slot not in answer.keep and self.dice.random() < 0.5:
                answer = replace(answer, keep=(*answer.keep, slot))
            else:
                kept = tuple(one for one in answer.keep if one != slot)
                answer = replace(answer, void=(*answer.void, slot), keep=kept)
        raise AssertionError(f"dispute {dispute} never settles")


def refolded(tracker: Tracker, campaign: str) -> CampaignState:
    """The state from the first event on, past every snapshot and whatever was kept in memory."""
    return fold(CampaignState(), (recorded.event for recorded in tracker.repository.log.live(campaign)))


def played_season(tracker: Tracker, seed: int, *, steps: int) -> Season:
    season = Season(tracker, seed)
    for _ in range(steps):
        season.step()
        assert refolded(tracker, season.campaign) == tracker.repository.state(season.campaign)
    return season


@pytest.mark.parametrize("seed", range(6))
def test_a_random_season_is_believed_shown_and_proved_the_same_throughout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(repository, "EVERY_ENTRIES", 1 + seed % 4 * 3)
    url = f"sqlite:///{tmp_path / 'season.db'}"
    tracker = tracker_on(url, seed=seed)
    season = played_season(tracker, seed, steps=14)
    prove(tracker, season)
    fresh = tracker_on(url)
    prove(fresh, season)
    fresh.audit.rebuild_boards(season.campaign)
    prove(fresh, season)
    fresh.close()
    tracker.close()


def prove(tracker: Tracker, season: Season) -> None:
    campaign = season.campaign
    for entry, state in season.believed.items():
        assert tracker.repository.state(campaign, as_of_entry=entry) == state
    assert tracker.repository.state(campaign) == refolded(tracker, campaign)
    last = None
    for name in tracker.repository.state(campaign).battles:
        last = tracker.repository.state(campaign, as_of_battle=name)
        assert last.under_way is None or last.under_way.battle == name  # the closing was voided
        assert name in last.battles
    assert tracker.audit.board_differences(campaign) == []
    sound(tracker, campaign)


@pytest.mark.postgres
def test_a_random_season_holds_on_postgresql(postgres_at_head: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repository, "EVERY_ENTRIES", 4)
    tracker = tracker_on(postgres_at_head, seed=7)
    season = played_season(tracker, 7, steps=6)
    prove(tracker, season)
    tracker.close()


def test_both_engines_keep_the_same_log_and_boards(postgres_at_head: str, tmp_path: Path) -> None:
    shown = []
    for url in (postgres_at_head, f"sqlite:///{tmp_path / 'same.db'}"):
        numbers = iter(range(10_000))
        tracker = tracker_on(url, seed=3)
        tracker.repository.new_id = lambda: f"018f0000-0000-7000-8000-{next(numbers):012x}"  # noqa: B023  # used at once
        season = played_season(tracker, 11, steps=4)
        shown.append(
            (tracker.repository.store.head(season.campaign), tracker.repository.state(season.campaign))
        )
        tracker.close()
    assert shown[0] == shown[1]


def test_a_state_as_of_a_battle_is_what_was_believed_at_its_end_when_nothing_was_ruled_since(
    tracker: Tracker,
) -> None:
    campaign = begin(tracker)
    believed = {}
    for number in range(1, 5):
        tracker.commands.play(
            campaign,
            battle(f"b{number}", out_of_action(EVERYBODY[number], by=KRUG if number > 3 else MAGS)),
            roll=True,
        )
        believed[f"b{number}"] = tracker.repository.state(campaign)
    for name, state in believed.items():
        assert tracker.repository.state(campaign, as_of_battle=name) == state
