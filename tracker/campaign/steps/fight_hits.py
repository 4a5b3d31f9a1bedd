"""Hits of a fight: every Hit roll, then what wards off hits.

The order is that of the table: the Hit rolls weapon by weapon and target by target, then hits that fall at
random on somebody in contact, then target by target Parry, then Step Aside. Source: Core Rulebook (2023) ·
Close Combat · 5. Make Hit Roll(s); Weapon Traits; Skills.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps import ammo, conditions, fight_rules, special_rules, vehicle_special_rules
from tracker.campaign.steps.attack_dice import StrikePlan, adds_to
from tracker.campaign.steps.decision import Decision, as_modifiers
from tracker.campaign.steps.random_fighter import draw_fighter
from tracker.dice import Die
from tracker.records import Record, replace
from tracker.rules import special_rules as effects
from tracker.rules.modifiers import Modifiers
from tracker.rules.necromunda import close_combat as rules
from tracker.rules.necromunda.rules_in_force import LATER_READINGS, Situation, all_hold, skill_key


class Struck(Record):
    """A hit still to be resolved: the place of the model hit, and the weapon.

    `aimed_at`: the place of the Hit roll's target. `face` is kept if a trait needs it. `named`: rolled with
    the Attack die that was named before the roll.
    """

    target: int
    strikes: int
    face: int | None
    cause: int
    aimed_at: int = 0
    named: bool = False


class Scored(Record):
    """The hits of a fight, the number of Attack dice that missed, and whether an Unstable Sidearm blows
    up.
    """

    hits: tuple[Struck, ...]
    missed: int
    unstable: bool


class FightHits:
    """One fight's Hit rolls. `everybody` are its targets, then who else is in contact with the attacker."""

    def __init__(
        self,
        decision: Decision,
        command: records.Fight,
        struck_with: tuple[StrikePlan, ...],
        modifiers: tuple[Modifiers, ...],
    ) -> None:
        self._decision = decision
        self._command = command
        self._struck_with = struck_with
        self._modifiers = modifiers
        self.everybody = (*command.targets, *command.in_contact)

    def rolled(self) -> Scored:
        """Make every Hit roll, then apply what wards off hits."""
        named = _named_die(self._decision, self._command, self._struck_with)
        scored = self._roll_to_hit(named)
        if not special_rules.act_in_fights(self._decision):
            return scored
        hits = [self._fallen_on(hit) for hit in scored.hits]
        attacked_with = self._decision.fighter(self._command.attacker).gang
        for place, target in enumerate(self.everybody):
            if target.vehicle is None and self._decision.fighter(target.model).gang != attacked_with:
                hits = self._parried(hits, place)
                hits = self._stepped_aside(hits, place)
        missed = scored.missed + len(scored.hits) - len(hits)
        return replace(scored, hits=tuple(hits), missed=missed)

    def attack_of(self, hit: Struck) -> special_rules.Attack | None:
        """The special rules of a hit; None if none are in effect."""
        return self._attack(hit.strikes, self.everybody[hit.target], face=hit.face, named=hit.named)

    def _attack(
        self, strikes: int, target: records.FightTarget, *, face: int | None = None, named: bool = False
    ) -> special_rules.Attack | None:
        decision, command, used = self._decision, self._command, self._struck_with[strikes]
        model = target.model if target.vehicle is None else None
        acts = special_rules.rules_between(decision, used.profile.traits, command.attacker, model)
        if acts is None:
            return None
        situation = self._situation(strikes, face=face, named=named)
        if model is not None:
            now = decision.battle("close combat").combatants[model]
            situation = replace(
                situation,
                behind=target.behind,
                against_psyker=target.psyker,
                prone=now.pinned or conditions.lies_helpless(decision, now),
                target_strength=decision.fighter(model).characteristics["strength"],
            )
        return special_rules.Attack(
            rules=acts,
            situation=situation,
            attacker=command.attacker,
            target=model or command.attacker,
            without=command.without,
            slot=used.weapon,
            traits=used.profile.traits,
            cannot_be_moved=target.cannot_be_moved,
            inspired_by=target.inspired_by,
        )

    def situation_of(self, hit: Struck) -> Situation:
        """The situation of a hit, whoever is hit."""
        return self._situation(hit.strikes, face=hit.face, named=hit.named)

    def _situation(self, strikes: int, *, face: int | None, named: bool) -> Situation:
        used = self._struck_with[strikes]
        return replace(
            fight_rules.situation_of(self._decision, self._command, used.profile.traits),
            named_die=named,
            melee_weapon=used.kind == "melee",
            armour_penetration=used.profile.armour_penetration,
            hit_face=face,
        )

    # --- Hit rolls ---------------------------------------------------------------------------------------

    def _roll_to_hit(self, named: int | None) -> Scored:
        hits: list[Struck] = []
        missed, unstable = 0, False
        for strikes, used in enumerate(self._struck_with):
            last = 0
            for place, dice in enumerate(used.dice):
                needs = self._needs(strikes, place)
                keeps_face = bool(used.traits) or needs.attack is not None or self._asks_vehicle(used, place)
                for nth in range(1, dice + 1):
                    count = f", {nth} of {dice}" if dice > 1 else ""
                    strong = named == strikes
                    named = None if strong else named
                    face, last = self._hit_roll(strikes, place, needs, count=count)
                    if face is None:
                        missed += 1
                    else:
                        kept = face if keeps_face else None
                        hits.append(
                            Struck(
                                target=place,
                                strikes=strikes,
                                face=kept,
                                cause=last,
                                aimed_at=place,
                                named=strong,
                            )
                        )
            if used.arm is not None:
                fired = ammo.firepower(self._decision, self._command.attacker, used.arm, dice=1, cause=last)
                unstable = unstable or fired.unstable
        return Scored(hits=tuple(hits), missed=missed, unstable=unstable)

    def _asks_vehicle(self, used: StrikePlan, place: int) -> bool:
        """Whether a rule of the attacked vehicle may need the Hit roll."""
        decision, target = self._decision, self.everybody[place]
        if target.vehicle is None or not decision.plays_by(LATER_READINGS):
            return False
        card = decision.vehicle(target.model)
        traits, attacker = used.profile.traits, self._command.attacker
        acts = vehicle_special_rules.rules_on_vehicle(decision, traits, attacker, card)
        return acts is not None and acts.ask_about("natural_6_to_hit", "natural_5_to_hit")

    def _hit_roll(self, strikes: int, place: int, needs: _Needs, *, count: str) -> tuple[int | None, int]:
        """The face of a Hit roll that hits, None for a miss, and its place in the entry."""
        decision, command = self._decision, self._command
        against = self._against(strikes, place)
        why = f"hit roll, {against}{count}, needs {needs.threshold}+"
        die = decision.tray.d6("melee_hit", why=why, fighter=command.attacker)
        hit, last = self._noted(die, place, needs, against)
        acts = needs.attack if special_rules.act_in_fights(decision) else None
        if not hit and special_rules.rolls_again(decision, acts, cause=last):
            die = decision.tray.d6("melee_hit", why=f"{why}, again", fighter=command.attacker)
            hit, last = self._noted(die, place, needs, against)
        return (die.face if hit else None), last

    def _noted(self, die: Die, place: int, needs: _Needs, against: str, by: str = "") -> tuple[bool, int]:
        decision = self._decision
        hit = needs.hit_by(die)
        last = decision.roll(
            die,
            outcome=f"{against}{by}: {'hits' if hit else 'misses'}",
            section="melee_hit_roll",
            rolled_by=decision.fighter(self._command.attacker).gang,
            modifiers=as_modifiers(needs.moved),
            target=needs.threshold,
            passed=hit,
        )
        if decision.annotations is not None:
            decision.annotations.rolled_against[last] = self.everybody[place].model
        return hit, last

    def _against(self, strikes: int, place: int) -> str:
        used, target = self._struck_with[strikes], self.everybody[place].model
        return f"{used.weapon} against {self._decision.name_of_model(target)}"

    def _needs(self, strikes: int, place: int) -> _Needs:
        decision, command, used = self._decision, self._command, self._struck_with[strikes]
        attack = self._attack(strikes, self.everybody[place])
        added = ((extra.why, extra.hit) for extra in command.extra if extra.hit and adds_to(extra, used))
        moved: Modifiers = (*self._modifiers[place], *added)
        if special_rules.act_in_fights(decision):
            moved = special_rules.hit_modifiers(decision, attack, moved)
        return _Needs(
            weapon_skill=decision.fighter(command.attacker).characteristics["weapon_skill"],
            moved=moved,
            only_sixes=conditions.hits_on_sixes_only(decision, command.attacker),
            attack=attack,
        )

    # --- what wards hits off -----------------------------------------------------------------------------

    def _fallen_on(self, hit: Struck) -> Struck:
        """The hit with its model drawn at random from those in contact, if the weapon spreads hits."""
        decision, attack = self._decision, self.attack_of(hit)
        vehicles_too = decision.plays_by(LATER_READINGS)
        there = [target.model for target in self.everybody if target.vehicle is None or vehicles_too]
        if attack is None or self.everybody[hit.target].model not in there:
            return hit
        for rule in attack.rules.at("hits_scored"):
            if isinstance(rule.declared.then, effects.SpreadsHits) and all_hold(rule, attack.situation):
                drawn, cause = draw_fighter(
                    decision,
                    tuple(there),
                    stated=None,
                    what=f"whom {self._struck_with[hit.strikes].weapon} hits, {rule.name}",
                    section=special_rules.section_of(rule),
                    cause=hit.cause,
                )
                models = [target.model for target in self.everybody]
                return replace(hit, target=models.index(drawn), cause=cause)
        return hit

    def _parried(self, hits: list[Struck], place: int) -> list[Struck]:
        """The hits that are left after the target had as many Hit rolls repeated as it may.

        The weaker parries come first, so that none is wasted; a repeated roll stands. Source: Core Rulebook
        (2023) · Weapon Traits · Parry; Power; Entangle.
        """
        decision = self._decision
        against = self._first_warded(hits, place)
        attacks = {hit.cause: self.attack_of(hit) for hit in against}
        known = next((attack for attack in attacks.values() if attack is not None), None)
        if known is None:
            return hits
        defender = decision.fighter(known.target)
        parries = [
            (parry, [hit for hit in against if _parries(parry, attacks[hit.cause])])
            for parry in fight_rules.parries_of(defender, known)
        ]
        parries.sort(key=lambda chosen: len(chosen[1]))
        made_again: list[int] = []
        for parry, may_be in parries:
            hit = next((hit for hit in may_be if hit.cause not in made_again), None)
            if hit is not None:
                made_again.append(hit.cause)
                again = self._made_again(hit, parry.rule.name, defender.name)
                hits = [new for old in hits for new in (again if old.cause == hit.cause else (old,))]
        return hits

    def _made_again(self, hit: Struck, rule: str, defender: str) -> tuple[Struck, ...]:
        """The hit if its repeated Hit roll hits, else nothing."""
        needs = self._needs(hit.strikes, hit.aimed_at)
        against = self._against(hit.strikes, hit.aimed_at)
        die = self._decision.tray.d6(
            "parry",
            why=f"hit roll again, {rule} of {defender}, {against}, needs {needs.threshold}+",
            fighter=self._command.attacker,
        )
        strikes, cause = self._noted(die, hit.aimed_at, needs, against, by=f", {rule}")
        if not strikes:
            return ()
        return (replace(hit, face=die.face if hit.face is not None else None, cause=cause),)

    def _stepped_aside(self, hits: list[Struck], place: int) -> list[Struck]:
        """The hits that are left after the target has tried to turn one into a miss, once in a fight.

        Source: Core Rulebook (2023) · Skills · Step Aside.
        """
        for hit in self._first_warded(hits, place)[:1]:
            attack = self.attack_of(hit)
            if attack is not None and fight_rules.steps_aside(self._decision, attack, cause=hit.cause):
                return [other for other in hits if other.cause != hit.cause]
        return hits

    def _first_warded(self, hits: list[Struck], place: int) -> list[Struck]:
        """The hits on a target, in the order in which it wards them off."""
        on_target = [hit for hit in hits if hit.target == place]
        first = self.everybody[place].wards_off
        if first is None:
            return on_target
        return sorted(
            on_target, key=lambda hit: skill_key(self._struck_with[hit.strikes].weapon) != skill_key(first)
        )


