"""A gang on one line: whose it is, and what it is worth, has and did. Knows the rows of the gang board."""

from __future__ import annotations

from tracker.reports.cards import counted, display_name
from tracker.reports.dispute_marks import in_dispute
from tracker.reports.names import Names
from tracker.reports.rendering import Row, sanitize


def gang_title(gang: Row) -> str:
    """'Iron Hawks (Orlock, player Vic)'."""
    return f"{sanitize(gang['name'])} ({display_name(gang['house'])}, player {sanitize(gang['player'])})"


def gang_totals(gang: Row, names: Names) -> str:
    """Money, standing and record of a gang on one line."""
    record = (
        f"{counted(gang['battles'], 'battle')}: {gang['won']} won, {gang['drawn']} drawn, {gang['lost']} lost"
    )
    worth = f"{'worth' if gang.get('warband') else 'rating'} {names.money(gang['rating_credits'])}"
    totals = [
        in_dispute(worth, gang, "rating_credits"),
        in_dispute(_stash(gang, names), gang, *_STASH_NUMBERS[: 3 if gang.get("stash") else 1]),
        *(_warband(gang, names) if gang.get("warband") else [_reputation(gang)]),
        in_dispute(record, gang, "battles", "won", "drawn", "lost"),
    ]
    taken_out = f"{counted(gang['enemies_taken_out'], 'enemy', 'enemies')} taken out"
    totals.append(in_dispute(taken_out, gang, "enemies_taken_out"))
    if gang.get("corrupted"):
        totals.append(in_dispute("corrupted", gang, "corrupted"))
    return " · ".join(totals)


_STASH_NUMBERS = ("credits", "stash", "wealth_credits")


def _stash(gang: Row, names: Names) -> str:
    """'stash 40 credits'; with things in it also how many, and what the gang is worth in all."""
    there, things = names.money(gang["credits"]), len(gang.get("stash", ()))
    if not things:
        return f"stash {there}"
    return f"stash {there} and {counted(things, 'thing')}, wealth {gang['wealth_credits']}"


def _reputation(gang: Row) -> str:
    return in_dispute(f"Reputation {gang['reputation']}", gang, "reputation")


def _warband(gang: Row, names: Names) -> list[str]:
    """What a warband counts in Reputation's place: Glory, and once raised what its next game allows."""
    told = [in_dispute(f"Glory {gang['glory']}", gang, "glory")]
    if gang["threshold_ducats"] is not None:
        ducats, strength = names.money(gang["threshold_ducats"]), gang["field_strength"]
        allows = f"Threshold {ducats}, Field Strength {strength}"
        told.append(in_dispute(allows, gang, "threshold_ducats", "field_strength"))
    return told
