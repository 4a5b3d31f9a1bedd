"""What a post-battle file may not do: refused with the rule, beside everything else that is wrong, and unwritten."""

import pytest
from cli_arbitrator import ROOT, Arbitrator, begin
from cli_reports import GANG_SHEETS, report
from tables import every

SHEETS = [sheet for sheet in GANG_SHEETS if sheet.stem in ("gilded-cage", "iron-skulls")]
ACTIONS = "(Core Rulebook (2023) · The Post-battle Sequence · 5. Post-battle Actions)"
ADVANCEMENTS = "(Core Rulebook (2023) · Experience · Advancements)"


@pytest.fixture
def table(empty: Arbitrator, monkeypatch: pytest.MonkeyPatch) -> Arbitrator:
    """Krug is in Recovery, Vex Convalescent, Sable perhaps captured, Lark and Hob Critically Injured."""
    monkeypatch.setenv("TRACKER_ARMOURY", str(ROOT / "fixtures" / "armoury" / "sump-market.yaml"))
    mess = report(
        "mess",
        "out_of_action: {fighter: sable, by: vex, lasting_injury: 5-5}",
        "out_of_action: {fighter: hob, by: lark, lasting_injury: 6-1}",
        "out_of_action: {fighter: lark, by: krug, lasting_injury: 6-1}",
        "out_of_action: {fighter: krug, by: mags, lasting_injury: 4-6}",
        "out_of_action: {fighter: vex, by: mags, lasting_injury: 3-1}",
    )
    begin(empty, sheets=SHEETS, reports=[mess])
    return empty


@pytest.fixture
def quiet(empty: Arbitrator) -> Arbitrator:
    """Tallow and Quill perhaps captured, Hob Critically Injured, and every Leader and Champion on their feet."""
    begin(empty, sheets=SHEETS, reports=[ROOT / "fixtures" / "aftermath" / "01-toll.yaml"])
    return empty


def after(table: Arbitrator, battle: str, *entries: str, part: str | None = None) -> str:
    """A post-battle file; each entry is one line, its dice after a bar."""
    lines = [f"format: post-battle/1\nbattle: {battle}"]
    lines += [f"part: {part}"] if part else []
    lines.append("entries:")
    for entry in entries:
        text, _, dice = entry.partition(" | ")
        lines.append(f"  - {text}")
        lines += [f"    dice: {{{dice}}}"] if dice else []
    return table.write("\n".join(lines) + "\n", name="after.yaml")


CAPTIVE = "escape: {fighter: sable} | escape: [5]"  # 5 - 2 for the defeat is no 4


def test_who_is_in_recovery_convalescent_critical_or_captive_takes_no_action(table: Arbitrator) -> None:
    said = table.refused(
        1,
        "battle",
        "post",
        after(
            table,
            "mess",
            CAPTIVE,
            "trade: {by: krug}",
            "trade: {by: vex}",
            "trade: {by: sable}",
            "trade: {by: pip}",
            "trade: {by: mags}",
        ),
    )
    assert "4 entries are refused, and nothing of this file was recorded:" in said
    assert f"entry 2 (trade), line 6: Krug the Anvil cannot act (Trade): in Recovery {ACTIONS}." in said
    assert f"entry 3 (trade), line 7: Vex cannot act (Trade): Convalescent {ACTIONS}." in said
    assert f"entry 4 (trade), line 8: Sable cannot act (Trade): a captive {ACTIONS}." in said
    assert f"Pip cannot act (Trade): a juve, without Gang Hierarchy {ACTIONS}." in said
    table.done("battle", "post", after(table, "mess", CAPTIVE, "trade: {by: mags}"))


def test_who_may_yet_be_captured_takes_no_action(table: Arbitrator) -> None:
    said = table.refused(1, "battle", "post", after(table, "mess", "trade: {by: sable}"))
    assert f"Sable cannot act (Trade): Captured, until the escape roll says otherwise {ACTIONS}." in said


