"""An Arbitrator who wants a six: restarts, retries, withholds, tries first, sets the clock back, sends from two devices.

What they get is the dice that the seed gave to the first request, or one more request that stands in the log.
"""

import shutil
from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator
from cli_reports import report
from test_cli_provable_dice import SHOT, WORDS, events, fix, rolled, seed_file, sessions

from tracker.rules.provable_dice import ProvableRoller
from tracker.service import clock

WOUNDED_OR_NOTHING = report(
    "b3",
    "hit: {attacker: hob, weapon: autogun, target: sable}\n    dice: {save: 1}",
    result="draw: true",
)
"""A save that fails is typed; it falls only when the hit wounds. Else it is left over, and all is refused."""
TRIES = 30
WOUNDS = 4
"""Of an autogun against Sable: Strength 3, Toughness 3."""


@pytest.fixture
def provable(season: Arbitrator) -> Arbitrator:
    """After two battles; Robin contributed."""
    fix(season, "Robin")
    return season


def requests(table: Arbitrator) -> list[str]:
    """What became of each request, in the order that they were made."""
    return [request["verdict"] for session in sessions(table) for request in session["requests"]]


def another_device(table: Arbitrator, folder: Path) -> Arbitrator:
    """The same file as it stands now, elsewhere; the seed is where it was."""
    folder.mkdir()
    device = Arbitrator(folder)
    device.file.write_bytes(table.contents())
    return device


def test_a_dry_run_shows_no_die_and_asks_for_none(provable: Arbitrator) -> None:
    file = provable.write(SHOT)
    for _ in range(10):
        assert "A dry run rolls no dice" in provable.refused(
            2, "battle", "record", file, "--roll", "--dry-run"
        )
    assert requests(provable) == []


def test_every_retry_restart_name_and_clock_gives_the_dice_of_the_first_request(
    provable: Arbitrator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    devices = [another_device(provable, tmp_path / f"device-{number}") for number in range(6)]
    for number, device in enumerate(devices):
        with monkeypatch.context() as patched:
            if number % 2:
                patched.setattr(clock, "now", lambda: "2001-01-01T00:00:00Z")
            device.done("--as", f"device {number}", "battle", "record", device.write(SHOT), "--roll")
    dice = [rolled(device) for device in devices]
    assert dice[0]
    assert dice.count(dice[0]) == len(devices)

    (first, *_) = devices
    before = first.contents()
    for _ in range(10):
        assert first.done("battle", "record", first.write(SHOT), "--roll").out.startswith("Recorded before")
    assert first.contents() == before


def test_another_content_of_a_recorded_battle_is_refused_and_asks_for_nothing(provable: Arbitrator) -> None:
    provable.record(SHOT, "--roll")
    other = provable.write(SHOT.replace("autogun", "frag grenades"))
    provable.refused(1, "battle", "record", other, "--roll")
    assert requests(provable) == ["sealed"]


def test_a_report_that_holds_only_for_some_dice_cannot_be_tried_until_they_fall(
    provable: Arbitrator,
) -> None:
    file = provable.write(WOUNDED_OR_NOTHING)
    opened = 0
    for _ in range(TRIES):
        # What other dice refuse that count for nothing leaves no request; what its own dice refuse stays open.
        ran = provable("battle", "record", file, "--roll")
        assert requests(provable) in ([], ["open"], ["sealed"]), ran.err
        opened += requests(provable) == ["open"]
    (session,) = sessions(provable)
    (request,) = session["requests"]
    roller = ProvableRoller(
        bytes.fromhex(seed_file(provable).read_text()), [("Robin", WORDS["Robin"])], request["nonce"]
    )
    wounded = roller(6) >= WOUNDS
    assert (request["verdict"], opened > 1) == (("sealed", False) if wounded else ("open", True))
    if not wounded:
        provable.refused(1, "dice", "close")
        # With other content it is another request. Both are in sight, and the first waits for a reason.
        provable.record(SHOT, "--roll")
        assert requests(provable) == ["open", "sealed"]
        assert provable.read("audit", "verify")["dice"]["open_requests"] == [request["request"]]


def test_what_is_recorded_between_a_request_and_its_dice_moves_no_die(
    provable: Arbitrator, tmp_path: Path
) -> None:
    plain = another_device(provable, tmp_path / "plain")
    plain.record(SHOT, "--roll")
    provable.done("gang", "reputation", "iron-skulls", "--by", "1", "--reason", "to move the dice")
    provable.record(SHOT, "--roll")
    assert rolled(provable) == rolled(plain)


def test_a_session_begun_again_until_its_seed_suits_is_in_the_log_each_time(season: Arbitrator) -> None:
    season.done("dice", "use", "provable", "--reason", "club vote")
    for _ in range(4):
        season.done("dice", "open")
        season.done("dice", "close")
    assert [session["session"] for session in sessions(season)] == [1, 2, 3, 4]
    assert len(events(season, "DiceSessionClosed")) == 4


def test_a_seed_swapped_for_a_better_one_rolls_nothing(provable: Arbitrator) -> None:
    file = seed_file(provable)
    kept = file.with_suffix(".kept")
    shutil.move(file, kept)
    for number in range(10):
        file.write_text(f"{number:064x}\n")
        assert "Put the file back" in provable.refused(1, "battle", "record", provable.write(SHOT), "--roll")
    assert requests(provable) == []
    shutil.move(kept, file)
    provable.record(SHOT, "--roll")
    assert requests(provable) == ["sealed"]


def test_without_provable_dice_a_report_that_was_refused_rolls_anew(season: Arbitrator) -> None:
    """What the page on trust says it does not notice: only a recorded report keeps its dice."""
    file = season.write(WOUNDED_OR_NOTHING)
    codes = []
    for _ in range(TRIES):
        codes.append(season("battle", "record", file, "--roll").code)
        if codes[-1] == 0:
            break
    assert codes[-1] == 0, "all fail once in a thousand million times"
    assert season.read("audit", "verify")["ok"] is True
