"""What nothing decided is found, though the program's own sealer sealed it: each by its entry, with what is wrong.

A small campaign: a battle with one hit, an award, a dispute and a ruling on the hit's die. Then somebody forges.
"""

import sys
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from torture import club
from torture.forger import Envelope, another_event, entries_of, envelopes, install

from tracker.campaign import records
from tracker.campaign.state import OpenDispute
from tracker.dice import Die, read_die
from tracker.log.verification import VerifyReport
from tracker.records import replace
from tracker.rules import loader
from tracker.service import entry_checks
from tracker.service.audit import Audit
from tracker.service.command_handler import CommandWithDice
from tracker.service.log_view import LogView
from tracker.service.named_gangs import gangs_named_in_dispute
from tracker.service.ruling_request import RulingRequest


class Table:
    """The campaign, whose file somebody owns."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "club.db"
        self.tracker = club.open_tracker(club.sqlite(self.file), seed=1)
        self.campaign = club.begin(self.tracker)
        self.opened = self.play(
            records.OpenBattle(
                battle="b1", scenario="Ambush", date="2026-11-21", crews=dict.fromkeys(club.GANGS, ())
            )
        )
        self.hit = self.play(
            records.ResolveHit(target="skulls-2", attacker="saints-2", weapon="autogun"),
            wound=5,
            injury="out_of_action",
            lasting_injury=31,
        )
        self.closed = self.play(records.CloseBattle(winner="saints"))
        self.award = self.play(records.AwardExperience(fighter="skulls-3", amount=2, reason="a good evening"))
        self.dispute = self.disputed(self.hit, "lasting_injury")

    def play(self, command: records.Command, **dice: Any) -> int:
        book = loader.book(club.BOOK)
        given = tuple(
            read_die(purpose, book.purposes[purpose].die, face, special=book.purposes[purpose].special)
            for purpose, face in dice.items()
        )
        return (
            self.tracker.commands.play(self.campaign, [CommandWithDice(command=command, dice=given)])
            .entries[0][0]
            .entry
        )

    def disputed(self, entry: int, purpose: str) -> int:
        roll = next(
            recorded
            for recorded in self.tracker.repository.log.entry(self.campaign, entry)
            if isinstance(recorded.event, records.RollMade) and recorded.event.purpose == purpose
        )
        done = self.tracker.disputes.open(self.campaign, roll.address, reason="cocked", raised_by="Vic")
        return done.entries[0][0].entry

    def ruled(self, **answer: Any) -> int:
        given = RulingRequest(**{"verdict": "corrected", "reason": "seen", "faces": "4-6"} | answer)
        name = str(self.dispute) if given.verdict not in ("rolled_back", "reversed") else None
        return self.tracker.rulings.rule(self.campaign, name, given).entries[0][0].entry

    # --- forging -------------------------------------------------------------------------------------------

    def log(self) -> list[list[Envelope]]:
        self.holds()
        return entries_of(envelopes(self.file, self.campaign))

    def holds(self) -> None:
        audit = self.tracker.audit.verify(self.campaign)
        assert audit.ok, audit

    def sealed(self, log: list[list[Envelope]]) -> Audit:
        self.tracker.close()
        install(self.file, self.campaign, [event for entry in log for event in entry])
        self.tracker = club.open_tracker(club.sqlite(self.file))
        return self.tracker.audit.verify(self.campaign)

    def header(self, command: records.Command, log: list[list[Envelope]], **changes: Any) -> Envelope:
        """The header of another entry at the end, sent under a key of its own."""
        entry, seq = len(log) + 1, size_of(log)
        like = {**log[-1][0], "entry": entry, "slot": entry}
        header = another_event(like, records.DecisionTaken(command=command), **changes)
        key = (
            f"ruling:{command.dispute}:{seq}"
            if isinstance(command, records.RuleOnDispute)
            else f"forged:{seq}"
        )
        header["data"]["sent"] = {"key": key, "digest": "a" * 64}
        return header


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.tracker.close()


def size_of(log: list[list[Envelope]]) -> int:
    return sum(map(len, log))


BONUS = records.ExperienceGained(fighter="skulls-2", amount=500, reason="because")
NOTHING = records.RuleOnDispute(dispute=0, verdict="rolled_back", reason="seen")
WORD = records.RulingMade(dispute=0, verdict="rolled_back", reason="seen")


def first_drift(audit: Audit) -> tuple[int, str]:
    """The first entry that does not follow, and why."""
    assert not audit.ok
    assert audit.log.ok, "every hash fits"
    assert audit.drifted, audit
    return audit.drifted[0].entry, audit.drifted[0].why


def test_an_entry_without_a_header_follows_from_nothing(table: Table) -> None:
    log = table.log()
    at = len(log) + 1
    log.append([another_event(log[-1][0], BONUS, entry=at, slot=at)])
    assert first_drift(table.sealed(log)) == (
        at,
        "ExperienceGained is where its header should be: no command decided it",
    )


def test_a_ruling_gives_nothing_but_what_it_rules(table: Table) -> None:
    log = table.log()
    header = table.header(NOTHING, log)
    word = another_event(header, WORD, causation=size_of(log))
    log.append([header, word, another_event(header, BONUS, causation=size_of(log) + 1)])
    assert first_drift(table.sealed(log)) == (len(log), "nothing leads to it: ExperienceGained")


def test_a_ruling_that_only_says_that_it_keeps_a_slot_may_not_fill_it(table: Table) -> None:
    log = table.log()
    header = table.header(NOTHING, log)
    kept = another_event(
        header,
        records.SlotKept(kept_slot=table.award, reason="as played", restored=True),
        causation=size_of(log) + 1,
    )
    filling = [
        {**deepcopy(event), "entry": len(log) + 1, "id": f"{n:08x}{header['id'][8:]}"}
        for n, event in enumerate(log[table.award - 1])
    ]
    filling[1]["data"]["amount"] = 500
    log.append([header, another_event(header, WORD, causation=size_of(log)), kept, *filling])
    assert first_drift(table.sealed(log)) == (len(log), "nothing leads to it: SlotKept")


def test_only_a_ruling_voids_another_slot(table: Table) -> None:
    table.play(records.AwardExperience(fighter="skulls-3", amount=1, reason="again"))
    log = table.log()
    void = another_event(log[-1][0], records.SlotVoided(voided_slot=table.hit, reason="gone"), slot=table.hit)
    log[-1].append(void)
    assert first_drift(table.sealed(log)) == (
        len(log),
        f"it fills slot {table.hit}, and only a ruling fills another than its own",
    )


def test_an_award_says_nothing_of_slots(table: Table) -> None:
    table.play(records.AwardExperience(fighter="skulls-3", amount=1, reason="again"))
    log = table.log()
    log[-1].append(
        another_event(
            log[-1][0], records.SlotVoided(voided_slot=table.hit, reason="gone"), causation=size_of(log) - 2
        )
    )
    assert first_drift(table.sealed(log)) == (len(log), "nothing leads to it: SlotVoided")


def test_a_ruling_voids_no_slot_that_it_does_not_name(table: Table) -> None:
    ruling = table.ruled(verdict="rolled_back", faces=None, void=(table.award,))
    log = table.log()
    header = log[ruling - 1][0]
    log[-1].append(
        another_event(
            header,
            records.SlotVoided(voided_slot=table.hit, reason="seen"),
            slot=table.hit,
            causation=size_of(log),
        )
    )
    assert first_drift(table.sealed(log)) == (ruling, "nothing leads to it: SlotVoided")


def test_a_ruling_voids_every_slot_that_it_names(table: Table) -> None:
    ruling = table.ruled(verdict="rolled_back", faces=None, void=(table.award,))
    log = table.log()
    del log[ruling - 1][-1]
    assert first_drift(table.sealed(log)) == (ruling, "it would go on: SlotVoided")


def test_a_ruling_on_one_slot_fills_no_other(table: Table) -> None:
    ruling = table.ruled()
    log = table.log()
    copied = [{**deepcopy(event), "entry": ruling} for event in log[table.award - 1]]
    for nth, event in enumerate(copied):
        event["id"] = f"0190a000-0000-7000-8000-{nth:012x}"
    log[ruling - 1] += copied
    assert first_drift(table.sealed(log))[0] == ruling


def test_what_a_ruling_fills_anew_follows_from_the_die_that_it_names(table: Table) -> None:
    ruling = table.ruled()
    log = table.log()
    log[ruling - 1][0]["data"]["command"]["given"]["faces"]["faces"] = [4, 1]
    entry, why = first_drift(table.sealed(log))
    assert entry == ruling
    assert "RulingMade.after" in why


def test_a_ruling_may_not_be_left_out_of_what_it_changes(table: Table) -> None:
    ruling = table.ruled()
    log = table.log()
    log[ruling - 1] = [event for event in log[ruling - 1] if event["slot"] == ruling]
    assert first_drift(table.sealed(log)) == (ruling, "it would go on: DecisionTaken")


def test_a_ruling_is_on_a_dispute_that_is_open(table: Table) -> None:
    ruling = table.ruled(verdict="confirmed", faces=None)
    log = table.log()
    for one, field in zip(log[ruling - 1], ("command", ""), strict=True):
        given = one["data"]["command"]["given"] if field else one["data"]
        given["dispute"] = 999
    log[ruling - 1][0]["data"]["sent"]["key"] = f"ruling:999:{size_of(log[:-1])}"
    entry, why = first_drift(table.sealed(log))
    assert (entry, "no open dispute 999" in why) == (ruling, True)


def test_a_slot_is_kept_and_let_go_only_by_a_ruling_that_says_so(table: Table) -> None:
    for event in (
        records.SlotKept(kept_slot=table.award, reason="seen"),
        records.SlotReleased(released_slot=table.award, reason="seen"),
    ):
        log = table.log()
        header = table.header(NOTHING, log)
        log.append(
            [
                header,
                another_event(header, WORD, causation=size_of(log)),
                another_event(header, event, causation=size_of(log) + 1),
            ]
        )
        honest = entries_of(envelopes(table.file, table.campaign))
        assert first_drift(table.sealed(log)) == (len(log), f"nothing leads to it: {type(event).__name__}")
        assert table.sealed(honest).ok


def test_an_entry_has_one_header(table: Table) -> None:
    log = table.log()
    log[table.award - 1].append(
        {**deepcopy(log[table.award - 1][0]), "id": "0190a000-0000-7000-8000-000000000001"}
    )
    assert first_drift(table.sealed(log)) == (table.award, "nothing leads to it: DecisionTaken")


def test_a_die_that_cannot_fall_so_is_no_die(table: Table) -> None:
    log = table.log()
    for event in log[table.hit - 1]:
        if event["type"] == "DecisionTaken":
            event["data"]["dice"][0]["faces"] = [7]
        elif event["data"].get("purpose") == "wound":
            event["data"]["faces"] = [7]
    assert first_drift(table.sealed(log)) == (table.hit, "no D6 shows '7' (wound)")


@pytest.mark.parametrize(
    ("die", "shown", "falls"),
    [
        ("D6", {"faces": (6,)}, True),
        ("D6", {"faces": (6, 1)}, False),
        ("D6", {"symbol": "out_of_action"}, False),
        ("D6", {"faces": (6,), "symbol": "out_of_action"}, False),
        ("D66", {"symbol": "hobbled"}, True),
        ("injury", {"symbol": "out_of_action"}, True),
        ("injury", {}, False),
    ],
)
def test_a_die_shows_its_faces_or_what_stands_for_them(die: str, shown: dict[str, Any], falls: bool) -> None:
    """A row of its table may be named instead of a D66, a symbol instead of a special die's face."""
    assert entry_checks._can_fall(Die(purpose="test", die=die, **shown)) is falls


