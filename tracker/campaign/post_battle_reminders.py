"""Reminders: the tasks due in each step after a battle, fates left open when the next battle begins, and a
battle that is still under way.

Refuses nothing: the rules allow the battle. Source: Core Rulebook (2023) · The Post-battle Sequence · 1. The
Wrap-up; 5. Post-battle Actions; Skills.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tracker.campaign import records
from tracker.campaign.after_battle import AfterBattle
from tracker.campaign.fighters import Fighter
from tracker.campaign.state import CampaignState
from tracker.campaign.steps.aftermath_skills import savvy_prices_left
from tracker.campaign.steps.post_battle_sequence import may_trade_again, why_cannot_act
from tracker.records import Record
from tracker.rules.post_battle_tables import PostBattleRules
from tracker.rules.rulebook import Rulebook


class Reminder(Record):
    """A task of a step. `entry` is the key of the entry that does it, `whose` the fighter or gang that it
    names.

    `must`: a fighter is lost without it; the others are optional. `times`: it takes so many entries.
    """

    step: str
    entry: str
    whose: str
    words: str
    must: bool = False
    times: int = 1


def due_after_battle(state: CampaignState, gang: str, rulebook: Rulebook) -> Iterator[Reminder]:
    """The tasks of a gang after its battle, and what its skills offer, each with its step."""
    after = state.after_battle.get(gang)
    if after is None or rulebook.book.post_battle_rules is None:
        return
    rules = rulebook.book.post_battle
    wrecks = _scrap_by_record(state, after, gang)
    if wrecks and not _is_past(rules.at["scrap"], after, rules):
        words = f"By the record {state.gangs[gang].name} alone remained: scrap of {', '.join(wrecks)}."
        yield Reminder(step=rules.at["scrap"], entry="scrap", whose=gang, words=words)
    for fighter in state.gangs[gang].enlisted.values():
        for reminder in _of_fighter(fighter, after, rulebook):
            if reminder.must or not _is_past(reminder.step, after, rules):
                yield reminder


def _scrap_by_record(state: CampaignState, after: AfterBattle, gang: str) -> tuple[str, ...]:
    """The enemy wrecks whose scrap is not rolled yet, for a gang that by the record remained alone."""
    if "scrap" in after.done or [name for name, fighters in after.remained.items() if fighters] != [gang]:
        return ()
    wrecks = [name for other, names in after.wrecked.items() if other != gang for name in names]
    return tuple(card.name for card in map(state.vehicle, wrecks) if card is not None)


def _is_past(step: str, after: AfterBattle, rules: PostBattleRules) -> bool:
    return after.step is not None and rules.place_of(step) < rules.place_of(after.step)


def _of_fighter(fighter: Fighter, after: AfterBattle, rulebook: Rulebook) -> Iterator[Reminder]:
    rules = rulebook.book.post_battle
    name, who = fighter.name, fighter.fighter
    at = {entry: rules.at.get(entry, rules.steps[0].step) for entry in _ENTRIES}

    def reminder(step: str, entry: str, words: str, *, must: bool = False, times: int = 1) -> Reminder:
        return Reminder(step=at[step], entry=entry, whose=who, words=words, must=must, times=times)

    if fighter.capture_pending:
        yield reminder("escape", "escape", f"{name} is Captured: an escape roll is due.", must=True)
    if fighter.critical:
        words = f"{name} is Critically Injured, and dies unless somebody takes them to the Doc."
        yield reminder("actions", "medical_escort", words, must=True)
    captive = fighter.capture_pending or fighter.held_by is not None
    if captive and fighter.has_skill("escape_artist"):
        words = f"{name} is an Escape Artist: with a skinblade +1 to escape in a Rescue Mission."
        yield reminder("escape", "escape", words)
    if captive or fighter.recovering_since is not None:
        return
    fought = any(who in crew for crew in after.crews.values())
    if fought and fighter.has_skill("mentor"):
        words = f"{name} is a Mentor: a test for each friend within 6 inches who gained XP."
        yield reminder("escape", "mentor", words)
    if fighter.has_skill("fixer") and f"fixer_credits:{who}" not in after.done:
        yield reminder("rewards", "fixer", f"{name} is a Fixer: credits for the gang.")
    acts = why_cannot_act(fighter, rules.hierarchy, rulebook) is None
    if acts and fighter.has_skill("connected") and may_trade_again(fighter, after):
        words = f"{name} is Connected: one Trade more, beside another action."
        yield reminder("actions", "trade", words, times=1 if who in after.acted else 2)
    if fighter.has_skill("savvy_trader"):
        numbers = rulebook.book.skill_actions.aftermath
        trades = acts and who not in after.acted and not _is_past(at["actions"], after, rules)
        if trades:
            words = f"{name} is a Savvy Trader: a Trade adds {numbers.savvy_trader_search} to the search."
            yield reminder("actions", "trade", words)
        if trades or savvy_prices_left(after, who):
            words = (
                f"{name} is a Savvy Trader: after a Trade one thing costs"
                f" {numbers.savvy_trader_discount} credits less."
            )
            yield reminder("trading_post", "buy", words, times=max(1, savvy_prices_left(after, who)))


_ENTRIES = ("escape", "rewards", "actions", "trading_post")


def of_skills(commands: Iterable[records.Command], state: CampaignState, rulebook: Rulebook) -> Iterator[str]:
    """What the skills of both gangs offer after a battle, in words; shown when it closes."""
    if any(isinstance(command, records.CloseBattle) for command in commands):
        for gang in state.after_battle:
            for reminder in due_after_battle(state, gang, rulebook):
                if not reminder.must:
                    yield f"{reminder.words} After the battle: `{reminder.entry}`."


def under_way(state: CampaignState) -> Iterator[str]:
    """How to end a battle that a roll back left under way."""
    if state.under_way is not None:
        yield (
            f"Battle {state.under_way.battle} is under way. 'arbitrator battle continue FILE' goes on with"
            " it, 'arbitrator battle close' ends it."
        )


def unsettled(
    commands: Iterable[records.Command], state: CampaignState, rules: PostBattleRules | None
) -> Iterator[str]:
    """Warnings about Critically Injured and Captured fighters of gangs whose next battle opened."""
    for command in commands:
        if not isinstance(command, records.OpenBattle) or rules is None:
            continue
        for gang, crew in command.crews.items():
            for fighter in state.gangs[gang].enlisted.values():
                if fighter.fighter in crew:
                    continue
                if fighter.critical and rules.doctor is not None:
                    yield (
                        f"{fighter.name} was still Critically Injured when this battle opened, and dies"
                        " without an escort to the Doc: record it with 'end_actions' in the next"
                        " post-battle file."
                    )
                if fighter.capture_pending and rules.escape is not None:
                    yield (
                        f"{fighter.name} was still Captured without an escape roll when this battle opened:"
                        " make it with 'escape' and 'late' in the next post-battle file."
                    )
