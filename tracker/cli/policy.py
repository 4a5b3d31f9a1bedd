"""Policies: house rules, adopted from a battle on."""

from __future__ import annotations

import shlex
import sys
from typing import Any

import click

from tracker.campaign import records
from tracker.campaign.state import CampaignState, PolicyInForce
from tracker.cli import rulings
from tracker.cli.options import ENTRY_NUMBER, as_json, dry_run, pass_session, show, what_if_options
from tracker.cli.output import on_terminal
from tracker.cli.receipts import show_receipt
from tracker.cli.session import NoCampaignChosen, Session
from tracker.documents.house_rule import policy_called
from tracker.documents.text import clean_note
from tracker.errors import BadInput
from tracker.reports.board_pages import policy_history_board_page
from tracker.reports.differences import differences
from tracker.reports.names import Names
from tracker.reports.policy import policies_page, policy_page
from tracker.reports.preview import what_if_page
from tracker.rules import loader
from tracker.rules.rulebook import Policy
from tracker.service.refusals import NoPreviewSeen
from tracker.service.ruling_request import RulingRequest


class OnlyForThePast(BadInput):
    """These options apply only from a battle that is recorded already: --preview, --expect-head, --force,
    --roll, --dice, --keep, --unkeep, --void-entry, --strategy, --dry-run. Name it with --from-battle.
    """


NO_REASON_YET = "TEXT"
"""The placeholder for the reason in previews."""


def _needed_to_rule(context: click.Context, option: click.Parameter, said: str | None) -> str | None:
    if said is None and not context.params.get("preview"):
        raise click.MissingParameter(ctx=context, param=option)
    return said


reason_to_rule = click.option(
    "--reason", callback=_needed_to_rule, help="Why; kept in the log. Not needed with --preview."
)


def past_options(function: Any) -> Any:
    """The options for previewing and ruling a change from a past battle on."""
    preview = click.option(
        "--preview",
        is_flag=True,
        is_eager=True,
        help="From a past battle: show all that would change; write nothing.",
    )
    return preview(rulings.later_options(rulings.ruling_options(dry_run(function))))


