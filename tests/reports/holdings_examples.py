"""What is said of money, things and advancement."""

from tracker.campaign import records
from tracker.campaign.profiles import Item
from tracker.records import replace

CHAIN = Item(name="chain", kind="wargear", cost_credits=20)
BARE = replace(CHAIN, cost_credits=0)
STASH = "stash:iron-skulls"
MOVED = records.ItemMoved(
    item=CHAIN,
    source="@trading_post",
    target=STASH,
    source_gang=None,
    target_gang="iron-skulls",
    why="chain bought",
    section="S",
)

HOLDINGS_SENTENCES: list[tuple[records.Event, str]] = [
    (
        records.CreditsMoved(
            source="iron-skulls", target="@doc", amount=70, why="the Doc's fee", section="S"
        ),
        "70 credits, iron-skulls -> the Doc: the Doc's fee",
    ),
    (
        records.CreditsMoved(source="@rewards", target="iron-skulls", amount=1, why="scenario", section="S"),
        "1 credit, rewards -> iron-skulls: scenario",
    ),
    (MOVED, "chain (worth 20 credits), the Trading Post -> the stash of iron-skulls: chain bought"),
    (
        replace(MOVED, item=BARE, source=STASH, target="fighter:krug", why="handed out"),
        "chain, the stash of iron-skulls -> Krug: handed out",
    ),
    (
        replace(MOVED, source="fighter:krug", target="@lost", why="Krug died"),
        "chain (worth 20 credits), Krug -> nowhere: lost: Krug died",
    ),
    (
        records.FighterCostChanged(fighter="krug", before=100, after=120, why="chain"),
        "Krug counts for 100 -> 120 credits: chain",
    ),
    (
        records.VehicleCostChanged(vehicle="rig", before=100, after=80, why="ram gone"),
        "rig counts for 100 -> 80 credits: ram gone",
    ),
    (
        records.VehicleCrewChanged(vehicle="rig", before=None, after="krug", why="crew chosen"),
        "rig is driven by Krug: crew chosen",
    ),
    (
        records.VehicleCrewChanged(vehicle="rig", before="krug", after=None, why="Krug died"),
        "rig stands in the stash: Krug died",
    ),
    (records.VehicleGone(vehicle="rig", why="rig scrapped"), "rig is gone: rig scrapped"),
    (
        records.RatingRecorded(gang="iron-skulls", before=None, after=900, wealth=960, section="S"),
        "iron-skulls: rating 900, wealth 960",
    ),
    (
        records.RatingRecorded(gang="iron-skulls", before=900, after=950, wealth=990, section="S"),
        "iron-skulls: rating 900 -> 950, wealth 990",
    ),
    (
        records.ExperienceSpent(fighter="krug", amount=6, why="Weapon Skill", section="S"),
        "Krug spends 6 XP: Weapon Skill",
    ),
    (
        records.AdvancementTaken(
            fighter="krug", advancement="weapon_skill", name="Weapon Skill", advancements=2, section="S"
        ),
        "Krug advances: Weapon Skill (advancement 2)",
    ),
    (
        records.FighterPromoted(
            fighter="krug",
            category_before="champion",
            category="leader",
            kind_before="Forge Champion",
            kind="Forge Boss",
            why="leads the gang from now on",
            section="S",
        ),
        "Krug: champion (Forge Champion) -> leader (Forge Boss), leads the gang from now on",
    ),
    (
        records.BionicRuined(fighter="krug", place="hobbled", name="tin leg", section="S"),
        "Krug's tin leg is ruined (Hobbled)",
    ),
    (
        records.BionicFitted(fighter="krug", place="hobbled", name="tin leg", section="S"),
        "Krug gets a bionic, tin leg (Hobbled)",
    ),
]

BUY = records.BuyItem(gang="iron-skulls", item=CHAIN, market="common")
CARD = records.FighterCard(
    fighter="pip", name="Pip", category="juve", kind="Rat", cost_credits=25, characteristics={}
)
RIDE = records.VehicleCard(
    vehicle="rig",
    name="Rig",
    cost_credits=100,
    movement=7,
    toughness_front=5,
    toughness_side=5,
    toughness_rear=4,
    hit_points=3,
    handling=6,
    crew="",
)

HOLDINGS_WORDS: list[tuple[records.Command, str]] = [
    (
        records.MoveCredits(source="iron-skulls", target="@doc", amount=5, reason="a debt"),
        "move 5 credits, iron-skulls -> the Doc: a debt",
    ),
    (BUY, "buy chain (at the Trading Post): iron-skulls"),
    (
        replace(BUY, market="own_list", fighter="krug", reason="agreed"),
        "buy chain (from the own list) for Krug: iron-skulls: agreed",
    ),
    (records.SellItem(gang="iron-skulls", item="chain"), "sell chain: iron-skulls"),
    (
        records.MoveItem(item="chain", source=STASH, target="fighter:krug"),
        "hand over chain, the stash of iron-skulls -> Krug",
    ),
    (records.HireFighter(gang="iron-skulls", card=CARD), "hire Pip for iron-skulls"),
    (records.BuyVehicle(gang="iron-skulls", card=RIDE), "buy vehicle Rig for iron-skulls"),
    (records.CrewVehicle(vehicle="rig", fighter="krug"), "Krug drives rig"),
    (records.CrewVehicle(vehicle="rig", fighter=None), "rig into the stash"),
    (records.ScrapVehicle(vehicle="rig"), "scrap rig"),
    (records.RemoveUpgrade(vehicle="rig", upgrade="ram"), "take ram off rig"),
    (
        records.BuyAdvancement(fighter="krug", advancement="weapon_skill"),
        "advancement of Krug: weapon skill",
    ),
    (records.RollAdvancement(fighter="krug"), "advancement roll of Krug"),
    (
        records.PromoteFighter(fighter="krug", category="champion", kind="Boss", reason="agreed"),
        "promote Krug to champion: agreed",
    ),
    (records.NameLeader(gang="iron-skulls"), "a new Leader for iron-skulls"),
    (records.NameLeader(gang="iron-skulls", fighter="krug"), "a new Leader for iron-skulls: Krug"),
    (
        records.FitBionic(fighter="krug", place="hobbled", item="tin leg", characteristics=("movement",)),
        "fit tin leg to Krug",
    ),
    (records.CleanHouse(gang="iron-skulls"), "clean house: iron-skulls"),
    (records.RecordRating(gang="iron-skulls"), "work out the rating of iron-skulls"),
]
