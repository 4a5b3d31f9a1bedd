"""What nobody may do after a battle, beside `test_post_battle_refusals`: said with the rule, and nothing is written."""

import pytest
from cli_arbitrator import ROOT, Arbitrator, begin
from cli_reports import GANG_SHEETS, report

SHEETS = [sheet for sheet in GANG_SHEETS if sheet.stem in ("gilded-cage", "iron-skulls")]
ACTIONS = "(Core Rulebook (2023) · The Post-battle Sequence · 5. Post-battle Actions)"
DOC = "dice: {doctor_fee: [1+1], doctor: [6]}"
MARKET = str(ROOT / "fixtures" / "armoury" / "sump-market.yaml")

# Sable is a captive of the Iron Skulls, whom her gang did not rescue, and Pip one of the Gilded Cage.
HELD = (
    "escape: {fighter: sable}, dice: {escape: [5]}",
    "escape: {fighter: pip}, dice: {escape: [1]}",
    "alignment: {gang: iron-skulls, alignment: law_abiding, why: they always were}",
    "alignment: {gang: gilded-cage, alignment: outlaw, why: they always were}",
    "rescue: {captive: sable, result: failed}",
    "rescue: {captive: pip, result: declined}",
)


@pytest.fixture
def table(empty: Arbitrator, monkeypatch: pytest.MonkeyPatch) -> Arbitrator:
    """Krug is in Recovery, Vex Convalescent, Lark and Hob Critically Injured, Sable and Pip perhaps captured."""
    monkeypatch.setenv("TRACKER_ARMOURY", MARKET)
    mess = report(
        "mess",
        "out_of_action: {fighter: sable, by: vex, lasting_injury: 5-5}",
        "out_of_action: {fighter: pip, by: mags, lasting_injury: 5-5}",
        "out_of_action: {fighter: hob, by: lark, lasting_injury: 6-1}",
        "out_of_action: {fighter: lark, by: tallow, lasting_injury: 6-1}",
        "out_of_action: {fighter: krug, by: mags, lasting_injury: 4-6}",
        "out_of_action: {fighter: vex, by: mags, lasting_injury: 3-1}",
    )
    begin(empty, sheets=SHEETS, reports=[mess])
    return empty


def after(table: Arbitrator, *entries: str, part: str = "first") -> str:
    """A post-battle file of these entries, each YAML without its braces."""
    text = "".join(f"  - {{{entry}}}\n" for entry in entries)
    return table.write(
        f"format: post-battle/1\nbattle: mess\npart: {part}\nentries:\n{text}", name="after.yaml"
    )


def refused(table: Arbitrator, *entries: str) -> str:
    """What is said of the last of these entries, the others being right."""
    table.done("battle", "post", after(table, *entries[:-1], part="before"))
    return table.refused(1, "battle", "post", after(table, entries[-1]))


# --- acting while in Recovery, Convalescent or captive ---------------------------------------------------

WHY = {"krug": "in Recovery", "vex": "Convalescent", "sable": "a captive"}
ANYBODY = (
    ("trade: {by: WHO}", "Trade"),
    (f"medical_escort: {{patient: PATIENT, by: WHO}}, {DOC}", "Medical Escort"),
    ("sell_captive: {captive: HELD, by: WHO}", "Sell to the Guilders"),
)
ON_THE_RIGHT_SIDE = [
    ("krug", "claim_bounty: {captive: sable, by: WHO}", "Claim a bounty"),
    ("vex", "claim_bounty: {captive: sable, by: WHO}", "Claim a bounty"),
    ("sable", "dispose_of_captive: {captive: pip, by: WHO}", "Dispose of a captive"),
]


@pytest.mark.parametrize(
    ("who", "action", "name"), [(who, *name) for who in WHY for name in ANYBODY] + ON_THE_RIGHT_SIDE
)
def test_acting_while_in_recovery_convalescent_or_captive(
    table: Arbitrator, who: str, action: str, name: str
) -> None:
    patient, held = ("lark", "pip") if who == "sable" else ("hob", "sable")
    text = action.replace("WHO", who).replace("PATIENT", patient).replace("HELD", held)
    said = refused(table, *HELD, text)
    assert f"cannot act ({name}): {WHY[who]} {ACTIONS}." in said
    assert "Nothing of this file was recorded." in said


# --- spending what is not there --------------------------------------------------------------------------


def test_spending_what_is_not_there(table: Arbitrator) -> None:
    # The Iron Skulls have 40 credits, and the Gilded Cage has 75.
    why = ("--reason", "x")
    for words, needs in (
        (
            ("gang", "credits", "iron-skulls", "gilded-cage", "41", *why),
            "Iron Skulls has 40 credits and needs 41",
        ),
        (
            ("gang", "credits", "gilded-cage", "@doc", "76", *why),
            "The Gilded Cage has 75 credits and needs 76",
        ),
        (
            ("fighter", "hire", "iron-skulls", "Forge Hand", "Ox", *why),
            "Iron Skulls has 40 credits and needs 55",
        ),
    ):
        said = table.refused(1, *words)
        assert needs in said
        assert "Nothing goes below zero; see 'arbitrator gang ledger'." in said
    ransom = "trade_captive: {captive: sable, to: gilded-cage, price: 76}"
    assert "The Gilded Cage has 75 credits and needs 76 for this: for the captive Sable" in refused(
        table, *HELD, ransom
    )


