"""The post-battle file: what each entry asks for, what is refused."""

from functools import cache

import jsonschema
import pytest
from document_examples import ROOT, example_in
from tables import every

from tracker.campaign import records
from tracker.campaign.after_battle import AfterBattle
from tracker.campaign.profiles import Item
from tracker.campaign.state import CampaignState, Gang
from tracker.documents.armoury import PriceLookup
from tracker.documents.post_battle import ENTRIES as ENTRY_KEYS
from tracker.documents.post_battle import PostBattlePlan, post_battle_heading, post_battle_plan
from tracker.documents.refusals import DocumentRefused
from tracker.documents.schemas import json_schema
from tracker.documents.yaml_reader import parse_document
from tracker.records import replace
from tracker.rules import loader


@cache
def schema() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json_schema("post-battle"))


HEAD = "format: post-battle/1\nbattle: toll\n"


def plan(text: str, book: str = "necromunda_2023") -> PostBattlePlan:
    document = parse_document(text, file="after.yaml")
    nothing = PriceLookup(state=CampaignState())
    return post_battle_plan(document, purposes=loader.book(book).purposes, lookup=nothing)


def file_of(*entries: str, head: str = HEAD) -> str:
    return head + "entries:\n" + "".join(f"  - {entry}\n" for entry in entries)


