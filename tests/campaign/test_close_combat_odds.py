"""The chances of a fight are those of the fight: every way its dice can fall, one by one."""

from collections import defaultdict
from fractions import Fraction

import pytest
from fights import KNIFE, fight
from scenario import KRUG, MAGS, MESH, card, given

from tracker.campaign import records
from tracker.campaign.odds.exchange_odds import odds_from
from tracker.campaign.state import CampaignState, Combatant
from tracker.campaign.steps import decide
from tracker.dice import DiceNeeded, DiceTray, Die
from tracker.rules import loader


def one_by_one(state: CampaignState, command: records.Fight) -> dict[Combatant, Fraction]:
    """What becomes of Mags; a Lasting Injury changes nothing of her condition, so one is enough."""
    ends: defaultdict[Combatant, Fraction] = defaultdict(Fraction)
    waiting: list[tuple[tuple[Die, ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        dice, chance = waiting.pop()
        try:
            judged = decide(state, command, DiceTray(dice), loader.rulebook, entry=1)
        except DiceNeeded as needed:
            named = {"purpose": needed.purpose, "die": needed.die, "fighter": needed.fighter}
            if needed.die == "D66":
                waiting.append(((*dice, Die(faces=(2, 1), **named)), chance))
            else:
                waiting.extend(((*dice, Die(faces=(face,), **named)), chance / 6) for face in range(1, 7))
            continue
        assert judged.state.under_way is not None
        ends[judged.state.under_way.combatants[MAGS]] += chance
    return dict(ends)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "changes"),
    [
        (fight(KRUG, MAGS), {"armour": MESH}),
        (fight(KRUG, MAGS, coup_de_grace=MAGS), {"wounds": 2}),
        (fight(KRUG, MAGS, using=("knife",), charging=True, consolidate=True), {"toughness": 1}),
    ],
)
def test_the_odds_of_a_fight_are_those_of_all_dice_one_by_one(command: records.Fight, changes: dict) -> None:
    state = given(card(KRUG, weapons=(KNIFE,)), card(MAGS, **changes)).state
    expected: defaultdict[tuple[bool, bool, int, int], Fraction] = defaultdict(Fraction)
    for end, chance in one_by_one(state, command).items():
        expected[end.out_of_action, end.seriously_injured, end.flesh_wounds, end.wounds_left] += chance
    assert sum(expected.values()) == 1
    found = odds_from(state, [command], loader.rulebook)
    mags = next(model for model in found.models if model.model == MAGS)
    out = sum(chance for kind, chance in expected.items() if kind[0])
    assert (
        sum(chance for changes, chance in mags.ends if any(name == "out_of_action" for name, *_ in changes))
        == out
    )
