"""House rules with a past battle as their start: looked at and ruled like any ruling."""

from __future__ import annotations

import shlex
import sys
from typing import Any

import click

from tracker.campaign import records
from tracker.cli.options import dry_run
from tracker.cli.rulings import later_options, make_ruling, ruling_options, show_preview, supplied_dice
from tracker.cli.session import Session, on_terminal
from tracker.errors import BadInput
from tracker.service.refusals import NoPreviewSeen
from tracker.service.ruling_request import RulingRequest


class OnlyForThePast(BadInput):
    """How to rule (--preview, --expect-head, --force, --roll, --dice, --keep, --unkeep, --void-entry,
    --strategy, --dry-run) is for a battle that is recorded already: name it with --from-battle.
    """


NO_REASON_YET = "TEXT"
"""What a preview puts where the reason would stand, as it puts it where --reason would."""


def _needed_to_rule(context: click.Context, option: click.Parameter, said: str | None) -> str | None:
    if said is None and not context.params.get("preview"):
        raise click.MissingParameter(ctx=context, param=option)
    return said


reason_to_rule = click.option(
    "--reason", callback=_needed_to_rule, help="Why; kept in the log. Not needed with --preview."
)


def past_options(function: Any) -> Any:
    """How a change from a past battle on is looked at and ruled."""
    preview = click.option(
        "--preview",
        is_flag=True,
        is_eager=True,
        help="From a past battle: show all that would change; write nothing.",
    )
    return preview(later_options(ruling_options(dry_run(function))))


def refuse_unless_silent(past: dict[str, Any]) -> None:
    """Raises OnlyForThePast when anything was said with `past_options`."""
    if any(value not in (None, False, (), "carry") for value in past.values()):
        raise OnlyForThePast


def rule_or_preview(
    session: Session,
    change: records.HouseRules,
    reason: str,
    past: dict[str, Any],
    *,
    typed: tuple[str, ...],
    as_json: bool,
) -> None:
    """Show what the change would do, or make the ruling. `typed` is the command without how to rule."""
    answer = RulingRequest(
        verdict="house_rules",
        reason=reason,
        supplied=supplied_dice(session.tracker, session.campaign, None, past["dice"]),
        keep=past["keep"],
        unkeep=past["unkeep"],
        void=past["void"],
        strategy=past["strategy"],
        house_rules=change,
    )
    said = [*typed, "--from-battle", str(change.from_battle)]
    for name, option in (
        ("dice", "--dice"),
        ("keep", "--keep"),
        ("unkeep", "--unkeep"),
        ("void", "--void-entry"),
    ):
        said += [word for one in past[name] for word in (option, str(one))]
    said += ["--strategy", past["strategy"]] if past["strategy"] != "carry" else []
    words = shlex.join(["arbitrator", "policy", *said])
    if past["preview"]:
        found = session.tracker.rulings.preview(session.campaign, None, answer)
        show_preview(session, found, words=words, as_json=as_json)
        return
    looked = past["expect_head"] is not None or past["force"] is not None or past["dry_run"]
    if not looked and not (on_terminal() and sys.stdin.isatty()):
        raise NoPreviewSeen(preview=f"{words} --preview")
    make_ruling(
        session,
        None,
        answer,
        words=words,
        roll=past["roll"],
        expect_head=past["expect_head"],
        force=past["force"],
        dry_run=past["dry_run"],
        as_json=as_json,
    )