def test_an_action_is_refused_to_the_other_actions_too(table: Arbitrator) -> None:
    fee = "doctor_fee: [1+1], doctor: [6]"
    said = table.refused(
        1,
        "battle",
        "post",
        after(
            table,
            "mess",
            f"medical_escort: {{patient: hob, by: krug}} | {fee}",
            f"medical_escort: {{patient: lark, by: lark}} | {fee}",
            f"medical_escort: {{patient: ivo, by: mags}} | {fee}",
        ),
    )
    assert f"Krug the Anvil cannot act (Medical Escort): in Recovery {ACTIONS}." in said
    assert "Lark cannot be their own escort" in said
    assert "Ivo is not Critically Injured" in said


def test_nobody_spends_what_is_not_there(table: Arbitrator) -> None:
    # The Iron Skulls have 40 credits: 20 for goggles, and 20 are left.
    said = table.refused(
        1,
        "battle",
        "post",
        after(
            table,
            "mess",
            "buy: {gang: iron-skulls, item: goggles}",
            "hire: {gang: iron-skulls, type: Forge Hand, name: Ox}",
            "credits: {from: iron-skulls, to: gilded-cage, amount: 21, reason: a debt}",
            "hand_over: {gang: iron-skulls, item: spirit jar, to: pip}",
        ),
    )
    assert "3 entries are refused, and nothing of this file was recorded:" in said
    assert "entry 2 (hire), line 5: Iron Skulls has 20 credits and needs 55 for this" in said
    assert "entry 3 (credits), line 6: Iron Skulls has 20 credits and needs 21 for this" in said
    assert "entry 4 (hand_over), line 7: There is no 'spirit jar' in the stash of Iron Skulls" in said


def test_nobody_advances_past_a_limit_nor_without_the_experience(table: Arbitrator) -> None:
    # Mags: Leadership 4+, best 3+. Vex: Movement 5", at most 2 above the basic profile. Krug has 6 + 2 = 8 XP.
    said = table.refused(
        1,
        "battle",
        "post",
        after(
            table,
            "mess",
            "experience: {fighter: mags, amount: 40, reason: for a test}",
            "experience: {fighter: vex, amount: 40, reason: for a test}",
            "advance: {fighter: mags, take: leadership}",
            "advance: {fighter: mags, take: leadership}",
            "advance: {fighter: vex, take: movement}",
            "advance: {fighter: vex, take: movement}",
            "advance: {fighter: vex, take: movement}",
            "advance: {fighter: krug, take: wounds}",
            "advance: {fighter: quill, take: cool}",
        ),
    )
    assert "4 entries are refused, and nothing of this file was recorded:" in said
    assert (
        "entry 4 (advance), line 7: Mags Aurelia's Ld 3+ cannot be improved further: the best is 3+" in said
    )
    limit = """Vex's M 7" cannot be improved further: the best is 7", 2 above the basic profile of a Forge Warden"""
    assert f"entry 7 (advance), line 10: {limit}" in said
    short = "Krug the Anvil has 8 XP and needs 12 for this: Wounds"
    assert f"entry 8 (advance), line 11: {short} {ADVANCEMENTS}" in said
    assert (
        "entry 9 (advance), line 12: Quill is a ganger and cannot take this advancement: this rank rolls"
        in said
    )


def test_a_fighter_is_escorted_once(quiet: Arbitrator) -> None:
    fee = "doctor_fee: [1+1], doctor: [6]"
    said = quiet.refused(
        1,
        "battle",
        "post",
        after(
            quiet,
            "toll",
            f"medical_escort: {{patient: hob, by: krug}} | {fee}",
            f"medical_escort: {{patient: hob, by: vex}} | {fee}",
            "trade: {by: krug}",
        ),
    )
    assert "2 entries are refused, and nothing of this file was recorded:" in said
    assert "entry 2 (medical_escort), line 6: Hob Nine-Fingers has been to the Doc already" in said
    assert (
        "entry 3 (trade), line 8: Krug the Anvil has acted already in this sequence (Medical Escort)" in said
    )