ENTRIES: list[tuple[str, records.Command]] = [
    ("{escape: {fighter: vex}}", records.RollEscape(fighter="vex")),
    (
        "{escape: {fighter: vex, holder: saints, result: drawn, webbed: true, late: forgotten}}",
        records.RollEscape(fighter="vex", holder="saints", result="drawn", webbed=True, late="forgotten"),
    ),
    (
        "{capture: {gang: saints, captive: vex, bounty_hunters: 1, restrained: 2, law_and_misrule: true}}",
        records.RollCapture(gang="saints", captive="vex", bounty_hunters=1, restrained=2, law_and_misrule=True),
    ),
    ("{scrap: {gang: saints}}", records.ClaimScrap(gang="saints")),
    ("{scrap: {gang: saints, wrecks: [rig]}}", records.ClaimScrap(gang="saints", wrecks=("rig",))),
    (
        "{reward: {gang: saints, dice: 2, die: D3, times: 5, credits: 20, why: loot}}",
        records.TakeReward(gang="saints", why="loot", dice=2, die="D3", times=5, credits_fixed=20),
    ),
    ("{reputation: {gang: saints, by: -2, why: fled}}", records.ChangeReputation(gang="saints", by=-2, why="fled")),
    (
        "{alignment: {gang: saints, alignment: outlaw, why: born so}}",
        records.StateAlignment(gang="saints", alignment="outlaw", why="born so"),
    ),
    (
        "{trade_captive: {captive: vex, to: skulls, price: 50, for_captive: dot}}",
        records.TradeCaptive(captive="vex", to="skulls", price=50, for_captive="dot"),
    ),
    ("{rescue: {captive: vex, result: declined}}", records.EndRescue(captive="vex", result="declined")),
    ("{return_captive: {captive: vex, why: mercy}}", records.ReturnCaptive(captive="vex", why="mercy")),
    ("{captive_works: {captive: vex, territory: mine}}", records.PutCaptiveToWork(captive="vex", territory="mine")),
    ("{captive_works: {captive: vex, territory: nowhere}}", records.PutCaptiveToWork(captive="vex", territory=None)),
    ("{sell_captive: {captive: vex, by: mags}}", records.SellCaptive(captive="vex", by="mags")),
    ("{claim_bounty: {captive: vex, by: mags}}", records.ClaimBounty(captive="vex", by="mags")),
    ("{dispose_of_captive: {captive: vex, by: mags}}", records.DisposeOfCaptive(captive="vex", by="mags")),
    ("{medical_escort: {patient: vex, by: krug, paid: false}}", records.MedicalEscort(patient="vex", by="krug", paid=False)),
    ("{end_actions: {gang: skulls}}", records.EndActions(gang="skulls")),
    ("{repairs: {vehicle: rig, by: krug, worth: 100}}", records.NegotiateRepairs(vehicle="rig", by="krug", worth=100)),
    ("{trade: {by: krug}}", records.Trade(by="krug")),
    (
        "{seek_rare: {gang: skulls, market: black_market, extra: 1, extra_why: a fixer}}",
        records.SeekRare(gang="skulls", market="black_market", extra=1, extra_why="a fixer"),
    ),
    (
        "{territory: {gang: skulls, territory: ruin, kind: old_ruins}}",
        records.GainTerritory(gang="skulls", territory="ruin", kind="old_ruins", staked=True, why="the stake of the battle"),
    ),
    ("{lose_territory: {territory: ruin, why: burnt}}", records.LoseTerritory(territory="ruin", why="burnt")),
    ("{took_part: {gang: skulls}}", records.AwardTakingPart(gang="skulls")),
    (
        "{took_part: {gang: skulls, amount: 2, without: [vex], reason: Looters}}",
        records.AwardTakingPart(gang="skulls", amount=2, without=("vex",), reason="Looters"),
    ),
    (
        "{awards: {fighters: [vex, krug], amount: 2, reason: held the bridge}}",
        records.AwardSeveral(fighters=("vex", "krug"), amount=2, reason="held the bridge"),
    ),
    ("{mvp: {fighter: vex}}", records.RollPraise(fighter="vex", praise="mvp")),
    ("{painted: {fighter: vex}}", records.RollPraise(fighter="vex", praise="painted")),
    ("{recruit: {territory: settlement}}", records.TakeRecruit(territory="settlement")),
    (
        "{equipment: {territory: sea, item: {name: choke gas grenades, kind: wargear, cost: 50}}}",
        records.TakeEquipment(
            territory="sea", item=Item(name="choke gas grenades", kind="wargear", cost_credits=50)
        ),
    ),
    (
        "{patronage: {gang: skulls, against: saints, reason: agreed}}",
        records.TakePatronage(gang="skulls", against="saints", reason="agreed"),
    ),
    ("{battle_experience: {gang: skulls}}", records.AwardBattleExperience(gang="skulls")),
    ("{battle_experience: {gang: skulls, deeds: [vex]}}", records.AwardBattleExperience(gang="skulls", deeds=("vex",))),
    ("{latecomer: {fighter: vex, missed: 2}}", records.AwardLatecomer(fighter="vex", missed=2)),
    (
        "{learn: {fighter: vex, tables: [melee, stealth], choose: stealth, patron_skill: Bell}}",
        records.LearnSkill(fighter="vex", tables=("melee", "stealth"), choose="stealth", patron_skill="Bell"),
    ),
    (
        "{promotions: {gang: skulls, troops: {odo: 2, wil: 1}, deeds_by: [odo]}}",
        records.RollPromotions(
            gang="skulls",
            dice=(records.PromotionDice(fighter="odo", dice=2), records.PromotionDice(fighter="wil", dice=1)),
            deeds=1,
            deeds_by=("odo",),
        ),
    ),
    (
        "{promotions: {gang: skulls, troops: {odo: 2}, deeds: 3}}",
        records.RollPromotions(gang="skulls", dice=(records.PromotionDice(fighter="odo", dice=2),), deeds=3),
    ),
    ("{threshold: {gang: skulls, game: 12}}", records.RaiseThreshold(gang="skulls", game=12)),
    (
        "{reinforcements: {gang: skulls, worth: 300, less: 200}}",
        records.CallReinforcements(gang="skulls", worth=300, less=200),
    ),
    ("{explore: {gang: skulls}}", records.Explore(gang="skulls")),
    (
        (
            "{explore: {gang: skulls, rerolls: [1, 3], more_dice: 1, more_rerolls: 1,"
            " location: {name: Chapel, score: 12, kind: rare}}}"
        ),
        records.Explore(
            gang="skulls",
            rerolls=(1, 3),
            more_dice=1,
            more_rerolls=1,
            location="Chapel",
            location_score=12,
            location_kind="rare",
        ),
    ),
    ("{glory: {gang: skulls, by: -1, why: relic}}", records.ChangeGlory(gang="skulls", by=-1, why="relic")),
    ("{ransom: {fighter: vex, ducats: 50, to: saints}}", records.SettleRansom(fighter="vex", ducats=50, to="saints")),
    ("{ransom: {fighter: vex, unpaid: true}}", records.SettleRansom(fighter="vex", ducats=None)),
    ("{shell_shock: {fighter: vex}}", records.RollShellShock(fighter="vex")),
    (
        "{income: {territory: ruin, dice: 3, counted: 1, struck: vex, worked_by: krug}}",
        records.TakeIncome(territory="ruin", dice=3, counted=1, struck="vex", worked_by="krug", reading=2),
    ),
]  # fmt: skip


