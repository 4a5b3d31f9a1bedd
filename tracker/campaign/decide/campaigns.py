"""Opening a campaign; adopting and repealing policies."""

from __future__ import annotations

from tracker.campaign.commands import AdoptPolicy, OpenCampaign, PolicyText, RepealPolicy
from tracker.campaign.decide.decision import Decision
from tracker.campaign.events import CampaignOpened, PolicyAdopted, PolicyRepealed
from tracker.campaign.refusals import (
    BattleInThePast,
    CampaignOpenAlready,
    KnobMovedAlready,
    PolicyInForceAlready,
    PolicyNotInForce,
)


def open_campaign(decision: Decision, command: OpenCampaign) -> None:
    """Open a campaign under a book, with the policies of a preset in force from its first battle."""
    if decision.state.is_open:
        raise CampaignOpenAlready(name=decision.state.name)
    decision.note(CampaignOpened(name=command.name, slug=command.slug, book=command.book))
    for text in command.policies:
        _adopt(decision, text, from_battle=1, reason="adopted with the campaign")


def adopt_policy(decision: Decision, command: AdoptPolicy) -> None:
    """Adopt a policy from a battle on that is not recorded yet. Refuses two policies that move one knob."""
    _refuse_the_past(decision, command.from_battle)
    _adopt(decision, command.text, from_battle=command.from_battle, reason=command.reason)


def repeal_policy(decision: Decision, command: RepealPolicy) -> None:
    """Repeal a policy from a battle on that is not recorded yet."""
    _refuse_the_past(decision, command.from_battle)
    held = [one for one in decision.state.policies if one.until_battle is None]
    for one in held:
        if one.policy == command.policy:
            decision.note(
                PolicyRepealed(
                    policy=one.policy,
                    version=one.version,
                    from_battle=command.from_battle,
                    reason=command.reason,
                )
            )
            return
    raise PolicyNotInForce(policy=command.policy, in_force=tuple(one.policy for one in held))


def _adopt(decision: Decision, text: PolicyText, *, from_battle: int, reason: str) -> None:
    decision.rulebook.book.check_patch(text.patch)
    for held in decision.state.policies:
        if held.until_battle is not None and held.until_battle <= from_battle:
            continue
        if held.policy == text.policy:
            if held.version == text.version:
                raise PolicyInForceAlready(policy=text.policy, version=text.version)
            continue
        for knob in text.patch:
            if knob in held.patch:
                raise KnobMovedAlready(knob=knob, policy=text.policy, other=held.policy)
    decision.note(
        PolicyAdopted(
            policy=text.policy,
            version=text.version,
            title=text.title,
            source=text.source,
            patch=text.patch,
            from_battle=from_battle,
            reason=reason,
        )
    )


def _refuse_the_past(decision: Decision, from_battle: int) -> None:
    next_battle = decision.state.battle_number + (decision.state.under_way is not None)
    if from_battle < next_battle:
        raise BattleInThePast(from_battle=from_battle, next_battle=next_battle)
