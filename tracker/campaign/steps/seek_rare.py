"""Trade and Seek Rare: a post-battle action, and the search for rare items that it makes possible.

Source: Core Rulebook (2023) · The Post-battle Sequence · 5. Post-battle Actions; 6B. Trading Post.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.after_battle import Alignment
from tracker.campaign.steps import aftermath_skills
from tracker.campaign.steps.decision import Decision, as_modifiers
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.post_battle_sequence import advance_to, after_battle, require_in_book, take_action
from tracker.rules.necromunda import post_battle as rules


@handles(records.Trade)
def trade(decision: Decision, command: records.Trade) -> None:
    """The Trade action: the gang may search for rare items later in the sequence."""
    take_action(decision, command.by, "trade")


@handles(records.SeekRare)
def seek_rare(decision: Decision, command: records.SeekRare) -> None:
    """2D6 with modifiers for traders and Reputation: how rare and how illegal an item the gang may buy
    now.
    """
    seek = require_in_book(decision, decision.rulebook.book.post_battle.seek, "search for rare things")
    after = after_battle(decision, command.gang, what="a search for rare things")
    gang = decision.gang(command.gang)
    section = decision.rulebook.section("update_roster")
    if not after.traders:
        raise records.NobodyTrades(gang=gang.name, section=section)
    if after.rare is not None:
        raise records.OncePerSequence(gang=gang.name, what="the search for rare things")
    alignment = _side(decision, command.gang)
    reached = advance_to(decision, command.gang, "seek_rare", required=True)
    # Who trades twice is one trader.
    traders = [decision.fighter(name).category for name in dict.fromkeys(after.traders)]
    modifiers = list(as_modifiers(rules.seek_modifiers(seek, traders, gang.reputation)))
    modifiers += as_modifiers(aftermath_skills.of_savvy_traders(decision, after))
    if command.extra:
        modifiers.append(records.Modifier(why=command.extra_why or "as stated", by=command.extra))
    rare_by, illegal_by = seek.at_market(alignment, command.market)
    market = command.market.replace("_", " ")
    own = [*modifiers, *([records.Modifier(why=f"at the {market}", by=rare_by)] if rare_by else [])]
    die = decision.tray.two_d6("seek_rare", why="search for rare things")
    rare = die.total + sum(modifier.by for modifier in own)
    illegal = rare + illegal_by - rare_by if seek.same_roll else None
    outcome = f"up to Rare ({rare})" + (f" and Illegal ({illegal})" if illegal is not None else "")
    rolled = decision.roll(
        die,
        outcome=outcome,
        section="update_roster",
        rolled_by=command.gang,
        modifiers=tuple(own),
        cause=reached,
    )
    if not seek.same_roll:
        own = [*modifiers, *([records.Modifier(why=f"at the {market}", by=illegal_by)] if illegal_by else [])]
        die = decision.tray.two_d6("seek_illegal", why="search for illegal things")
        illegal = die.total + sum(modifier.by for modifier in own)
        rolled = decision.roll(
            die,
            outcome=f"up to Illegal ({illegal})",
            section="update_roster",
            rolled_by=command.gang,
            modifiers=tuple(own),
            cause=rolled,
        )
    decision.emit(
        records.RareItemsSought(
            gang=command.gang,
            market=command.market,
            rare_up_to=rare,
            illegal_up_to=illegal,
            section=section,
        ),
        cause=rolled,
    )


def _side(decision: Decision, gang: str) -> Alignment:
    """The gang's alignment, which decides what it may buy."""
    card = decision.gang(gang)
    if card.alignment is None:
        raise records.WrongSideOfTheLaw(
            who=card.name, alignment=None, needed="law_abiding", what="a search for rare things"
        )
    return card.alignment
