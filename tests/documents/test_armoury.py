"""The armoury file: what it lists, how it is looked up, and what a post-battle file makes of it."""

import pytest
from document_examples import example_in
from tables import every

from tracker.campaign import records
from tracker.campaign.after_battle import Territory
from tracker.campaign.fighters import Fighter
from tracker.campaign.profiles import Weapon, WeaponProfile
from tracker.campaign.state import CampaignState, Gang
from tracker.documents.armoury import Armoury, NotInArmoury, OfAnotherHouse, PriceLookup, read_armoury
from tracker.documents.post_battle import post_battle_heading, post_battle_plan
from tracker.documents.refusals import DocumentRefused
from tracker.documents.written_cards import type_written
from tracker.documents.yaml_reader import parse_document
from tracker.records import replace
from tracker.rules import loader

ARMOURY = read_armoury(parse_document(example_in("armoury.md"), file="armoury.yaml"))
NUMBERS = "{M: 5, WS: 4, BS: 4, S: 3, T: 3, W: 1, I: 4, A: 1, Ld: 7, Cl: 7, Wil: 7, Int: 7}"
FEROCITY = ("Gnaw", "Howl", "Lunge", "Maul", "Nettle", "Outlast")


def a_state() -> CampaignState:
    """Krug, a Forge Hand of the Forge Clans, and a vehicle called rig."""
    krug = Fighter(
        fighter="krug",
        gang="skulls",
        name="Krug",
        category="ganger",
        kind="Forge Hand",
        cost_credits=55,
        characteristics={},
    )
    skulls = Gang(
        gang="skulls",
        name="Skulls",
        house="Forge Clans",
        player="p",
        credits=0,
        reputation=1,
        fighters={"krug": krug},
    )
    return CampaignState(gangs={"skulls": skulls}, gang_of={"krug": "skulls"}, vehicle_of={"rig": "skulls"})


def two_gangs() -> CampaignState:
    """Beside the Skulls the Saints, with nobody yet and a settlement."""
    state = a_state()
    saints = replace(state.gangs["skulls"], gang="saints", name="Saints", fighters={})
    home = Territory(territory="home", kind="settlement", name="Home", holder="saints")
    return replace(state, gangs={**state.gangs, "saints": saints}, territories={"home": home})


def plan_of(
    entries: str, *, with_armoury: bool = True, state: CampaignState | None = None
) -> tuple[records.Command, ...]:
    """The commands of these entries."""
    text = f"format: post-battle/1\nbattle: one\nentries:\n{entries}\n"
    lookup = PriceLookup(state=state or a_state(), armoury=ARMOURY if with_armoury else None)
    purposes = loader.book("necromunda_2023").purposes
    plan = post_battle_plan(parse_document(text, file="post.yaml"), purposes=purposes, lookup=lookup)
    return tuple(decision.command for decision in plan.decisions)


def test_in_trench_crusade_a_weapon_is_bought_without_s_ap_and_d() -> None:
    book = loader.book("trench_crusade")
    text = (
        "format: post-battle/1\nbattle: one\nentries:\n"
        '  - buy: {gang: skulls, item: {name: rifle, cost: 10, weapon: {range: {long: 24"}}}}\n'
    )
    lookup = PriceLookup(state=replace(a_state(), book=book.book), armoury=None)
    document = parse_document(text, file="post.yaml")
    assert post_battle_heading(document, book=book.book).battle == "one"
    plan = post_battle_plan(document, purposes=book.purposes, lookup=lookup)
    (bought,) = [decision.command for decision in plan.decisions]
    assert isinstance(bought, records.BuyItem)
    profile = WeaponProfile(strength=0, damage=None, range_long_inches=24)
    assert bought.item.weapon == Weapon(weapon="rifle", profiles=(profile,), cost_credits=10)
    with pytest.raises(DocumentRefused, match="the key 'S' is missing"):
        post_battle_heading(document, book="necromunda_2023")


def test_a_thing_is_looked_up_whatever_its_capital_letters_and_carries_its_numbers() -> None:
    gun = ARMOURY.offer("NAIL gun")
    assert (gun.item.kind, gun.item.cost_credits, gun.market, gun.number) == ("weapon", 10, "common", None)
    assert gun.item.weapon is not None
    assert (gun.item.weapon.weapon, gun.item.weapon.cost_credits) == ("nail gun", 10)
    boomer = ARMOURY.offer("boomer")
    assert (boomer.market, boomer.number) == ("rare", 9)
    assert boomer.item.weapon is not None
    assert boomer.item.weapon.counts_as == 2
    assert ARMOURY.offer("spirit jar").item.kind == "wargear"
    coat = ARMOURY.offer("mesh coat").item.armour
    assert coat is not None
    assert coat.save == 5