@every(("entry", "expected"), ENTRIES)
def test_an_entry_is_the_command_it_says_and_the_schema_knows_it(
    entry: str, expected: records.Command
) -> None:
    written = file_of(entry)
    assert plan(written).decisions[0].command == expected
    schema().validate(parse_document(written, file="f").root.plain())


def test_the_example_in_the_docs_is_read_whole() -> None:
    read = plan(example_in("post-battle.md"))
    assert (read.battle, read.key, len(read.decisions)) == ("toll", "post:toll", 13)
    assert [die.shown() for die in read.decisions[8].dice] == ["2+2", "3", "4-4"]


def test_a_file_of_one_gang_or_a_further_part_has_a_key_of_its_own() -> None:
    head = HEAD + "gang: skulls\npart: market-day\n"
    assert plan(file_of("{trade: {by: krug}}", head=head)).key == "post:toll:skulls:market-day"


@every(
    ("text", "said"),
    [
        (HEAD, "the key 'entries' is missing"),
        (HEAD + "entries: []\n", "at least 1 of them"),
        (file_of("{note: nothing}"), "nothing is done in this entry"),
        (file_of("{trade: {by: a}, end_actions: {gang: b}}"), "write an entry for each"),
        (file_of("{trade: null}"), "trade is empty"),
        (file_of("{trad: {by: a}}"), "Did you mean 'trade'"),
        (file_of("{rescue: {captive: a, result: lost}}"), "one of rescued, failed, declined"),
        (file_of("{reputation: {gang: a, by: 200, why: b}}"), "a whole number from -100 to 100"),
        (file_of("{ransom: {fighter: a}}"), "write either `ducats` or `unpaid: true`"),
        (file_of("{ransom: {fighter: a, ducats: 1, unpaid: true}}"), "write either `ducats`"),
        (file_of("{promotions: {gang: a, troops: {}}}"), "at least 1 of them"),
        (file_of("{learn: {fighter: a, tables: [melee], choose: melee}}"), "at least 2 of them"),
        (
            file_of("{captive_works: {captive: a, territory: 7}}"),
            "the id or the name of a territory, or nowhere",
        ),
        (file_of("{trade: {by: a}, dice: {escaped: [1]}}"), "no die is rolled for this"),
        (file_of("{escape: {fighter: a}, dice: {escape: [7]}}"), "a whole number from 1 to 6"),
        (file_of("{medical_escort: {patient: a, by: b}, dice: {doctor_fee: [7]}}"), "both faces of two D6"),
    ],
)
def test_a_wrong_post_battle_file_is_refused(text: str, said: str) -> None:
    with pytest.raises(DocumentRefused, match=said):
        plan(text)


@every("kind", ENTRY_KEYS)
def test_every_entry_is_described_on_the_page(kind: str) -> None:
    page = (ROOT / "docs" / "formats" / "post-battle.md").read_text(encoding="utf-8")
    assert f"`{kind}`" in page


def test_a_file_tells_of_no_gang_that_was_not_in_its_battle() -> None:
    after = AfterBattle(battle="toll", number=1, crews={"skulls": (), "saints": ()}, winner=None, drawn=True)
    elsewhere = replace(after, battle="bridge", number=2, crews={"hawks": ()})
    gangs = {
        name: Gang(gang=name, name=name, house="-", player="-", credits=0, reputation=1)
        for name in ("skulls", "saints", "hawks")
    }
    state = CampaignState(
        gangs=gangs,
        gang_of={"hob": "hawks", "vex": "skulls"},
        after_battle={"skulls": after, "saints": after, "hawks": elsewhere},
    )
    entries = (
        "{trade: {by: hob}}",
        "{took_part: {gang: hawks}}",
        "{trade: {by: vex}}",
        "{end_actions: {gang: saints}}",
    )
    document = parse_document(file_of(*entries), file="after.yaml")
    with pytest.raises(DocumentRefused) as refused:
        post_battle_plan(document, purposes={}, lookup=PriceLookup(state=state))
    message = refused.value.message()
    assert message.count("hawks was not in battle toll") == 2
    assert "skulls" not in message
    assert "saints" not in message


def test_what_a_file_is_recorded_as_needs_no_armoury() -> None:
    hired = file_of("{hire: {gang: skulls, type: Ganger, name: Gil}}")
    document = parse_document(hired, file="after.yaml")
    with pytest.raises(DocumentRefused):
        plan(hired)
    heading = post_battle_heading(document, book="necromunda_2023")
    assert (heading.key, heading.decisions) == ("post:toll", ())
