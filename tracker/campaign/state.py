"""State: what the events so far add up to. Frozen records with structural sharing.

Knows what later decisions need and no more: history, receipts and statements are boards. What an event
did not touch stays the same object, so boards can see by identity what to write.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import field

from tracker.campaign.after_battle import AfterBattle, Alignment, Cycle, Territory
from tracker.campaign.containers import OwnedDict, put
from tracker.campaign.fighters import Fighter
from tracker.campaign.members import BattleNumbers, Homes, Members
from tracker.campaign.profiles import Item, Weapon, WeaponProfile
from tracker.records import Record, replace
from tracker.rules.provable_dice import Protocol


class LastingDamageOnCard(Record):
    """Lasting damage on a vehicle's card."""

    damage: str
    name: str
    battle: int | None


class Vehicle(Record):
    """A vehicle between battles, its numbers as amended.

    `crew` is a fighter, "" where nobody drives it and it stands in the stash; `in_repair`: written off.
    `fitted` is what was bought for it; `gone`: scrapped or sold. `armament` are those of
    its `weapons` whose numbers stand on its own card.
    """

    vehicle: str
    gang: str
    name: str
    kind: str
    cost_credits: int
    movement: int
    toughness_front: int
    toughness_side: int
    toughness_rear: int
    hit_points: int
    handling: int
    save: int | None
    crew: str
    weapons: tuple[str, ...] = ()
    armament: tuple[Weapon, ...] = ()
    lasting_damage: tuple[LastingDamageOnCard, ...] = ()
    rattles: int = 0
    handling_modifier: int = 0
    unreliable: int = 0
    in_repair: bool = False
    times_wrecked: int = 0
    fitted: tuple[Item, ...] = ()
    gone: bool = False
    # The numbers that lasting damage can take, as enlisted: what a repair restores.
    as_enlisted: dict[str, int] = field(default_factory=dict)


class RecordBrought(Record):
    """Battles that a gang had fought where its campaign was kept before; `source` says where that was."""

    source: str
    battles: int
    won: int
    drawn: int
    lost: int


class Gang(Record):
    """A gang with its fighters and possessions. `rating_recorded` is the rating as last recomputed; None
    before that. `fighters` are all who ever enlisted, `enlisted` those who are not gone for good.
    """

    gang: str
    name: str
    house: str
    player: str
    credits: int
    reputation: int
    fighters: Mapping[str, Fighter] = field(default_factory=Members.nobody)
    vehicles: dict[str, Vehicle] = field(default_factory=dict)
    battles: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    stash: tuple[Item, ...] = ()
    rating_recorded: int | None = None
    corrupted: bool = False
    alignment: Alignment | None = None
    alignment_switched: bool = False
    enemy_vehicles_wrecked: int = 0
    territories: tuple[Territory, ...] = ()
    # Warbands: Glory, what the next game allows, promotion dice that failed in a row.
    glory: int = 0
    threshold_ducats: int | None = None
    field_strength: int | None = None
    promotion_failures: int = 0
    # Brought along: the record until then, and bonds that no rule counts.
    brought: RecordBrought | None = None
    allegiance: str | None = None
    alliances: tuple[str, ...] = ()
    patrons: tuple[str, ...] = ()

    @property
    def members(self) -> Members:
        """The fighters, the enlisted apart from the gone."""
        fighters = self.fighters
        return fighters if type(fighters) is Members else Members.of(fighters)

    @property
    def enlisted(self) -> dict[str, Fighter]:
        """The fighters who are not gone for good, in order of enlistment."""
        return self.members.enlisted