def refuse_unless_silent(past: dict[str, Any]) -> None:
    """Raises OnlyForThePast if any of the `past_options` was given."""
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
    """Show what the change would do, or make the ruling. `typed` is the command without `past_options`."""
    answer = RulingRequest(
        verdict="house_rules",
        reason=reason,
        **rulings.supplied_dice(past["dice"]),
        keep=past["keep"],
        unkeep=past["unkeep"],
        void=past["void"],
        strategy=past["strategy"],
        house_rules=change,
    )
    how = {name: past[name] for name in ("dice", "keep", "unkeep")}
    words = shlex.join(["arbitrator", "policy", *typed, "--from-battle", str(change.from_battle)])
    words += rulings.options_typed({**how, "void_entry": past["void"], "strategy": past["strategy"]})
    if past["preview"]:
        preview = session.tracker.rulings.preview(session.campaign, None, answer)
        rulings.show_preview(session, preview, words=words, as_json=as_json)
        return
    looked = past["expect_head"] is not None or past["force"] is not None or past["dry_run"]
    if not looked and not (on_terminal() and sys.stdin.isatty()):
        raise NoPreviewSeen(preview=f"{words} --preview")
    rulings.make_ruling(
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


def _reason_given(reason: str | None) -> str:
    return clean_note(NO_REASON_YET if reason is None else reason)


from_battle = click.option(
    "--from-battle",
    type=ENTRY_NUMBER,
    metavar="NUMBER",
    help="The first battle it holds for. [default: the next]",
)


@click.group("policy")
def command() -> None:
    """List, show, adopt and repeal house rules; play what-if."""


@command.command("list")
@click.option("--all", "everything", is_flag=True, help="Also list those for other books.")
@as_json
@pass_session
def list_(session: Session, everything: bool, as_json: bool) -> None:
    """List the book's house rules, and those of the campaign.

    \b
    arbitrator policy list
    """
    state = _state(session)
    adopted = state.policies if state is not None else ()
    fitting = loader.policies_for(None if state is None or everything else state.book)
    rows = [_row(policy) for policy in fitting]
    show(policies_page(rows, adopted), as_json=as_json)


@command.command("show")
@click.argument("policy")
@as_json
@pass_session
def show_(session: Session, policy: str, as_json: bool) -> None:
    """Show one house rule: what it changes, and its source.

    POLICY is a name, or a TOML file with a house rule of your own (docs/formats/house-rule.md).

    \b
    arbitrator policy show one-lasting-injury-roll@1
    """
    state = _state(session)
    adopted = state.policies if state is not None else ()
    books = [state.book] if state is not None else loader.book_names()
    knobs = {name: knob for book in books for name, knob in loader.book(book).knobs.items()}
    own = next(
        (rule for rule in reversed(adopted) if policy in (rule.policy, f"{rule.policy}@{rule.version}")), None
    )
    # A house rule adopted from a file is only in the campaign's log.
    known = loader.policies().values()
    shipped = policy in loader.policies() or policy in {rule.policy for rule in known}
    row = _row_of_adopted(own) if own is not None and not shipped else _row(policy_called(policy))
    printed = {name: knob.printed for name, knob in knobs.items()}
    about = {name: knob.about for name, knob in knobs.items()}
    show(policy_page(row, adopted, printed=printed, about=about), as_json=as_json)


@command.command("adopt")
@click.argument("policy", metavar="ID@V|FILE")
@from_battle
@click.option(
    "--after",
    "overrides",
    multiple=True,
    metavar="POLICY",
    help="Both change a setting: this one is applied after POLICY, on purpose. May be repeated.",
)
@reason_to_rule
@past_options
@as_json
@pass_session
def adopt(
    session: Session,
    /,
    policy: str,
    from_battle: int | None,
    overrides: tuple[str, ...],
    reason: str | None,
    as_json: bool,
    **past: Any,
) -> None:
    """Adopt a house rule from a battle on.

    It is the program's, by name, or your own from a TOML file. Everything before that battle stays as
    decided. From a battle that is recorded already, adopting is a ruling: look with --preview, then rule with
    --expect-head.

    \b
    arbitrator policy adopt one-lasting-injury-roll@1 --reason "club vote"
    arbitrator policy adopt our-rule.toml --from-battle 2 --preview
    """
    tracker, campaign, why = session.tracker, session.campaign, _reason_given(reason)
    adopted = policy_called(policy)
    if from_battle is not None and tracker.rulings.is_past(campaign, from_battle):
        change = tracker.rulings.adoption_ruling(
            campaign, from_battle=from_battle, adopt=[adopted], overrides=overrides, reason=why
        )
        after = tuple(word for override in overrides for word in ("--after", override))
        rule_or_preview(session, change, why, past, typed=("adopt", policy, *after), as_json=as_json)
        return
    refuse_unless_silent(past)
    show_receipt(
        tracker.commands.adopt_policy(
            campaign, adopted, from_battle=from_battle, reason=why, overrides=overrides
        ),
        as_json=as_json,
    )


@command.command("repeal")
@click.argument("policy", metavar="ID")
@from_battle
@reason_to_rule
@past_options
@as_json
@pass_session
def repeal(
    session: Session, /, policy: str, from_battle: int | None, reason: str | None, as_json: bool, **past: Any
) -> None:
    """Repeal a house rule from a battle on.

    From a battle that is recorded already, repealing is a ruling: look with --preview, then rule with
    --expect-head.

    \b
    arbitrator policy repeal one-lasting-injury-roll --reason "club vote"
    """
    tracker, campaign, why = session.tracker, session.campaign, _reason_given(reason)
    if from_battle is not None and tracker.rulings.is_past(campaign, from_battle):
        change = tracker.rulings.adoption_ruling(
            campaign, from_battle=from_battle, repeal=[policy], reason=why
        )
        rule_or_preview(session, change, why, past, typed=("repeal", policy), as_json=as_json)
        return
    refuse_unless_silent(past)
    show_receipt(
        tracker.commands.repeal_policy(campaign, policy, from_battle=from_battle, reason=why), as_json=as_json
    )


@command.command("what-if")
@what_if_options
@click.option(
    "--after",
    "overrides",
    multiple=True,
    metavar="POLICY",
    help="Both change a setting: applied after POLICY. May be repeated.",
)
@as_json
@pass_session
def what_if(
    session: Session,
    policies: tuple[str, ...],
    without: tuple[str, ...],
    from_battle: int,
    overrides: tuple[str, ...],
    as_json: bool,
) -> None:
    """Play the season again under other house rules.

    Every entry is decided again from its own dice, and nothing is written. For dice that nobody rolled, it
    shows the exact chances.

    \b
    arbitrator policy what-if one-lasting-injury-roll@1 --from-battle 2
    """
    adopted = policies_of_what_if(policies, without)
    tracker, campaign = session.tracker, session.campaign
    outcome = tracker.rulings.what_if(
        campaign, from_battle=from_battle, adopt=adopted, without=without, overrides=overrides
    )
    names = Names.of_states(outcome.before, outcome.after)
    page = what_if_page(
        adopting=policies,
        repealing=without,
        from_battle=from_battle,
        followed=rulings.followed_slots(session, outcome, names),
        next_dice={
            slot.slot.slot: (slot.needed.purpose, outcome.next_die(slot))
            for slot in outcome.redecision.slots
            if slot.needed is not None
        },
        absences=outcome.redecision.absences,
        changes=differences(outcome.before, outcome.after, names),
        names=names,
        unchanged=outcome.redecision.unchanged - len(outcome.voided),
    )
    show(page, as_json=as_json)


@command.command("history")
@as_json
@pass_session
def history(session: Session, as_json: bool) -> None:
    """Show which house rules were adopted and repealed.

    For each: by whom, when, from which battle on, and why. Then it lists those that hold now.

    \b
    arbitrator policy history
    """
    board = session.tracker.boards.policy_history(session.campaign)
    show(policy_history_board_page(board), as_json=as_json)


def policies_of_what_if(policies: tuple[str, ...], without: tuple[str, ...]) -> list[Policy]:
    """The named house rules that a what-if adopts; a usage error if it neither adopts nor repeals any."""
    if not policies and not without:
        raise click.UsageError("Name a house rule, or one to do without: --without ID.")
    return [policy_called(policy) for policy in policies]


def _state(session: Session) -> CampaignState | None:
    """The chosen campaign's state; None without one, since house rules can be read all the same."""
    try:
        return session.tracker.boards.state_at(session.campaign)
    except NoCampaignChosen:
        return None


def _row_of_adopted(held: PolicyInForce) -> dict[str, Any]:
    return _row(
        Policy(
            policy=held.policy,
            version=held.version,
            title=held.title,
            about="",
            source=held.source,
            tags=(),
            patch=held.patch,
        )
    )


def _row(policy: Policy) -> dict[str, Any]:
    return {
        "policy": policy.policy,
        "version": policy.version,
        "title": policy.title,
        "about": policy.about,
        "source": policy.source,
        "tags": list(policy.tags),
        "patch": dict(policy.patch),
    }
