"""Opening a campaign; adopting and repealing policies."""

from __future__ import annotations

from msgspec.structs import asdict

from tracker.campaign import records
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.rules.own_rows import check_rows, patch_in_words, split


@handles(records.OpenCampaign)
def open_campaign(decision: Decision, command: records.OpenCampaign) -> None:
    """Open a campaign under a book, with the policies of a preset in force from its first battle."""
    if decision.state.is_open:
        raise records.CampaignOpenAlready(name=decision.state.name)
    decision.emit(
        records.CampaignOpened(
            name=command.name, slug=command.slug, book=command.book, after_battle=command.after_battle
        )
    )
    for text in command.policies:
        _adopt(decision, records.AdoptPolicy(text=text, from_battle=1, reason="adopted with the campaign"))


@handles(records.AdoptPolicy)
def adopt_policy(decision: Decision, command: records.AdoptPolicy) -> None:
    """Adopt a policy from a battle on that is not recorded yet.

    Refuses two policies that move one knob, unless the new one is ordered after the other on purpose.
    """
    _refuse_the_past(decision, command.from_battle)
    _adopt(decision, command)


@handles(records.RepealPolicy)
def repeal_policy(decision: Decision, command: records.RepealPolicy) -> None:
    """Repeal a policy from a battle on that is not recorded yet."""
    _refuse_the_past(decision, command.from_battle)
    _repeal(decision, command)


def policies_of_a_battle(decision: Decision, command: records.OpenBattle) -> None:
    """Apply the house rules that a ruling starts or ends with this battle: repeals first.

    The battle itself, with who may take part, is decided under the resulting rules.
    """
    for repeal in command.repealing or ():
        _repeal(decision, repeal)
    for adopt in command.adopting or ():
        _adopt(decision, adopt)


def _repeal(decision: Decision, command: records.RepealPolicy) -> None:
    held = [
        policy
        for policy in decision.state.policies
        if policy.until_battle is None or policy.until_battle > max(command.from_battle, policy.from_battle)
    ]
    # What holds without an end is meant first.
    for policy in sorted(held, key=lambda policy: policy.until_battle is not None):
        if policy.policy == command.policy:
            decision.emit(
                records.PolicyRepealed(
                    policy=policy.policy,
                    version=policy.version,
                    from_battle=command.from_battle,
                    reason=command.reason,
                )
            )
            return
    raise records.PolicyNotInForce(policy=command.policy, in_force=tuple(policy.policy for policy in held))


def _adopt(decision: Decision, command: records.AdoptPolicy) -> None:
    text, book = command.text, decision.rulebook.book
    settings, rows = split(text.patch)
    for knob in settings:
        if knob not in book.knobs:
            raise records.PolicyForAnotherBook(
                policy=text.policy, version=text.version, book=book.book, knob=knob
            )
    book.check_patch(settings)
    check_rows(book.as_printed, rows)
    _refuse_another_text(decision, text)
    held = [
        policy
        for policy in decision.state.policies
        if policy.until_battle is None or policy.until_battle > command.from_battle
    ]
    for name in command.overrides:
        if name not in {policy.policy for policy in held}:
            raise records.PolicyNotInForce(policy=name, in_force=tuple(policy.policy for policy in held))
    for policy in held:
        if policy.policy == text.policy:
            if policy.version == text.version:
                raise records.PolicyInForceAlready(policy=text.policy, version=text.version)
            continue
        for knob in text.patch:
            if knob in policy.patch and policy.policy not in command.overrides:
                raise records.KnobMovedAlready(knob=knob, policy=text.policy, other=policy.policy)
    decision.emit(
        records.PolicyAdopted(
            policy=text.policy,
            version=text.version,
            title=text.title,
            source=text.source,
            patch=text.patch,
            from_battle=command.from_battle,
            reason=command.reason,
            overrides=command.overrides,
        )
    )


def _refuse_another_text(decision: Decision, text: records.PolicyText) -> None:
    """Refuses to change a version: its settings stay as they were when the campaign first adopted it."""
    versions = [policy for policy in decision.state.policies if policy.policy == text.policy]
    for held in versions:
        if held.version == text.version and held.patch != text.patch:
            before, now = (
                ", ".join(line.strip() for line in patch_in_words(patch))
                for patch in (held.patch, text.patch)
            )
            newest = max(version.version for version in versions)
            raise records.PolicyChanged(
                policy=text.policy, version=text.version, before=before, now=now, next_version=newest + 1
            )


def _refuse_the_past(decision: Decision, from_battle: int) -> None:
    next_battle = decision.state.battle_number + (decision.state.under_way is not None)
    if from_battle < next_battle:
        raise records.BattleInThePast(from_battle=from_battle, next_battle=next_battle)


# --- disputes -----------------------------------------------------------------------------------------


@handles(records.DisputeRoll)
def dispute_roll(decision: Decision, command: records.DisputeRoll) -> None:
    """Dispute an event. It stays in force until a ruling. Refuses an event that is disputed already."""
    for open_dispute in decision.state.disputes.values():
        if open_dispute.target_seq == command.target_seq:
            address = f"{command.target_entry}.{command.target_position}"
            raise records.DisputedAlready(address=address, dispute=open_dispute.dispute)
    decision.emit(records.RollDisputed(dispute=decision.entry, **asdict(command)))


@handles(records.WithdrawDispute)
def withdraw_dispute(decision: Decision, command: records.WithdrawDispute) -> None:
    """Withdraw a dispute. Refuses one that is not open."""
    if command.dispute not in decision.state.disputes:
        raise records.NoOpenDispute(dispute=str(command.dispute))
    decision.emit(
        records.DisputeWithdrawn(
            dispute=command.dispute, withdrawn_by=command.withdrawn_by, reason=command.reason
        )
    )


@handles(records.CommentOnDispute)
def comment_on_dispute(decision: Decision, command: records.CommentOnDispute) -> None:
    """A statement for its thread. Refuses a dispute that is not open."""
    if command.dispute not in decision.state.disputes:
        raise records.NoOpenDispute(dispute=str(command.dispute))
    decision.emit(
        records.DisputeCommentedOn(dispute=command.dispute, said_by=command.said_by, says=command.says)
    )


@handles(records.ConfirmRoll)
def confirm_roll(decision: Decision, command: records.ConfirmRoll) -> None:
    """A second person confirms a roll. Refuses the word of whoever typed it in."""
    if command.confirmed_by.casefold() == command.entered_by.casefold():
        raise records.OwnWordOnly(who=command.confirmed_by)
    decision.emit(
        records.RollConfirmed(
            target_seq=command.target_seq,
            target_entry=command.target_entry,
            target_position=command.target_position,
            target_slot=command.target_slot,
            number=command.number,
            die=command.die,
            witness=command.confirmed_by,
        )
    )


@handles(records.RuleOnDispute)
def rule_on_dispute(_decision: Decision, _command: records.RuleOnDispute) -> None:
    """Never called: a ruling needs the slots, which a decision does not see."""
    raise AssertionError("a ruling is decided by campaign/rulings/redecision.py, which sees the slots")