def test_a_fighter_is_escorted_once_in_two_files_as_well(quiet: Arbitrator) -> None:
    fee = "doctor_fee: [1+1], doctor: [6]"
    once = f"medical_escort: {{patient: hob, by: krug}} | {fee}"
    again = f"medical_escort: {{patient: hob, by: vex}} | {fee}"
    quiet.done("battle", "post", after(quiet, "toll", once))
    said = quiet.refused(1, "battle", "post", after(quiet, "toll", again, part="later"))
    assert "Hob Nine-Fingers has been to the Doc already in this sequence" in said


def test_a_captive_is_sold_once_and_never_before_the_rescue(quiet: Arbitrator) -> None:
    held = "escape: {fighter: tallow} | escape: [5]"
    sold = "sell_captive: {captive: tallow, by: mags}"
    said = quiet.refused(1, "battle", "post", after(quiet, "toll", held, sold))
    assert "Iron Skulls may first try to rescue Tallow" in said
    assert "(Core Rulebook (2023) · The Post-battle Sequence · Captives)" in said
    lost = "rescue: {captive: tallow, result: failed}"
    twice = "sell_captive: {captive: tallow, by: sable}"
    said = quiet.refused(
        1, "battle", "post", after(quiet, "toll", held, lost, sold, twice, "trade: {by: pip}")
    )
    assert "2 entries are refused, and nothing of this file was recorded:" in said
    assert "entry 4 (sell_captive), line 8: Tallow is nobody's captive: they are sold." in said
    assert "entry 5 (trade), line 9: Pip cannot act" in said
    quiet.done("battle", "post", after(quiet, "toll", held, lost, sold))
    said = quiet.refused(1, "battle", "post", after(quiet, "toll", twice, part="later"))
    assert "Tallow is nobody's captive: they are sold." in said


def test_steps_out_of_order_are_all_named_with_the_other_troubles(quiet: Arbitrator) -> None:
    said = quiet.refused(
        1,
        "battle",
        "post",
        after(
            quiet,
            "toll",
            "advance: {fighter: krug, take: initiative}",
            "trade: {by: vex}",
            "reputation: {gang: iron-skulls, by: 1, why: late}",
            "escape: {fighter: tallow} | escape: [6]",
            "trade: {by: ivo}",
            "trade: {by: mags}",
        ),
    )
    assert "4 entries are refused, and nothing of this file was recorded:" in said
    came = "Iron Skulls has begun '6E. Advancements' already, and"
    assert f"entry 2 (trade), line 5: {came} '5. Post-battle actions' comes before it" in said
    assert f"entry 3 (reputation), line 6: {came} '3. Rewards' comes before it" in said
    assert f"entry 4 (escape), line 7: {came} '1. The Wrap-up' comes before it" in said
    assert "entry 5 (trade), line 9: Ivo cannot act" in said


def test_a_reason_does_not_open_the_ledger(quiet: Arbitrator) -> None:
    said = quiet.refused(
        1,
        "battle",
        "post",
        after(
            quiet,
            "toll",
            "hire: {gang: iron-skulls, beyond_rules: true, reason: the Arbitrator's word, fighter: {name: Ox,"
            " category: ganger, type: Forge Hand, cost: 41, characteristics: {M: 4, WS: 4, BS: 4, S: 3, T: 3,"
            " W: 1, I: 4, A: 1, Ld: 8, Cl: 7, Wil: 8, Int: 8}}}",
        ),
    )
    assert "Iron Skulls has 40 credits and needs 41 for this" in said


def test_what_one_fighter_may_not_hides_nothing_of_another(quiet: Arbitrator) -> None:
    # Krug has 6 + 3 = 9 XP, Mags 6 + 2 = 8: neither can pay 12. What Krug asks next may follow from the first.
    said = quiet.refused(
        1,
        "battle",
        "post",
        after(
            quiet,
            "toll",
            "advance: {fighter: krug, take: wounds}",
            "advance: {fighter: mags, take: wounds}",
            "advance: {fighter: krug, take: attacks}",
        ),
    )
    assert "2 entries are refused, and nothing of this file was recorded:" in said
    assert "entry 1 (advance), line 4: Krug the Anvil has" in said
    assert "entry 2 (advance), line 5: Mags Aurelia has" in said
    assert "1 more is passed over" in said


