"""What comes with a request through the service: its key, under which it is recorded once."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from torture import club

from tracker.campaign import records
from tracker.log.refusals import CommandKeyReused
from tracker.service.command_handler import CommandWithDice, RecordResult
from tracker.service.repository import RemoteRequest

DIGEST, ANOTHER = "a" * 64, "b" * 64
AWARD = records.AwardExperience(fighter="skulls-1", amount=2, reason="a good evening")


def test_a_request_that_is_sent_again_under_its_key_is_recorded_once_and_another_is_refused(
    tmp_path: Path,
) -> None:
    with club.opened(club.sqlite(tmp_path / "club.db")) as tracker:
        campaign = club.begin(tracker)

        def sent(request: RemoteRequest, *, key: str | None = None) -> RecordResult:
            commands = tracker.on_behalf_of("Mara", request).commands
            return commands.play(campaign, [CommandWithDice(command=AWARD, dice=())], key=key)

        first, again = (sent(RemoteRequest(key="request-1", digest=DIGEST)) for _ in range(2))
        assert again.entries == first.entries
        with pytest.raises(CommandKeyReused):
            sent(RemoteRequest(key="request-1", digest=ANOTHER))
        # A key of what is recorded itself, such as a battle's, stands before that of the request.
        battle = sent(RemoteRequest(key="request-1", digest=ANOTHER), key="battle:b1")
        assert battle.entries[0][0].entry == first.entries[0][0].entry + 1