def test_no_die_is_laid_by_for_a_later_ruling(table: Table) -> None:
    log = table.log()
    header = log[table.award - 1][0]["data"]
    header["spare"] = [log[table.hit - 1][0]["data"]["dice"][-1]]
    entry, why = first_drift(table.sealed(log))
    assert (entry, "nothing asked for" in why) == (table.award, True)


def test_a_house_rule_is_what_its_name_stands_for(table: Table) -> None:
    table.tracker.commands.adopt_policy(
        table.campaign, "one-lasting-injury-roll@1", from_battle=None, reason="voted"
    )
    log = table.log()
    other = next(policy for policy in loader.policies().values() if policy.policy == "older-injury-dice")
    log[-1][0]["data"]["command"]["given"]["text"]["patch"] = dict(other.patch)
    log[-1][1]["data"]["patch"] = dict(other.patch)
    entry, why = first_drift(table.sealed(log))
    assert (entry, "in this program" in why) == (len(log), True)


def test_a_battle_brings_no_house_rules_of_its_own(table: Table) -> None:
    table.tracker.commands.adopt_policy(
        table.campaign, "one-lasting-injury-roll@1", from_battle=None, reason="voted"
    )
    log = table.log()
    adopted = log.pop()
    log[table.opened - 1][0]["data"]["command"]["given"]["adopting"] = [
        {**adopted[0]["data"]["command"]["given"], "from_battle": 1}
    ]
    entry, why = first_drift(table.sealed(log))
    assert (entry, why) == (table.opened, "it changes house rules for a battle, and only a ruling does")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"actor": "nobody"}, "it is nobody's, and its entry arbitrator's"),
        ({"at": "2020-01-01T00:00:00Z"}, "it is of 2020-01-01T00:00:00Z"),
        ({"causation": 0}, "it names event 0 as its cause"),
        ({"policy": {"version": "necromunda_2023@1", "digest": "ab" * 32}}, "another rulebook"),
    ],
)
def test_an_event_is_signed_and_stamped_as_its_entry_is(table: Table, changes: Any, says: str) -> None:
    log = table.log()
    log[table.hit - 1][-1].update(changes)
    entry, why = first_drift(table.sealed(log))
    assert (entry, says in why) == (table.hit, True), why


