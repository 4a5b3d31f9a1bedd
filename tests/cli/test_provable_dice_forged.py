"""Forged dice: whoever changes a die, a draw, a request or the seed in the log is named, at the entry.

The hashes and the replay audit are not asked here: somebody who owns the program makes those anew.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from cli_arbitrator import Arbitrator
from cli_reports import report

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.dice import Die
from tracker.records import replace
from tracker.rules.provable_dice import contribution_commitment
from tracker.service.application import Tracker
from tracker.service.dice_sessions import DiceSessions, read_dice_sessions

WORDS = "seven rusty buckets of grease"
SHOT = report("b3", "hit: {attacker: hob, weapon: autogun, target: sable}", result="draw: true")

Log = list[RecordedEvent]


@pytest.fixture(scope="module")
def played(_played: dict[int, Path], tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Log]:
    """A closed dice session: Robin contributed, and battle 3 was rolled."""
    table = Arbitrator(tmp_path_factory.mktemp("forged"))
    table.file.write_bytes(_played[2].read_bytes())
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("XDG_DATA_HOME", str(table.folder / "data"))
        for words in (("use", "provable", "--reason", "vote"), ("open",)):
            table.done("dice", *words)
        for verb in ("contribute", "reveal"):
            table.done("dice", verb, "--by", "Robin", "--words", WORDS)
        table.record(SHOT, "--roll")
        table.done("dice", "close")
        tracker = Tracker(f"sqlite:///{table.file}", actor="test")
        (campaign,) = tracker.repository.store.campaigns()
        log = list(tracker.repository.log.written(campaign))
        tracker.close()
    return campaign, log


def changed(log: Log, kind: type, change: Callable[[Any], Any]) -> Log:
    """The log with the events of a kind changed."""
    return [
        replace(recorded, event=change(recorded.event)) if isinstance(recorded.event, kind) else recorded
        for recorded in log
    ]


def other(faces: Iterable[int]) -> tuple[int, ...]:
    first, *rest = faces
    return (first % 6 + 1, *rest)


def with_first_die(header: records.DecisionTaken, change: Callable[[Die], Die]) -> records.DecisionTaken:
    dice = header.dice
    if not any(die.source == "generated" for die in dice):
        return header
    return replace(header, dice=(change(dice[0]), *dice[1:]))


def another_face(die: Die) -> Die:
    return replace(die, faces=other(die.faces))


def looked_at(played: tuple[str, Log], change: Callable[[Log], Log]) -> DiceSessions:
    campaign, log = played
    return read_dice_sessions(campaign, change(log))


def test_an_honest_log_is_not_accused(played: tuple[str, Log]) -> None:
    history = looked_at(played, lambda log: log)
    assert history.wrong == ()
    assert [*history.dice] == ["recomputed"]


def test_a_die_that_shows_another_face_was_not_drawn(played: tuple[str, Log]) -> None:
    history = looked_at(
        played,
        lambda log: changed(log, records.DecisionTaken, lambda header: with_first_die(header, another_face)),
    )
    assert "that was not drawn next" in history.wrong[0]


def test_a_die_and_its_draw_changed_alike_are_not_what_the_seed_gives(played: tuple[str, Log]) -> None:
    history = looked_at(
        played,
        lambda log: changed(
            changed(log, records.DecisionTaken, lambda header: with_first_die(header, another_face)),
            records.RollsResolved,
            lambda resolved: replace(resolved, faces=other(resolved.faces)),
        ),
    )
    assert "the seed gives other faces" in history.wrong[0]
    assert history.dice == {"wrong": len(history.sessions[0].requests.popitem()[1].faces)}


def test_a_draw_that_no_die_shows_was_thrown_away(played: tuple[str, Log]) -> None:
    history = looked_at(
        played,
        lambda log: changed(
            log,
            records.RollsResolved,
            lambda resolved: replace(resolved, sides=(*resolved.sides, 6), faces=(*resolved.faces, 3)),
        ),
    )
    assert "it drew 1 face that no die shows" in history.wrong[0]


def test_a_draw_left_out_before_the_dice_is_found(played: tuple[str, Log]) -> None:
    history = looked_at(
        played,
        lambda log: changed(
            log,
            records.RollsResolved,
            lambda resolved: replace(
                resolved,
                sides=(6, *resolved.sides),
                faces=(resolved.faces[0] % 6 + 1, *resolved.faces),
            ),
        ),
    )
    assert "that was not drawn next" in history.wrong[0]


def test_another_seed_is_not_the_one_committed_to(played: tuple[str, Log]) -> None:
    for seed in ("00" * 32, "no hex"):
        history = looked_at(
            played,
            lambda log, seed=seed: changed(  # type: ignore[misc]
                log, records.DiceSessionClosed, lambda closed: replace(closed, seed=seed)
            ),
        )
        assert "not the seed that was committed to" in history.wrong[0]


def test_dice_that_no_request_drew_are_named(played: tuple[str, Log]) -> None:
    history = looked_at(
        played, lambda log: [one for one in log if not isinstance(one.event, records.RollsResolved)]
    )
    assert "and no request drew it" in history.wrong[-1]


def test_a_request_made_after_its_dice_is_none(played: tuple[str, Log]) -> None:
    history = looked_at(
        played,
        lambda log: changed(
            changed(log, records.RollsRequested, lambda asked: replace(asked, request=asked.request + 9)),
            records.RollsResolved,
            lambda resolved: replace(resolved, request=resolved.request + 9),
        ),
    )
    assert "stood before the request" in history.wrong[0]


def test_a_report_other_than_was_asked_for_is_found(played: tuple[str, Log]) -> None:
    history = looked_at(
        played,
        lambda log: changed(log, records.RollsRequested, lambda asked: replace(asked, digest="5e" * 32)),
    )
    assert "records something else than was asked for" in history.wrong[0]


def test_the_nonce_is_counted_and_not_believed(played: tuple[str, Log]) -> None:
    history = looked_at(
        played, lambda log: changed(log, records.RollsRequested, lambda asked: replace(asked, nonce=2))
    )
    assert "it is request 1, and says 2" in history.wrong[0]
    assert [request.nonce for request in history.sessions[0].requests.values()] == [1]


def test_another_contribution_than_was_committed_to_is_found(played: tuple[str, Log]) -> None:
    history = looked_at(
        played,
        lambda log: changed(
            log, records.ContributionRevealed, lambda given: replace(given, contribution="some other words")
        ),
    )
    assert "not what Robin committed to" in history.wrong[0]


def test_a_contribution_of_somebody_who_committed_late_is_found(played: tuple[str, Log]) -> None:
    campaign, log = played
    place = next(at for at, one in enumerate(log) if isinstance(one.event, records.ContributionRevealed))
    late = records.ContributionCommitted(
        session=1, who="Dana", commitment=contribution_commitment(campaign, 1, "Dana", "chosen afterwards")
    )
    history = read_dice_sessions(
        campaign, [*log[: place + 1], replace(log[place], event=late), *log[place + 1 :]]
    )
    assert "committed after the first was revealed" in history.wrong[0]


def test_a_session_closed_over_an_open_request_is_found(played: tuple[str, Log]) -> None:
    history = looked_at(
        played,
        lambda log: [
            one for one in log if not isinstance(one.event, (records.RollsResolved, records.RollMade))
        ],
    )
    assert any("closed while request" in line for line in history.wrong)


def test_a_seed_committed_to_for_another_campaign_is_found(played: tuple[str, Log]) -> None:
    history = looked_at(
        played,
        lambda log: changed(
            log, records.DiceSessionOpened, lambda opened: replace(opened, campaign="another")
        ),
    )
    assert "for another campaign" in history.wrong[0]


def test_whatever_a_log_holds_reading_it_ends_in_words(played: tuple[str, Log]) -> None:
    campaign, log = played
    protocol = (
        records.DiceSessionOpened, records.ContributionCommitted, records.RollsRequested, records.DiceSessionClosed,
        records.ToolDiceSet, records.ContributionRevealed,
    )  # fmt: skip
    for kind in protocol:
        read_dice_sessions(campaign, [one for one in log if not isinstance(one.event, kind)])
        read_dice_sessions(campaign, [*(one for one in log if isinstance(one.event, kind)), *log])
    read_dice_sessions(campaign, reversed(log))
    wild = changed(
        log, records.RollsResolved, lambda resolved: replace(resolved, sides=(0, -3, 9999), faces=(1, 2, 3))
    )
    assert read_dice_sessions(campaign, wild).wrong
    short = changed(log, records.RollsResolved, lambda resolved: replace(resolved, sides=()))
    assert "other faces than draws" in read_dice_sessions(campaign, short).wrong[0]