class Combatant(Record):
    """A fighter in the battle under way. Discarded when the battle ends."""

    wounds_left: int
    flesh_wounds: int = 0
    seriously_injured: bool = False
    seriously_injured_in_close_combat: bool = False
    pinned: bool = False
    webbed: bool = False
    out_of_action: bool = False
    seriously_injured_by: str | None = None
    broken: bool = False
    fled: bool = False
    # Ammunition: slots that need a Reload, slots jammed and 'slot|profile' used up for the battle.
    out_of_ammo: tuple[str, ...] = ()
    jammed: tuple[str, ...] = ()
    ammo_spent: tuple[str, ...] = ()
    # Where injuries are read off a chart, and the fate of the fallen is decided after the battle.
    blood_markers: int = 0
    blessing_markers: int = 0
    down: bool = False
    tough_spent: bool = False
    taken_out_by: str | None = None
    fate_decided: bool = False
    # Conditions (`records/conditions.py`). `lucid`: insane, but acting as normal in this activation.
    blaze: bool = False
    blind: bool = False
    insane: bool = False
    lucid: bool = False
    concussed: bool = False
    gunked: bool = False
    hidden: bool = False
    disarmed: bool = False
    # Traits and skills that work once in a battle and have: 'rule|slot' of a weapon, 'rule' of a skill.
    rules_used: tuple[str, ...] = ()


class LastFight(Record):
    """The last Fight: who may still react to it, who has, and how many of one activation it makes.

    `missed`: attacks that did not hit; `hampered`: what is taken off the reactions of who was entangled;
    `ride_by`: one attack in passing, answered by one.
    """

    fighter: str
    may_react: tuple[str, ...]
    count_as_turned: tuple[str, ...]
    charging: bool
    activation: str | None
    fights: int
    reacted: tuple[str, ...] = ()
    missed: int = 0
    hampered: dict[str, int] = field(default_factory=dict)
    ride_by: bool = False


class CombatVehicle(Record):
    """A vehicle within the battle under way. All of it is gone when the battle ends.

    `rolling`: it rolled over while Mobile, and how far it goes on is still to be rolled. `raised_movement`:
    what a die made of its Movement for a move, in the round `raised_in_round`. `turned_over`: its next
    Restart test is easier.
    """

    hit_points_left: int
    mobile: bool = True
    stalled: bool = False
    shaken: bool = False
    movement_capped: bool = False
    handling_hindered: int = 0
    weapons_destroyed: tuple[str, ...] = ()
    driver_flesh_wounds: int = 0
    driver_blacked_out: bool = False
    wrecked: bool = False
    rolling: bool = False
    out_of_ammo: tuple[str, ...] = ()
    jammed: tuple[str, ...] = ()
    ammo_spent: tuple[str, ...] = ()
    blaze: bool = False
    blind: bool = False
    concussed: bool = False
    hidden: bool = False
    raised_movement: int | None = None
    raised_in_round: int = 0
    turned_over: bool = False


class AreaMarker(Record):
    """A marker that lies on the battlefield until the End phase: which weapon left it, by which trait, whose.

    `profile` are the numbers of a weapon that strikes only then.
    """

    marker: int
    trait: str
    by: str
    weapon: str
    profile: WeaponProfile | None = None


class BattleUnderWay(Record):
    """`paid` maps 'activation|attacker|victim' to the XP already given for that victim.

    `nerve_tested` maps 'activation|tester' to whose fate was tested for, `assisted` a helper to the rounds of
    their assistance (None where nobody said which); `bottled` are gangs, `forfeit` those that lost by it.
    `whole_book`: since which stage of the rules traits, skills and conditions ask for dice in it (ADR 29).
    `rounds_ended` are the rounds whose end was recorded. `markers` lie until the End phase, `markers_left` is
    how many there were.
    """

    battle: str
    number: int
    crews: dict[str, tuple[str, ...]]
    combatants: dict[str, Combatant]
    vehicles: dict[str, CombatVehicle] = field(default_factory=dict)
    paid: dict[str, int] = field(default_factory=dict)
    nerve_tested: dict[str, tuple[str, ...]] = field(default_factory=dict)
    assisted: dict[str, tuple[int | None, ...]] = field(default_factory=dict)
    rally_tests: dict[str, tuple[int, ...]] = field(default_factory=dict)
    bottled: tuple[str, ...] = ()
    forfeit: tuple[str, ...] = ()
    # Warbands: the turns at whose end morale was tested, who was Shaken by it, who fled and has lost.
    morale_tested: dict[str, tuple[int, ...]] = field(default_factory=dict)
    shaken: tuple[str, ...] = ()
    routed: tuple[str, ...] = ()
    fights: int = 0
    last_fight: LastFight | None = None
    whole_book: int | None = None
    rounds_ended: int = 0
    markers: tuple[AreaMarker, ...] = ()
    markers_left: int = 0