def test_another_file_of_the_same_battle_is_shown_of_its_part(quiet: Arbitrator) -> None:
    reward = "reward: {gang: iron-skulls, credits: 7, why: found}"
    quiet.done("battle", "post", after(quiet, "toll", reward))
    more = "reward: {gang: iron-skulls, credits: 8, why: found later}"
    said = quiet.refused(2, "battle", "post", after(quiet, "toll", more))
    assert "A file after the battle 'toll' is recorded already" in said
    assert "`part: later`" in said
    quiet.done("battle", "post", after(quiet, "toll", more, part="later"))


@every(
    "entry",
    [
        "reward: {gang: gilded-cage, credits: 7, why: ours}",
        "trade: {by: mags}",
        "experience: {fighter: lark, amount: 1, reason: ours}",
    ],
)
def test_a_file_of_one_gang_does_nothing_for_another(quiet: Arbitrator, entry: str) -> None:
    own = "reward: {gang: iron-skulls, credits: 7, why: found}"
    text = f"format: post-battle/1\nbattle: toll\ngang: iron-skulls\nentries:\n  - {own}\n  - {entry}\n"
    said = quiet.refused(2, "battle", "post", quiet.write(text))
    assert "this is gilded-cage's to do, and the file is iron-skulls's alone." in said


def test_what_a_captive_carried_is_sold_with_them(quiet: Arbitrator) -> None:
    said = quiet.refused(
        1,
        "battle",
        "post",
        after(
            quiet,
            "toll",
            "escape: {fighter: tallow} | escape: [5]",
            "rescue: {captive: tallow, result: failed}",
            "sell_captive: {captive: tallow, by: mags}",
            "hand_over: {gang: iron-skulls, item: cleaver, from: tallow, to: krug}",
        ),
    )
    assert "entry 4 (hand_over), line 8: Tallow is sold: nothing more can be done with this fighter." in said


def test_what_the_dead_carried_is_handed_out_of_the_stash_alone(quiet: Arbitrator) -> None:
    taken = "hand_over: {gang: iron-skulls, item: mesh, from: hob, to: pip}"
    said = quiet.refused(1, "battle", "post", after(quiet, "toll", "end_actions: {gang: iron-skulls}", taken))
    assert "Hob Nine-Fingers is dead: nothing more can be done with this fighter." in said


def test_who_works_a_resource_has_acted_with_that(empty: Arbitrator) -> None:
    begin(empty, "--ruleset", "necromunda_archive", sheets=SHEETS)
    empty.record(report("quiet"))
    pans = "territory: {gang: iron-skulls, territory: pans, name: Salt Pans}"
    worked = "income: {territory: pans, amount: 30, worked_by: krug}"
    said = empty.refused(
        1,
        "battle",
        "post",
        after(
            empty,
            "quiet",
            pans,
            worked,
            "trade: {by: krug}",
            "reputation: {gang: iron-skulls, by: 1, why: late}",
        ),
    )
    assert "2 entries are refused, and nothing of this file was recorded:" in said
    assert (
        "entry 3 (trade), line 6: Krug the Anvil has acted already in this sequence (Work a resource)" in said
    )
    assert "entry 4 (reputation), line 7: Iron Skulls has begun 'Actions' already" in said
    empty.done("battle", "post", after(empty, "quiet", pans, worked, "trade: {by: vex}"))


def test_nothing_reaches_a_captive(table: Arbitrator) -> None:
    # Sable's gang buys for her and hands her a thing; a word of the Arbitrator does not bring it to her either.
    said = table.refused(
        1,
        "battle",
        "post",
        after(
            table,
            "mess",
            CAPTIVE,
            "buy: {gang: gilded-cage, item: goggles}",
            "hand_over: {gang: gilded-cage, item: goggles, to: sable, reason: smuggled}",
        ),
    )
    assert "entry 3 (hand_over), line 7: " in said
    assert "Sable is a captive of Iron Skulls" in said