def test_a_type_on_a_sheet_says_whether_it_is_a_gang_fighter_where_its_card_does() -> None:
    listed = ARMOURY.fighter_type("Forge Hand").card
    book = loader.book("necromunda_2023").characteristics
    assert "gang_fighter" not in type_written(listed, book)
    for says in (True, False):
        assert type_written(replace(listed, gang_fighter=says), book)["gang_fighter"] is says


def test_the_own_list_has_its_own_price() -> None:
    listed = ARMOURY.on_list("forge clans", "nail gun")
    assert (listed.item.cost_credits, listed.market) == (8, "own_list")
    assert listed.item.weapon is not None
    assert listed.item.weapon.cost_credits == 8
    with pytest.raises(NotInArmoury, match="boomer"):
        ARMOURY.on_list("Forge Clans", "boomer")


def test_access_to_a_set_of_skills_is_the_types() -> None:
    assert ARMOURY.skill_set("ferocity", kind="Forge Hand") == records.SkillSet(
        name="Ferocity", skills=FEROCITY, access="primary"
    )
    assert ARMOURY.skill_set("ferocity", kind="Somebody Else").access is None


def types_of(*houses: str | None) -> Armoury:
    """An armoury where these houses have a type called Hand, each at a price of its own: 10, 20, 30 ..."""
    lines = [
        f"  - {{type: Hand, category: ganger, cost: {10 * number}, characteristics: {NUMBERS}"
        + (f", house: {house}}}" if house is not None else "}")
        for number, house in enumerate(houses, start=1)
    ]
    text = "\n".join(["format: armoury/1", "fighters:", *lines])
    return read_armoury(parse_document(text, file="armoury.yaml"))


@every(
    ("listed", "house", "price"),
    [
        (("Clans", "Court"), "clans", 10),
        (("Clans", "Court"), "Court", 20),
        (("Clans", None), "Clans", 10),
        ((None, "Clans"), "Clans", 20),
        ((None, "Clans"), "Court", 10),
        (("Clans", None), "Court", 20),
        ((None,), "Court", 10),
    ],
)
def test_a_gang_hires_its_own_houses_type_else_anybodys(
    listed: tuple[str | None, ...], house: str, price: int
) -> None:
    assert types_of(*listed).type_to_hire("hand", house).card.cost_credits == price


def test_a_type_of_another_house_alone_is_not_for_hire() -> None:
    with pytest.raises(
        OfAnotherHouse, match=r"lists 'Hand' for Clans, and this gang is of Court.*--beyond-rules"
    ):
        types_of("Clans").type_to_hire("Hand", "Court")
    # Who has one all the same learns and is measured as that type is.
    assert types_of("Clans").fighter_type("Hand", "Court").card.cost_credits == 10


@every(
    ("line", "text"),
    [
        ("items: [{name: gun, cost: 5, kind: weapon}]", "a weapon needs its numbers"),
        ("items: [{name: coat, cost: 5, kind: armour}]", "armour needs its `save`"),
        ("items: [{name: coat, cost: 5, kind: armour, save: 5, weapon: {S: 3, AP: 0, D: 1}}]", "a weapon's numbers"),
        ("items: [{name: rope, cost: 5}, {name: Rope, cost: 6}]", "listed already"),
        ("items: [{name: rope, cost: 5, availability: scarce}]", "Common, Rare (9) or Illegal (9)"),
        ("items: [{name: rope, cost: 5, worth: 6}]", "unknown key"),
        ("skills: [{name: Six, skills: [A, B, C, D, E, a]}]", "six skills, each once"),
        ("skills: [{name: Six, skills: [A, B, C]}]", "at least 6"),
        ("lists: [{house: Clans, items: [{name: rope}]}]", "is not under `items`"),
        (
            f"fighters: [{{type: T, category: ganger, cost: 5, primary: [Song], characteristics: {NUMBERS}}}]",
            "is not under `skills`",
        ),
        (
            "items: [{name: gun, cost: 5, weapon: {profiles: [{S: 3, AP: 0, D: 1}, {S: 4, AP: 0, D: 1}]}}]",
            "`name` of its own",
        ),
    ],
)  # fmt: skip
def test_an_armoury_is_refused_with_what_is_wrong_and_where(line: str, text: str) -> None:
    with pytest.raises(DocumentRefused) as caught:
        read_armoury(parse_document(f"format: armoury/1\n{line}\n", file="a.yaml"))
    assert text in caught.value.message()