class PolicyInForce(Record):
    """An adopted policy, with the battle numbers it holds for (`until_battle` excluded)."""

    policy: str
    version: int
    title: str
    source: str
    patch: dict[str, str]
    from_battle: int
    reason: str
    until_battle: int | None = None
    repeal_reason: str = ""
    overrides: tuple[str, ...] = ()

    def holds_for(self, battle_number: int) -> bool:
        """Whether this policy governs the given battle."""
        return self.from_battle <= battle_number and (
            self.until_battle is None or battle_number < self.until_battle
        )


class OpenDispute(Record):
    """A dispute that no ruling has answered yet."""

    dispute: int
    target_seq: int
    target_entry: int
    target_position: int
    target_slot: int
    raised_by: str
    reason: str
    rule: str | None


class ToolDice(Record):
    """How the tool rolls; `version` counts how often that was changed."""

    protocol: Protocol = "plain"
    version: int = 0


class Contribution(Record):
    """A player's contribution to a dice session: committed first, revealed later or never."""

    who: str
    commitment: str
    value: str | None = None
    withheld: bool = False


class RollRequest(Record):
    """Rolls requested in entry `request` that are not drawn yet."""

    request: int
    what: str
    digest: str


class DiceSession(Record):
    """A dice session under way. `requests` are those still open, `asked` counts all of them."""

    session: int
    campaign: str
    commitment: str
    contributions: tuple[Contribution, ...] = ()
    requests: dict[int, RollRequest] = field(default_factory=dict)
    asked: int = 0

    @property
    def revealed(self) -> tuple[tuple[str, str], ...]:
        """Each player with the revealed contribution, in the order committed."""
        return tuple((given.who, given.value) for given in self.contributions if given.value is not None)