class _Needs(Record):
    """The target number of a Hit roll, and its modifiers."""

    weapon_skill: int
    moved: Modifiers
    only_sixes: bool
    attack: special_rules.Attack | None

    @property
    def _modifier(self) -> int:
        return sum(by for _, by in self.moved)

    @property
    def threshold(self) -> int:
        """The lowest face that hits."""
        if self.only_sixes:
            return 6
        return rules.hit_threshold(weapon_skill=self.weapon_skill, modifier=self._modifier)

    def hit_by(self, die: Die) -> bool:
        """Whether the die hits."""
        if self.only_sixes:
            return die.face == 6
        return rules.strikes(die.face, weapon_skill=self.weapon_skill, modifier=self._modifier)


def _parries(parry: fight_rules.Parry, attack: special_rules.Attack | None) -> bool:
    return attack is not None and fight_rules.is_parried_by(attack, parry.traits)


def _named_die(decision: Decision, command: records.Fight, struck_with: tuple[StrikePlan, ...]) -> int | None:
    """The weapon of the Attack die that a skill strengthens: the one named, else the first possible."""
    named, strengthens = command.named_die, fight_rules.strengthens_a_die(decision, command)
    if not strengthens and named is None:
        return None
    fighter = decision.fighter(command.attacker).name
    if not strengthens:
        why = "no skill that acts in this fight does so"
        raise records.NoStrongerDie(fighter=fighter, weapon=named or "", why=why)
    fit = [place for place, used in enumerate(struck_with) if used.kind != "sidearm"]
    if named is None:
        return fit[0] if fit else None
    for place in fit:
        if struck_with[place].weapon.casefold() == named.casefold():
            return place
    why = "it is a Sidearm, or has no Attack die in this fight"
    raise records.NoStrongerDie(fighter=fighter, weapon=named, why=why)