@every(
    ("entry", "kind", "facts"),
    [
        ("hire: {gang: skulls, type: forge hand, name: Nib, price: 0, xp: 2}", records.HireFighter, {"price": 0}),
        ("buy: {gang: skulls, item: boomer, found: 9}", records.BuyItem, {"market": "rare", "number": 9, "found": 9}),
        ("buy: {gang: skulls, item: nail gun, for: krug}", records.BuyItem, {"market": "own_list", "fighter": "krug"}),
        ("buy: {gang: skulls, item: {name: rope, cost: 3}}", records.BuyItem, {"market": "common", "price": None}),
        ("sell: {gang: skulls, item: rope, worth: 4}", records.SellItem, {"item": "rope", "worth": 4}),
        (
            "hand_over: {gang: skulls, item: rope, from: krug, to: rig}",
            records.MoveItem,
            {"source": "fighter:krug", "target": "vehicle:rig"},
        ),
        ("hand_over: {gang: skulls, item: rope}", records.MoveItem, {"source": "stash:skulls", "target": "stash:skulls"}),
        ("hand_over: {gang: skulls, item: rope, to: lost}", records.MoveItem, {"target": "@lost"}),
        ("retire: {fighter: krug, reason: old}", records.RetireFighter, {"gear_to_stash": True}),
        ("crew: {vehicle: rig, fighter: krug}", records.CrewVehicle, {"fighter": "krug"}),
        ("scrap_vehicle: {vehicle: rig, base: 80}", records.ScrapVehicle, {"base": 80}),
        ("remove_upgrade: {vehicle: rig, upgrade: ram}", records.RemoveUpgrade, {"upgrade": "ram"}),
        ("credits: {from: '@rewards', to: skulls, amount: 5, reason: r}", records.MoveCredits, {"amount": 5}),
        ("clean_house: {gang: skulls}", records.CleanHouse, {"saved": None}),
        ("rating: {gang: skulls}", records.RecordRating, {"gang": "skulls"}),
        (
            "advance: {fighter: krug, take: primary_chosen, set: ferocity, skill: Maul}",
            records.BuyAdvancement,
            {"skill_set": records.SkillSet(name="Ferocity", skills=FEROCITY, access="primary"), "skill": "Maul"},
        ),
        ("ganger_roll: {fighter: krug, choose: [cool]}", records.RollAdvancement, {"choose": ("cool",)}),
        ("promote: {fighter: krug, to: champion, type: Boss}", records.PromoteFighter, {"kind": "Boss", "basic_profile": {}}),
        ("new_leader: {gang: skulls, type: Forge Hand}", records.NameLeader, {"kind": "Forge Hand"}),
        (
            "bionic: {fighter: krug, place: hobbled, item: tin leg, improves: [movement]}",
            records.FitBionic,
            {"characteristics": ("movement",)},
        ),
    ],
)  # fmt: skip
def test_each_entry_asks_for_its_command(entry: str, kind: type, facts: dict[str, object]) -> None:
    (command,) = plan_of(f"  - {entry}")
    assert type(command) is kind
    assert {name: getattr(command, name) for name in facts} == facts


@every(("crew", "driver"), [("", ""), (", crew: krug", "krug")])
def test_a_vehicle_is_bought_with_its_card_and_perhaps_a_driver(crew: str, driver: str) -> None:
    card = f"name: Ash Rig, cost: 90, M: 7, T: {{front: 5, side: 5, rear: 4}}, HP: 3, Hnd: 6+{crew}"
    (command,) = plan_of(f"  - buy_vehicle: {{gang: skulls, vehicle: {{{card}}}, price: 80}}")
    assert isinstance(command, records.BuyVehicle)
    assert (command.card.vehicle, command.card.crew, command.price) == ("ash-rig", driver, 80)


RIG = "name: Rig, cost: 90, M: 7, T: {front: 5, side: 5, rear: 4}, HP: 3, Hnd: 6+"
KRUG = f"name: Krug, category: ganger, type: Forge Hand, cost: 55, characteristics: {NUMBERS}"