def test_a_dispute_is_about_an_event_that_is_there(table: Table) -> None:
    for field, value, says in (
        ("target_position", 99, "there was none"),
        ("target_slot", 1, "of slot 1 for it"),
        ("target_seq", 2, "names event 2"),
    ):
        honest = table.log()
        log = deepcopy(honest)
        for event in log[table.dispute - 1]:
            said = event["data"]["command"]["given"] if "command" in event["data"] else event["data"]
            said[field] = value
        entry, why = first_drift(table.sealed(log))
        assert (entry, says in why) == (table.dispute, True), why
        assert table.sealed(honest).ok


def test_nobody_confirms_a_die_that_they_entered_under_another_name(table: Table) -> None:
    roll = next(
        recorded
        for recorded in table.tracker.repository.log.entry(table.campaign, table.hit)
        if isinstance(recorded.event, records.RollMade)
    )
    table.tracker.disputes.confirm(table.campaign, roll.address, by="Vic")
    log = table.log()
    header, word = log[-1]
    header["data"]["command"]["given"].update(entered_by="Somebody", confirmed_by="arbitrator")
    word["data"]["witness"] = "arbitrator"
    entry, why = first_drift(table.sealed(log))
    assert (entry, why) == (
        len(log),
        f"it says that Somebody entered the roll of {roll.address}, it was arbitrator",
    )


