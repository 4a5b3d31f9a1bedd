"""Harm that no shot and no fight brings: fires, Headbutt, Hurl, the saddle, leaps, wrecks. A table's own row of who is
hurt acts there unless it asks for an attack, and their owner keeps one of two Injury dice.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from rides import OUT_COLD, RIG, SKIDS, control, lasting_damage, lurch, riding
from scenario import DOT, KRUG, MAGS, VEX, Table, card, given, older
from special_rules import dice, purposes
from tables import every
from test_own_skills_of_falls import NINE_LIVES, ONLY_ATTACKS

from tracker.campaign import records
from tracker.records import replace

Knobs = Mapping[str, str] | None
Begun = Callable[[str, Knobs], Table]


class Harmed(NamedTuple):
    """Who is hurt, in which battle, by what, and the dice up to the wound roll that fails or hurts."""

    who: str
    begun: Begun
    command: records.Command
    rolled: dict[str, Any]
    after: dict[str, Any] = {}  # noqa: RUF012
    keeps: str = "keeps"


def burning(skill: str, knobs: Knobs) -> Table:
    return given(card(VEX, skills=(skill,)), knobs=knobs).when(
        records.StateCondition(condition="blaze", fighter=VEX)
    )


def wrecked(skill: str, knobs: Knobs) -> Table:
    table = riding(fighters=(card(KRUG, skills=(skill,)),), knobs=knobs)
    return table.when(lurch(mobile=False), SKIDS, control("roll"), OUT_COLD, lasting_damage(3))


def of(who: str, *, by: str | None = None, **more: Any) -> Begun:
    """A battle in which a fighter has the skill, and Krug the one by which they are hurt."""

    def begun(skill: str, knobs: Knobs) -> Table:
        own = (skill,) if who != KRUG or by is None else (skill, by)
        cards = [card(who, skills=own, **more)]
        if by is not None and who != KRUG:
            cards.append(card(KRUG, skills=(by,)))
        return given(*cards, knobs=knobs)

    return begun


THROWN = {"hurl": 1, "hurl_distance": 1}
HURL = records.HurlFighter(attacker=KRUG, target=MAGS)
HEADBUTT = records.Headbutt(attacker=KRUG, target=MAGS)
HARMS = {
    "a fire": Harmed(
        VEX, burning, records.ActivateBurning(fighter=VEX, engaged=True), {"wound": 6}, {"blaze_out": 1}
    ),
    "who is hurled": Harmed(
        MAGS, of(MAGS, by="Hurl"), replace(HURL, obstacle=True), {**THROWN, "wound": 6}
    ),
    "whom they meet": Harmed(
        DOT, of(DOT, by="Hurl"), replace(HURL, meets=DOT), {**THROWN, "wound": [1, 6]}, keeps="meets_keeps"
    ),
    "a Headbutt": Harmed(
        MAGS, of(MAGS, by="Headbutt", wounds=2), HEADBUTT, {"headbutt": "6+1", "wound": 6}
    ),
    "one's own Headbutt": Harmed(
        KRUG, of(KRUG, by="Headbutt"), HEADBUTT, {"headbutt": "1+1", "wound": 6}
    ),
    "a fall from the saddle": Harmed(
        VEX, of(VEX, mounted=True), records.StayInSaddle(fighter=VEX, inches=0), {"saddle": 1, "wound": 6}
    ),
    "a leap": Harmed(
        VEX, of(VEX), records.LeapGap(fighter=VEX, height_hundredths=300), {"leap": 1, "wound": 6}
    ),
    "a jump": Harmed(
        VEX, of(VEX), records.JumpDown(fighter=VEX, height_hundredths=300), {"jump": 1, "wound": 6}
    ),
    "an edge": Harmed(
        VEX, of(VEX), records.KeepBalance(fighter=VEX, height_hundredths=300), {"edge": 1, "wound": 6}
    ),
    "a wreck": Harmed(
        KRUG,
        wrecked,
        records.ThrowClear(fighter=KRUG, vehicle=RIG, height_hundredths=300),
        {"thrown_clear": 1, "wound": 6},
    ),
}  # fmt: skip


def up_to(harm: Harmed, *further: str) -> list[str]:
    """What is rolled for up to the wound roll, and then."""
    wounds = harm.rolled["wound"]
    told = [name for name in harm.rolled if name != "wound"]
    return [*told, *["wound"] * (len(wounds) if isinstance(wounds, list) else 1), *further, *harm.after]


@every("what", HARMS)
def test_an_own_row_that_asks_for_no_attack_spares_who_is_hurt(what: str) -> None:
    harm = HARMS[what]
    table = harm.begun("Nine Lives", NINE_LIVES)
    spared = table.when(harm.command, *dice(**harm.rolled, own_rule=4, **harm.after))
    assert purposes(spared) == up_to(harm, "own_rule")
    assert spared.combatant(harm.who).flesh_wounds == 0
    hurt = table.when(harm.command, *dice(**harm.rolled, own_rule=3, injury="flesh", **harm.after))
    assert purposes(hurt) == up_to(harm, "own_rule", "injury")
    assert hurt.combatant(harm.who).flesh_wounds == 1


@every("what", HARMS)
def test_an_own_row_of_attacks_or_of_an_older_battle_stays_out_of_it(what: str) -> None:
    harm = HARMS[what]
    hurt = dice(**harm.rolled, injury="flesh", **harm.after)
    attacks = harm.begun("Nine Lives", ONLY_ATTACKS)
    before = older(harm.begun("Nine Lives", NINE_LIVES), 3)
    for table in (attacks, before):
        assert purposes(table.when(harm.command, *hurt)) == up_to(harm, "injury")


@every("what", HARMS)
def test_the_owner_of_who_has_true_grit_keeps_one_of_two_injury_dice(what: str) -> None:
    """The milder, or what they say."""
    harm = HARMS[what]
    table = harm.begun("True Grit", None)
    two = dice(**harm.rolled, injury=["serious", "flesh"], **harm.after)
    milder = table.when(harm.command, *two).combatant(harm.who)
    assert (milder.seriously_injured, milder.flesh_wounds) == (False, 1)
    kept = table.when(replace(harm.command, **{harm.keeps: "serious_injury"}), *two).combatant(harm.who)
    assert (kept.seriously_injured, kept.flesh_wounds) == (True, 0)