class CampaignState(Record):
    name: str = ""
    slug: str = ""
    book: str = ""
    gangs: dict[str, Gang] = field(default_factory=dict)
    gang_of: Mapping[str, str] = field(default_factory=Homes)
    vehicle_of: dict[str, str] = field(default_factory=dict)
    battles: Mapping[str, int] = field(default_factory=BattleNumbers)
    under_way: BattleUnderWay | None = None
    after_battle: dict[str, AfterBattle] = field(default_factory=dict)
    territories: dict[str, Territory] = field(default_factory=dict)
    cycle: Cycle | None = None
    locations_found: tuple[str, ...] = ()
    policies: tuple[PolicyInForce, ...] = ()
    disputes: dict[int, OpenDispute] = field(default_factory=dict)
    # Slots kept by ruling, and whether the arbitrator insisted although the rules could decide them.
    kept: dict[int, bool] = field(default_factory=dict)
    rulings_taken_back: tuple[int, ...] = ()
    # Fought before the campaign was kept here.
    battles_before: int = 0
    tool_dice: ToolDice = ToolDice()
    dice_session: DiceSession | None = None
    dice_sessions: int = 0

    @property
    def is_open(self) -> bool:
        """Whether the campaign has begun."""
        return bool(self.book)

    @property
    def battle_number(self) -> int:
        """The number of the battle under way, else of the next one."""
        if self.under_way is not None:
            return self.under_way.number
        latest = self.fought.latest
        return (self.battles_before if latest is None else latest) + 1

    @property
    def fought(self) -> BattleNumbers:
        """The battles that were opened."""
        battles = self.battles
        return battles if type(battles) is BattleNumbers else BattleNumbers.of(battles)

    @property
    def homes(self) -> Homes:
        """The gang of each fighter, the enlisted apart from the gone."""
        gang_of = self.gang_of
        return gang_of if type(gang_of) is Homes else Homes.of(gang_of)

    def fighter(self, fighter: str) -> Fighter | None:
        """The fighter of that id, or None."""
        homes = self.gang_of
        if type(homes) is Homes:  # hot path: nearly all who are asked for are enlisted
            gang = homes.enlisted.get(fighter)
            members = self.gangs[gang].fighters if gang is not None else None
            found = members.enlisted.get(fighter) if type(members) is Members else None
            if found is not None:
                return found
        gang = homes.get(fighter)
        return self.gangs[gang].fighters[fighter] if gang is not None else None

    def with_fighter(self, fighter: Fighter) -> CampaignState:
        """This state with one fighter's record replaced; every other record is the same object."""
        gang = self.gangs[fighter.gang]
        members = gang.fighters
        # Hot path, most of what events do: somebody enlisted is still enlisted.
        if (
            type(members) is Members
            and fighter.standing == "enlisted"
            and fighter.fighter in members.enlisted
        ):
            changed = members.with_card(fighter)
            return self if changed is members else self.with_gang(replace(gang, fighters=changed))
        return self.with_fighters((fighter,))

    def with_fighters(self, fighters: Iterable[Fighter]) -> CampaignState:
        """This state with these fighters' records replaced. Fighters gone for good move to the archive."""
        homes, of_gangs = self.gang_of, dict[str, list[Fighter]]()
        for fighter in fighters:
            of_gangs.setdefault(fighter.gang, []).append(fighter)
        gangs = self.gangs if type(self.gangs) is OwnedDict else dict(self.gangs)
        for gang, cards in of_gangs.items():
            members = gangs[gang].members
            for card in cards:
                was_enlisted = card.fighter in members.enlisted
                if was_enlisted != (card.standing == "enlisted"):
                    homes = Homes.of(homes).with_moved(card.fighter, gang, is_gone=was_enlisted)
            gangs[gang] = replace(gangs[gang], fighters=members.with_fighters(cards))
        return replace(self, gangs=gangs, gang_of=homes)

    def joined_by(self, fighter: Fighter) -> CampaignState:
        """This state with one more fighter."""
        if fighter.fighter in self.gang_of:  # what a ruling kept may enlist somebody twice
            moved = self.homes.with_moved(fighter.fighter, fighter.gang, is_gone=False)
            return replace(self, gang_of=moved).with_fighter(fighter)
        gang = self.gangs[fighter.gang]
        homes = self.homes.with_enlisted(fighter.fighter, gang.gang)
        joined = replace(gang, fighters=gang.members.joined_by(fighter))
        return replace(self, gangs=put(self.gangs, gang.gang, joined), gang_of=homes)

    def vehicle(self, vehicle: str) -> Vehicle | None:
        """The vehicle of that id, or None."""
        gang = self.vehicle_of.get(vehicle)
        return self.gangs[gang].vehicles[vehicle] if gang is not None else None

    def with_vehicle(self, vehicle: Vehicle) -> CampaignState:
        """This state with one vehicle's record replaced."""
        gang = self.gangs[vehicle.gang]
        vehicles = put(gang.vehicles, vehicle.vehicle, vehicle)
        return self if vehicles is gang.vehicles else self.with_gang(replace(gang, vehicles=vehicles))

    def with_combat_vehicle(self, vehicle: str, condition: CombatVehicle) -> CampaignState:
        """This state with the condition of one vehicle in the battle replaced."""
        assert self.under_way is not None, "a vehicle in battle without a battle"
        vehicles = {**self.under_way.vehicles, vehicle: condition}
        return replace(self, under_way=replace(self.under_way, vehicles=vehicles))

    def with_gang(self, gang: Gang) -> CampaignState:
        """This state with one gang's record replaced."""
        gangs = put(self.gangs, gang.gang, gang)
        if gangs is not self.gangs:
            return replace(self, gangs=gangs)
        members = gang.members
        if type(members.enlisted) is not OwnedDict:  # it came with this event
            held = members.held_in(OwnedDict)
            gangs[gang.gang] = replace(gang, fighters=held, vehicles=OwnedDict(gang.vehicles))
        return self

    def with_combatant(self, fighter: str, combatant: Combatant) -> CampaignState:
        """This state with one combatant's record replaced."""
        assert self.under_way is not None, "a combatant without a battle"
        combatants = put(self.under_way.combatants, fighter, combatant)
        if combatants is self.under_way.combatants:
            return self
        if type(self.gangs) is OwnedDict:
            combatants = OwnedDict(combatants)
        return replace(self, under_way=replace(self.under_way, combatants=combatants))