def test_selling_and_handing_over_what_is_not_there(table: Arbitrator) -> None:
    said = table.refused(
        2,
        "battle",
        "post",
        after(
            table,
            "sell: {gang: iron-skulls, item: goggles}, dice: {sale: [2]}",
            "hand_over: {gang: iron-skulls, item: spirit jar, from: tallow, to: dross}",
            "buy: {gang: nobody, item: goggles}",
        ),
    )
    assert "3 entries are refused, and nothing of this file was recorded:" in said
    assert "There is no 'goggles' in the stash of Iron Skulls. There is: nothing." in said
    assert "There is no 'spirit jar' on the card of Tallow." in said
    assert "No gang 'nobody' is enlisted." in said


# --- advancing past a limit ------------------------------------------------------------------------------


def test_advancing_past_a_limit(table: Arbitrator) -> None:
    # Mags: Leadership 4+, and the best that any fighter has is 3+.
    table.done(
        "battle",
        "post",
        after(table, "experience: {fighter: mags, amount: 40, reason: for a test}", part="xp"),
    )
    once = ("fighter", "advance", "mags", "leadership", "--reason", "x")
    table.done(*once)
    said = table.refused(1, *once)
    assert "Mags Aurelia's Ld 3+ cannot be improved further: the best is 3+" in said


def test_advancing_without_the_experience(table: Arbitrator) -> None:
    said = table.refused(1, "fighter", "advance", "krug", "attacks", "--reason", "x")
    assert "Krug the Anvil has 6 XP and needs 12 for this: Attacks" in said
    said = table.refused(1, "fighter", "roll", "tallow", "--reason", "x")
    assert "Tallow has 2 XP and needs 6" in said


# --- a second Medical Escort -----------------------------------------------------------------------------


def test_a_second_medical_escort_for_one_fighter(table: Arbitrator) -> None:
    escort = f"medical_escort: {{patient: lark, by: mags}}, {DOC}"
    said = refused(table, escort, escort)
    assert "Lark has been to the Doc already in this sequence" in said


# --- selling a captive twice -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "again",
    [
        "sell_captive: {captive: sable, by: dross}",
        "claim_bounty: {captive: sable, by: dross}",
        "dispose_of_captive: {captive: sable, by: dross}",
        "return_captive: {captive: sable, why: mercy}",
        "trade_captive: {captive: sable, to: gilded-cage, price: 5}",
        "rescue: {captive: sable, result: rescued}",
    ],
)
def test_selling_a_captive_twice(table: Arbitrator, again: str) -> None:
    table.done(
        "fighter",
        "promote",
        "dross",
        "champion",
        "--type",
        "Forge Warden",
        "--reason",
        "to act",
        "--beyond-rules",
    )
    said = refused(table, *HELD, "sell_captive: {captive: sable, by: dross}", again)
    assert "Sable is nobody's captive: they are sold. See 'arbitrator gang captives'." in said


# --- steps out of order, and the whole file's other problems ---------------------------------------------


def test_steps_out_of_order(table: Arbitrator) -> None:
    said = refused(table, "rating: {gang: iron-skulls}", "reward: {gang: iron-skulls, credits: 5, why: late}")
    assert "Iron Skulls has begun '6F" in said
    assert "'3. Rewards' comes before it" in said


def test_the_whole_file_s_other_problems_are_listed_too(table: Arbitrator) -> None:
    """One of each kind, and between them entries that are right and are not recorded either."""
    table.done("battle", "post", after(table, *HELD, part="before"))
    said = table.refused(
        2,
        "battle",
        "post",
        after(
            table,
            "trade: {by: krug}",
            "trade: {by: mags}",
            f"medical_escort: {{patient: lark, by: mags}}, {DOC}",
            "sell_captive: {captive: ivo, by: tallow}",
            "seek_rare: {gang: gilded-cage}",
            "hire: {gang: iron-skulls, type: Forge Hand, name: Ox}",
            "reputation: {gang: gilded-cage, by: 1, why: late}",
            "advance: {fighter: dross, take: attacks}",
            "rating: {gang: nobody}",
        ),
    )
    for number, problem in enumerate(
        (
            "entry 1 (trade), line 5: Krug the Anvil cannot act (Trade): in Recovery",
            "entry 3 (medical_escort), line 7: Mags Aurelia has acted already in this sequence (Trade)",
            "entry 4 (sell_captive), line 8: Ivo is nobody's captive",
            "entry 5 (seek_rare), line 9: a 2D6 die is missing: 'seek_rare'",
            "entry 6 (hire), line 10: Iron Skulls has 40 credits and needs 55",
            "entry 7 (reputation), line 11: The Gilded Cage has begun '6B. Trading Post' already",
            "entry 8 (advance), line 12: Dross has 3 XP and needs 12 for this: Attacks",
            "entry 9 (rating), line 13: No gang 'nobody' is enlisted",
        )
    ):
        assert problem in said, number


def test_a_row_s_name_where_a_fighter_is_drawn(empty: Arbitrator) -> None:
    # Two equal dice in a Collapsed Dome hurt one of the seven of the Gilded Cage.
    begin(empty, sheets=SHEETS)
    empty.record(report("mess", result="winner: gilded-cage"))
    dome = "territory: {gang: gilded-cage, territory: dome, kind: collapsed_dome}"
    dug = "income: {territory: dome, dice: 2}, dice: {income: [3, 3], random_fighter_of_many: [%s]}"
    said = empty.refused(2, "battle", "post", after(empty, dome, dug % "hobbled"))
    assert "'hobbled' is no result of a D66 (random_fighter_of_many): expected two faces from 1 to 6" in said


def test_a_captive_does_not_retire(table: Arbitrator) -> None:
    table.done("battle", "post", after(table, HELD[0]))
    said = table.refused(1, "fighter", "retire", "sable", "--reason", "had enough")
    assert "Sable is a captive of Iron Skulls and cannot retire" in said
    assert "sable" in table.done("gang", "captives", "iron-skulls", "--json").out
