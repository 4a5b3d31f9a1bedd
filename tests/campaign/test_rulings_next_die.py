"""What the one die that is missing may come out as, with its chances."""

from fractions import Fraction

from scenario import MAGS, VEX, given, hit

from tracker.campaign.rulings.next_die import next_die_outcomes
from tracker.dice import DiceNeeded
from tracker.rules import loader


def test_a_missing_wound_roll_comes_out_by_its_faces_and_asks_for_more_where_it_wounds() -> None:
    """Strength 4 against Toughness 3 wounds on a 3 and more."""
    table = given()
    refused = table.when(hit(VEX, by=MAGS)).refusal
    assert isinstance(refused, DiceNeeded)
    found = next_die_outcomes(
        table.state, hit(VEX, by=MAGS), (), refused, None, loader.rulebook, entry=len(table.judgements) + 1
    )
    wounds, does_not = found
    assert wounds.outcome == "Strength 4 against Toughness 3: wounds"
    assert (wounds.chance, wounds.more_dice) == (Fraction(4, 6), True)
    assert (does_not.chance, does_not.more_dice) == (Fraction(2, 6), False)