@pytest.mark.parametrize(("gangs", "named"), [(["saints"], "saints"), (["rats"], "rats"), ([], "nobody")])
def test_a_statement_concerns_those_whom_the_disputed_entry_names(
    table: Table, gangs: list[str], named: str
) -> None:
    table.tracker.disputes.comment(table.campaign, str(table.dispute), says="it lay flat", said_by="Vic")
    log = table.log()
    log[-1][0]["data"]["command"]["given"]["gangs"] = gangs
    entry, why = first_drift(table.sealed(log))
    said = f"it says that dispute {table.dispute} concerns {named}, and it concerns saints, skulls"
    assert (entry, why) == (len(log), said)


def test_a_statement_is_made_on_the_state_that_it_is_recorded_on(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody records between the look at what is disputed and the statement."""
    looked: list[int] = []

    def looking(past: LogView, dispute: OpenDispute) -> tuple[str, ...]:
        looked.append(past.entries)
        if len(looked) == 1:
            table.play(records.AwardExperience(fighter="skulls-3", amount=1, reason="meanwhile"))
        return gangs_named_in_dispute(past, dispute)

    monkeypatch.setattr("tracker.service.disputes.gangs_named_in_dispute", looking)
    table.tracker.disputes.comment(table.campaign, str(table.dispute), says="it lay flat", said_by="Vic")
    assert looked == [table.dispute, table.dispute + 1]
    assert len(table.log()) == table.dispute + 2


def test_a_ruling_has_the_key_of_the_log_that_it_was_made_on(table: Table) -> None:
    ruling = table.ruled()
    log = table.log()
    log[ruling - 1][0]["data"]["sent"]["key"] = "battle:b9"
    entry, why = first_drift(table.sealed(log))
    assert (entry, "its key is 'ruling:" in why) == (ruling, True)


def test_every_entry_says_how_it_was_sent_once_an_earlier_entry_did(table: Table) -> None:
    log = table.log()
    log[-1][0]["data"]["sent"] = None
    audit = table.sealed(log)
    assert audit.commands == (
        f"command 'forged:{len(log)}' stands for entry {len(log)}, which does not say how it was sent",
    )


def test_a_command_recorded_whole_entries_that_are_in_the_log(table: Table) -> None:
    store, log = table.tracker.repository.store, table.tracker.repository.log
    head = store.head(table.campaign)
    *others, newest = (dict(row) for row in store.command_rows(table.campaign, before_seq=head.size))
    after = {"first_entry": head.entries + 1, "last_entry": head.entries + 1}
    for changed, says in (
        (
            [newest | {"last_entry": head.entries + 1}],
            f"'{newest['key']}' ends with entry {head.entries + 1}",
        ),
        ([newest, newest | after | {"key": "b9"}], f"'b9' stands for entry {head.entries + 1}"),
    ):
        rows = entry_checks.CommandRows([*others, *changed])
        for number in range(1, head.entries + 1):
            rows.check(log.entry(table.campaign, number))
        rows.ended()
        assert rows.wrong == [f"command {says}, which is not in the log"]


def test_a_campaign_that_was_never_opened_is_shown_in_a_word(table: Table) -> None:
    log = table.log()
    del log[0][1]
    audit = table.sealed(log)
    assert first_drift(audit) == (1, "it would go on: CampaignOpened")
    assert "does not begin with the campaign's opening" in audit.boards[0]


def test_no_die_is_thrown_for_what_a_ruling_keeps_as_it_was_played(table: Table) -> None:
    table.play(
        records.OpenBattle(
            battle="b2", scenario="Ambush", date="2026-11-28", crews=dict.fromkeys(club.GANGS, ())
        )
    )
    hit = records.ResolveHit(target="skulls-3", attacker="saints-2", weapon="autogun")
    missed, second = table.play(hit, wound=1), table.play(hit, wound=2)
    table.dispute = table.disputed(missed, "wound")
    answer = RulingRequest(
        verdict="corrected",
        reason="seen",
        faces="5",
        supplied={missed: [("injury", "flesh_wound")]},  # by which the second hit wounds, too
        keep=(second,),
    )
    ruled = table.tracker.rulings.rule(table.campaign, str(table.dispute), answer, roll=True)
    kept = [
        recorded.event
        for entry in ruled.entries
        for recorded in entry
        if isinstance(recorded.event, records.SlotKept)
    ]
    assert [(one.kept_slot, one.insisted) for one in kept] == [(second, False)]
    table.holds()


def test_what_the_tool_rolled_as_an_entry_was_decided_again_fell_so_when_a_ruling_is_made_again(
    table: Table,
) -> None:
    """A miss becomes a hit: the die that it did not have and now needs, the tool rolls."""
    table.play(
        records.OpenBattle(
            battle="b2", scenario="Ambush", date="2026-11-28", crews=dict.fromkeys(club.GANGS, ())
        )
    )
    hit = records.ResolveHit(target="skulls-3", attacker="saints-2", weapon="autogun")
    missed = table.play(hit, wound=1)
    table.dispute = table.disputed(missed, "wound")
    answer = RulingRequest(verdict="corrected", reason="seen", faces="5")
    ruled = table.tracker.rulings.rule(table.campaign, str(table.dispute), answer, roll=True)
    again = table.tracker.repository.log.slot(table.campaign, missed)
    assert again[0].entry == ruled.entries[0][0].entry
    assert isinstance(again[0].event, records.DecisionTaken)
    rolled = [die.purpose for die in again[0].event.dice if die.source == "generated"]
    assert rolled[:1] == ["injury"]
    table.holds()


def test_a_ruling_that_lacks_a_die_is_refused_and_names_the_entry_and_the_die(table: Table) -> None:
    table.play(
        records.OpenBattle(
            battle="b2", scenario="Ambush", date="2026-11-28", crews=dict.fromkeys(club.GANGS, ())
        )
    )
    missed = table.play(records.ResolveHit(target="skulls-3", attacker="saints-2", weapon="autogun"), wound=1)
    table.dispute = table.disputed(missed, "wound")
    before = table.log()
    with pytest.raises(records.RulingIncomplete) as refused:
        table.ruled(faces="5")
    assert [(slot, result) for slot, result, _ in refused.value.unsettled] == [(missed, "needs_dice")]
    assert [(slot, certain) for slot, _, certain in refused.value.foreseen][:1] == [(missed, True)]
    assert table.log() == before


def test_what_the_tool_rolled_for_a_ruling_is_shown_from_what_a_forger_adds(table: Table) -> None:
    answer = RulingRequest(verdict="rerolled", reason="seen", strategy="keep-later")
    ruled = (
        table.tracker.rulings.rule(table.campaign, str(table.dispute), answer, roll=True).entries[0][0].entry
    )
    log = table.log()
    header = next(event for event in log[ruled - 1] if event["slot"] == table.hit)
    header["data"]["dice"].append({**header["data"]["dice"][0], "source": "typed"})
    assert first_drift(table.sealed(log))[0] == ruled


def test_only_a_change_from_a_battle_that_counts_moves_what_is_recorded(table: Table) -> None:
    rulings = table.tracker.rulings
    assert [rulings.is_past(table.campaign, battle) for battle in (None, 1, 2)] == [False, True, False]


def test_a_log_that_nobody_forged_is_not_accused(table: Table) -> None:
    table.ruled()
    assert table.sealed(table.log()).ok


def test_an_audit_in_which_any_part_is_wrong_does_not_hold() -> None:
    whole = Audit(log=VerifyReport(campaign="ash-wastes", events=0, entries=0, root_hex=""))
    assert whole.ok
    assert not replace(whole, unreadable="an event").ok
    for part in ("commands", "boards", "guards", "pages", "snapshots", "noted", "segments", "touches"):
        assert not replace(whole, **{part: ("something is wrong",)}).ok, part
