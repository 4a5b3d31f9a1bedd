"""The commands that begin a campaign and that adopt a house rule. Knows the books, and no database."""

from __future__ import annotations

from collections.abc import Sequence

from tracker.campaign import records
from tracker.campaign.judging import policy_text
from tracker.rules import loader
from tracker.rules.rulebook import Policy
from tracker.service import refusals

WHERE_IT_STANDS = "where the campaign stood when it was begun here"
"""Why a cycle begins together with the campaign."""


def opening_commands(
    *,
    name: str,
    slug: str,
    book: str,
    preset: str | None,
    policies: Sequence[str | Policy],
    after_battle: int,
    cycle: int | None,
) -> list[records.Command]:
    """The opening under a book, with house rules from the first battle on, and its present cycle.

    A preset needs at least one policy for this book; the others are left out. A policy named by itself must
    fit. Raises PresetForAnotherBook, UnknownBook, UnknownPolicy, UnknownPreset.
    """
    fitting = loader.fitting_policies(preset, book)[0] if preset else ()
    if preset and not fitting:
        raise refusals.PresetForAnotherBook(preset=preset, book=book)
    listed = {policy.id: policy for policy in map(_house_rule, (*fitting, *policies))}
    texts = tuple(map(policy_text, listed.values()))
    opening = records.OpenCampaign(name=name, slug=slug, book=book, policies=texts, after_battle=after_battle)
    if cycle is None:
        return [opening]
    return [opening, records.BeginCycle(reason=WHERE_IT_STANDS, number=cycle)]


def adoption(
    policy: str | Policy, *, from_battle: int, reason: str, overrides: Sequence[str] = ()
) -> records.AdoptPolicy:
    """The adoption of a house rule, given by the name of a shipped one or as the table's own."""
    return records.AdoptPolicy(
        text=policy_text(_house_rule(policy)),
        from_battle=from_battle,
        reason=reason,
        overrides=tuple(dict.fromkeys(override.partition("@")[0] for override in overrides)),
    )


def _house_rule(policy: str | Policy) -> Policy:
    return loader.policy(policy) if isinstance(policy, str) else policy
