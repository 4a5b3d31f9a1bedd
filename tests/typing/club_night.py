"""A program of a user: one club night, from two gang sheets to a ruling. `docs/api.md` prints it."""

import sys
from pathlib import Path

from tracker.api import (
    Refusal,
    RulingRequest,
    add_gang,
    new_campaign,
    open_tracker,
    record_battle,
    records,
)


def main(database: str, files: Path) -> None:
    with open_tracker(database, actor="Robin") as tracker:
        campaign = new_campaign(tracker, "Ash Wastes", slug="ash-wastes")
        for sheet in ("iron-skulls", "gilded-cage"):
            add_gang(tracker, campaign, files / "gangs" / f"{sheet}.yaml")

        # A report is recorded whole or not at all; sent twice, it is still one battle.
        report = files / "season" / "01-sump-bridge.yaml"
        recorded = record_battle(tracker, campaign, report)
        assert record_battle(tracker, campaign, report).repeated

        # Every event is a typed record.
        for entry in recorded.entries:
            for recorded_event in entry:
                event = recorded_event.event
                if isinstance(event, records.LastingInjurySuffered):
                    print(f"{event.fighter}: {event.injury}")

        # Look at every consequence first, then rule on the log that the preview showed.
        tracker.disputes.open(campaign, "7.6", reason="the die was cocked", raised_by="Sam")
        answer = RulingRequest(
            verdict="corrected", faces="4-6", reason="rolled again with everybody watching"
        )
        preview = tracker.rulings.preview(campaign, "7.6", answer)
        tracker.rulings.rule(campaign, "7.6", answer, expected_head=preview.head_size)

        for fighter in tracker.boards.roster(campaign).fighters:
            if fighter["injuries"]:
                print(f"{fighter['name']}: {fighter['status']}")

        try:
            tracker.rulings.preview(campaign, "999", answer)
        except Refusal as refusal:
            print(f"{refusal.code}: {refusal}")

        print("verified" if tracker.audit.verify(campaign).ok else "damaged")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