@every(
    "entry, ids",
    [
        ("hire: {gang: saints, type: Forge Hand, name: Krug}", ("krug-2",)),
        (f"hire: {{gang: saints, fighter: {{{KRUG}}}}}", ("krug-2",)),
        ("hire: {gang: saints, type: Forge Hand, name: Rig}", ("rig-2",)),
        ("hire: {gang: saints, type: Forge Hand, name: Krug, id: krug}", ("krug",)),
        (f"buy_vehicle: {{gang: saints, vehicle: {{{RIG}}}}}", ("rig-2",)),
        (f"buy_vehicle: {{gang: saints, vehicle: {{{RIG}, id: rig}}}}", ("rig",)),
        ("recruit: {territory: home, who: [{type: Forge Hand, name: Krug}]}", ("krug-2",)),
        ("recruit: {territory: home, who: [{type: Forge Hand, name: Krug, id: big-krug}]}", ("big-krug",)),
        # Whoever hires their own Krug once more may have written him down twice: the rules refuse it.
        ("hire: {gang: skulls, type: Forge Hand, name: Krug}", ("krug",)),
    ],
)
def test_a_name_that_another_gang_has_gives_a_numbered_id_and_an_id_that_is_written_stays(
    entry: str, ids: tuple[str, ...]
) -> None:
    assert ids_in(plan_of(f"  - {entry}", state=two_gangs())) == [*ids]


def test_two_gangs_may_take_on_models_of_one_name_in_one_file() -> None:
    hires = [
        f"hire: {{gang: {gang}, type: Forge Hand, name: Mik}}" for gang in ("skulls", "saints", "skulls")
    ]
    vehicles = [f"buy_vehicle: {{gang: {gang}, vehicle: {{{RIG}}}}}" for gang in ("saints", "skulls")]
    recruit = "recruit: {territory: home, who: [{type: Forge Hand, name: Mik}]}"
    entries = "\n".join(f"  - {entry}" for entry in (*hires, *vehicles, recruit))
    state = replace(two_gangs(), vehicle_of={})
    assert ids_in(plan_of(entries, state=state)) == ["mik", "mik-2", "mik", "rig", "rig-2", "mik-2"]


def test_who_is_meant_by_a_name_that_the_file_brought_again_is_asked_for() -> None:
    """Else the line would quietly be about the other gang's."""
    hire, retire = (
        "  - hire: {gang: saints, type: Forge Hand, name: Krug}\n",
        "  - retire: {fighter: Krug, reason: x}\n",
    )
    with pytest.raises(DocumentRefused) as caught:
        plan_of(hire + retire, state=two_gangs())
    message = caught.value.message()
    assert "'krug' is of skulls, and who came under that name in a line above is 'krug-2'" in message
    assert "post.yaml:5:" in message
    for entries in (
        retire + hire,
        hire + retire.replace("Krug", "krug-2"),
        hire.replace("name: Krug", "name: Krug, id: k2") + retire,
    ):
        assert len(plan_of(entries, state=two_gangs())) == 2


def ids_in(commands: tuple[records.Command, ...]) -> list[str]:
    """The ids of who and what these commands bring."""
    found = []
    for command in commands:
        match command:
            case records.HireFighter():
                found.append(command.card.fighter)
            case records.BuyVehicle():
                found.append(command.card.vehicle)
            case records.TakeRecruit():
                found += [card.fighter for card in command.cards]
    return found


def test_a_new_types_profile_is_taken_from_the_armoury() -> None:
    (command,) = plan_of("  - promote: {fighter: krug, to: specialist, type: forge hand}")
    assert isinstance(command, records.PromoteFighter)
    assert command.basic_profile["wounds"] == 1


def test_everything_that_no_armoury_lists_is_named_with_its_place() -> None:
    entries = (
        "  - buy: {gang: skulls, item: sun gun}\n"
        "  - hire: {gang: skulls, type: Forge King, name: Rex}\n"
        "  - advance: {fighter: krug, take: primary_random, set: Song}"
    )
    with pytest.raises(DocumentRefused) as caught:
        plan_of(entries)
    message = caught.value.message()
    assert all(word in message for word in ("sun gun", "Forge King", "Song", "post.yaml:4", "post.yaml:6"))
    with pytest.raises(DocumentRefused) as caught:
        plan_of(entries, with_armoury=False)
    assert caught.value.message().count("--armoury FILE") == 3


def test_a_hired_fighter_is_of_a_type_or_written_out_and_not_both() -> None:
    with pytest.raises(DocumentRefused) as caught:
        plan_of("  - hire: {gang: skulls, name: Nib}")
    assert "write either `type` and `name`" in caught.value.message()
