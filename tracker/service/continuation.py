"""Records further files of a battle that a roll back left under way."""

from __future__ import annotations

from tracker.service import refusals
from tracker.service.command_handler import BattlePlanned, CommandHandler, RecordResult, numbered
from tracker.service.repository import CampaignRepository


class BattleContinuation:
    """Records further entries of the battle under way."""

    def __init__(self, repository: CampaignRepository, commands: CommandHandler) -> None:
        self._repository = repository
        self._commands = commands

    def record(
        self, campaign: str, plan: BattlePlanned, *, roll: bool = False, dry_run: bool = False
    ) -> RecordResult:
        """Record a file whole or not at all. The same file again changes nothing.

        Raises BattleNotUnderWay, and what `CommandHandler.record_battle` raises.
        """
        key, is_new = self._key_of(campaign, plan)
        state = self._repository.state(campaign)
        under_way = state.under_way.battle if state.under_way is not None else None
        if is_new and under_way != plan.battle:
            raise refusals.BattleNotUnderWay(
                battle=plan.battle, under_way=under_way, recorded=plan.battle in state.battles
            )
        return self._commands.play_report(campaign, plan, key=key, roll=roll, dry_run=dry_run)

    def _key_of(self, campaign: str, plan: BattlePlanned) -> tuple[str, bool]:
        """The key that a file is recorded under, and whether it is new.

        One whose entries were all voided may be recorded again.
        """
        base = f"battle:{plan.battle}:continued"
        keys = list(self._commands.keys_used(campaign, base))
        for key in keys:
            known = self._repository.store.find_command(campaign, key)
            assert known is not None, "a key in use"
            entries = known.last_entry - known.first_entry + 1
            if known.digest == plan.digest and len(self._commands.void_among(campaign, known)) < entries:
                return key, False
        return numbered(base, len(keys) + 1), True
