"""What the keys of a shot could name that are asked only where a trait or a skill makes them matter."""

from __future__ import annotations

from tracker.documents.wizard import context, fight_candidates
from tracker.rules.special_rules import SpreadsHits


def psyker(
    table: context.Context, answers: context.Answers, traits: tuple[str, ...]
) -> tuple[context.Choice, ...] | None:
    """Yes or no where a trait of the weapon asks whether the target is one."""
    attacker = table.state.fighter(str(answers.get("attacker")))
    if attacker is None:
        return ()
    acts = fight_candidates.rules_between(table, attacker, None, traits)
    return None if acts is not None and acts.ask_about("against_psyker") else ()


def draws_target(table: context.Context, answers: context.Answers, traits: tuple[str, ...]) -> bool:
    """Whether a trait of the weapon draws the target of a shot at random."""
    attacker = table.state.fighter(str(answers.get("attacker")))
    acts = None if attacker is None else fight_candidates.rules_between(table, attacker, None, traits)
    before = acts.at("target_priority") if acts is not None else ()
    return any(isinstance(rule.declared.then, SpreadsHits) for rule in before)


def touched(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Who may be touched by a marker that strikes only then."""
    lying = table.state.under_way.markers if table.state.under_way is not None else ()
    strikes = any(str(marker.marker) == str(answers.get("marker")) and marker.profile for marker in lying)
    return context.all_fighters(table, answers) if strikes else ()


def stays_beneath(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Who of those beneath a marker or template may dodge out from under it."""
    attacker = table.state.fighter(str(answers.get("attacker")))
    if attacker is None:
        return ()
    beneath = [answers.get(key) for key in ("under_marker", "under_template")]
    named = [str(model) for listed in beneath if isinstance(listed, list) for model in listed]
    named = named or [str(answers.get("target"))]
    cards = [card for model in named if (card := table.state.fighter(model)) is not None]
    dodging = []
    for card in cards:
        acts = fight_candidates.rules_between(table, attacker, card, ())
        if acts is not None and acts.at("beneath"):
            dodging.append(card)
    return context.fighter_choices(dodging)
