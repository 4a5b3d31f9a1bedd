"""Krug of the Iron Hawks, Mags of the Sump Rats, and one of every event and command."""

from __future__ import annotations

from typing import Any

from holdings_examples import HOLDINGS_SENTENCES, HOLDINGS_WORDS
from post_battle_examples import POST_BATTLE_SENTENCES, POST_BATTLE_WORDS
from vehicle_examples import VEHICLE_COMMANDS, VEHICLE_SENTENCES
from warband_examples import WARBAND_SENTENCES, WARBAND_WORDS

from tracker.campaign import records
from tracker.campaign.profiles import Armour, Characteristics, Weapon, WeaponProfile
from tracker.campaign.recorded import Recorded
from tracker.dice import Die
from tracker.reports.names import Names

HOSTILE = "\x1b[2J[/bold]|=cmd\u202e\u200b\x9b`<b>"
"""Clears the screen, breaks markup, splits a cell, runs a formula, turns the line round."""
HOSTILE_SAFE = "[2J[/bold]|=cmd`<b>"

NAMES = Names(
    fighters={"krug": "Krug", "mags": "Mags"},
    gangs={"hawks": "Iron Hawks", "rats": "Sump Rats"},
    battles={"sump-raid": 3},
)
CARD = Characteristics(
    movement=5, weapon_skill=4, ballistic_skill=3, strength=3, toughness=3, wounds=1, initiative=4, attacks=1,
    leadership=7, cool=7, willpower=8, intelligence=8,
)  # fmt: skip
AUTOGUN = Weapon(weapon="autogun", profiles=(WeaponProfile(strength=3),), cost_credits=15)
FLAK = Armour(name="flak armour", save=6)
WOUND_4 = Die(purpose="wound", die="D6", faces=(4,), fighter="mags")
HIT = records.ResolveHit(attacker="krug", weapon="autogun", target="mags")
FIGHTER_CARD = records.FighterCard(
    fighter="vex", name="Vex", category="juve", kind="Juve", cost_credits=30, characteristics=CARD
)
POLICY = records.PolicyText(
    policy="one-roll",
    version=1,
    title="One roll",
    source="club vote",
    patch={"lasting_injuries.rolls": "once"},
)


def roll(**given: Any) -> records.RollMade:
    """A typed wound roll of 4 on Mags, but for what is given."""
    made = {
        "number": 0, "purpose": "wound", "die": "D6", "faces": (4,), "symbol": None, "source": "typed",
        "fighter": "mags", "rolled_by": "hawks", "target": 3, "passed": True, "outcome": "wounds",
        "section": "Resolve Hits · 1",
    }  # fmt: skip
    return records.RollMade(**(made | given))


def injury(**given: Any) -> records.LastingInjurySuffered:
    """Mags is Hobbled by Krug, but for what is given."""
    made = {
        "fighter": "mags", "by": "krug", "table": "lasting_injuries", "cell": "46", "injury": "hobbled",
        "name": "Hobbled", "counts_as": None, "occurrence": 1, "within": None, "battle": 3,
        "section": "Lasting Injury Table",
    }  # fmt: skip
    return records.LastingInjurySuffered(**(made | given))


def recorded(
    event: records.Event,
    *,
    seq: int,
    entry: int,
    position: int,
    slot: int | None = None,
    causation: int | None = None,
) -> Recorded:
    """An event in its place, on the evening of the first battle."""
    return Recorded(
        seq=seq, entry=entry, position=position, slot=entry if slot is None else slot, at="2026-03-01T20:14:09Z",
        actor="vic", policy_version="printed", policy_digest="0a1b", causation=causation, event=event,
    )  # fmt: skip


def entry_57() -> tuple[Recorded, ...]:
    """Krug's autogun takes Mags Out of Action."""
    told: tuple[records.Event, ...] = (
        records.DecisionTaken(command=HIT, dice=(WOUND_4,)),
        roll(outcome="Strength 3 against Toughness 3: wounds", target=4),
        records.FighterWentOutOfAction(
            fighter="mags", by="krug", reason="injury_dice", out_of_action_dice=1, lasting_injury_rolls=1
        ),
        records.ExperienceGained(
            fighter="krug", amount=2, reason="Mags Out of Action", victim="mags", section="Experience"
        ),
        injury(),
    )
    return tuple(
        recorded(
            event, seq=200 + place, entry=57, position=place, causation=199 + place if place > 1 else None
        )
        for place, event in enumerate(told, start=1)
    )


def fighter_row(**given: Any) -> dict[str, Any]:
    """Mags as the roster board shows her, but for what is given."""
    return {
        "fighter": "mags", "gang": "rats", "name": "Mags", "category": "champion", "kind": "Sump Boss",
        "status": "in_recovery", "standing": "enlisted", "cost_credits": 95, "experience": 6,
        "characteristics": dict(CARD),
        "skills": ["fearsome"], "grudges": ["hawks"], "armour": {"name": "flak armour", "save": 6},
        "field_armour": None, "weapons": [{"weapon": "stub gun", "profiles": [], "cost_credits": 5}],
        "wargear": ["photo-goggles"],
        "injuries": [{"injury": "hobbled", "name": "Hobbled", "counted_as": "hobbled", "battle_number": 3}],
        "enemies_taken_out": 1, "times_out_of_action": 2, "battles_fought": 3,
    } | given  # fmt: skip


def gang_row(**given: Any) -> dict[str, Any]:
    """The Sump Rats as the standings board shows them, but for what is given."""
    return {
        "gang": "rats", "name": "Sump Rats", "house": "cawdor", "player": "Ana", "credits": 40,
        "reputation": 3, "rating_credits": 95, "wealth_credits": 155, "battles": 3, "won": 2, "drawn": 0, "lost": 1,
        "enemies_taken_out": 1,
    } | given  # fmt: skip


DISPUTE_ROW: dict[str, Any] = {
    "dispute": 61, "status": "open", "raised_by": "Ana", "reason": "cocked die", "rule": None, "target_seq": 202,
    "target_entry": 57, "target_position": 2, "target_slot": 57, "at": "2026-03-08T19:00:00Z", "ruling": None,
}  # fmt: skip

EVENT_SENTENCES: list[tuple[records.Event, str]] = [
    (records.DecisionTaken(command=HIT), "hit: Krug's autogun on Mags"),
    (
        records.ShotFired(
            fighter="krug", weapon="autogun", profile="", target="mags", result="hit", hits=2, section="Shooting"
        ),
        "Krug's autogun at Mags hits (2 hits)",
    ),
    (
        records.WeaponRanOutOfAmmo(fighter="krug", weapon="stub", slot="stub (2)"),
        "Krug's stub (2) is Out of Ammo until reloaded",
    ),
    (
        records.WeaponJammed(fighter="krug", weapon="autogun", slot="autogun"),
        "Krug's autogun is jammed for the rest of the battle",
    ),
    (
        records.AmmoSpent(
            fighter="krug", weapon="shotgun", profile="hot", slot="shotgun", why="ammo_test", limited=False
        ),
        "Krug has no more shotgun (hot) in this battle (Scarce)",
    ),
    (
        records.WeaponReloaded(fighter="krug", weapon="autogun", slot="autogun"),
        "Krug's autogun is reloaded",
    ),
    (
        records.LimitedAmmoDeleted(
            fighter="krug", weapon="shotgun", profile="hot", weapon_gone=False, cost_credits=120
        ),
        "Krug loses shotgun (hot) from the card: Limited ammunition used up, worth 120 credits now",
    ),
    (records.CampaignOpened(name="Dust Falls", slug="dust-falls", book="necromunda_2023"), "campaign Dust Falls opens under necromunda_2023"),
    (
        records.PolicyAdopted(
            policy="one-roll", version=1, title="One roll", source="club", patch={"lasting_injuries.rolls": "once"},
            from_battle=5, reason="club vote",
        ),
        "house rule One roll (one-roll@1) holds from battle 5 on: club vote",
    ),
    (
        records.PolicyRepealed(policy="one-roll", version=1, from_battle=7, reason="too kind"),
        "house rule one-roll@1 holds no more from battle 7 on: too kind",
    ),
    (
        records.GangEnlisted(gang="hawks", name="Iron Hawks", house="orlock", player="Vic", credits=1, reputation=2),
        "gang Iron Hawks (Orlock, player Vic) enlists: 1 credit, Reputation 2",
    ),
    (
        records.FighterEnlisted(
            fighter="krug", gang="hawks", name="Krug", category="hired_gun", kind="Road Captain", cost_credits=120,
            characteristics=CARD,
        ),
        "Krug (hired gun, Road Captain) joins Iron Hawks for 120 credits",
    ),
    (records.FighterRetired(fighter="mags", reason="moved away"), "Mags retires: moved away"),
    (
        records.FighterRenamed(fighter="mags", before="Mags", after="One-Eye Mags"),
        "Mags is called One-Eye Mags from now on",
    ),
    (
        records.BattleOpened(
            battle="sump-raid", number=3, scenario="Sabotage", date="2026-03-01",
            crews={"hawks": ("krug",), "rats": ("mags", "vex")},
        ),
        "battle 3 (sump-raid) opens: Sabotage, 2026-03-01: Iron Hawks (1 fighter), Sump Rats (2 fighters)",
    ),
    (records.BattleClosed(battle="sump-raid", winner="hawks"), "battle 3 (sump-raid) closes: won by Iron Hawks"),
    (roll(), "wound roll 4 (needs 3+): wounds"),
    (
        records.RuleNoted(fighter="mags", why="no save: AP takes it away", section="Save"),
        "no roll for Mags: no save: AP takes it away",
    ),
    (records.WoundsLost(fighter="mags", by="krug", wounds_lost=1, wounds_left=0), "Mags loses 1 Wound to Krug: 0 left"),
    (
        records.FleshWoundsSuffered(fighter="mags", by="krug", flesh_wounds=1, toughness=2),
        "Mags suffers a Flesh Wound from Krug: Toughness 2 until the battle ends",
    ),
    (
        records.SeriousInjurySuffered(fighter="mags", by="krug", in_close_combat=True),
        "Mags is Seriously Injured in close combat by Krug",
    ),
    (records.FighterWebbed(fighter="mags", by=None), "Mags is Webbed"),
    (records.FighterPinned(fighter="mags"), "Mags is Prone and Pinned"),
    (
        records.FighterWentOutOfAction(
            fighter="mags", by="krug", reason="injury_dice", out_of_action_dice=2, lasting_injury_rolls=2
        ),
        "Mags is taken Out of Action by Krug on 2 Injury dice: 2 Lasting Injury rolls",
    ),
    (
        records.NerveTested(
            fighter="krug", because_of="mags", wreck=None, fate="seriously_injured", friends_near=1, passed=True
        ),
        "Krug keeps their nerve: Mags is Seriously Injured",
    ),
    (
        records.FighterBroke(fighter="krug", flight="running_for_cover"),
        "Krug is Broken: loses any Ready marker and activates at once for Running for Cover (Double)",
    ),
    (records.FighterRallied(fighter="krug"), "Krug rallies and is Broken no more"),
    (records.RallyTestTaken(fighter="krug", round=2), "Krug has taken the Rally test of round 2"),
    (
        records.RetreatTried(fighter="krug", engaged=("mags",), away=True, may_react=("mags",)),
        "Krug retreats; may react first: Mags",
    ),
    (
        records.RetreatTried(fighter="krug", engaged=("mags",), away=False, may_react=()),
        "Krug does not get away: the action ends",
    ),
    (
        records.FlightMade(fighter="krug", flight="running_for_cover", up_to_hundredths=250),
        'Krug runs for cover, up to 2.5"',
    ),
    (
        records.FlightMade(fighter="krug", flight="break_for_air", up_to_hundredths=1000),
        'Krug breaks for air, up to 10"',
    ),
    (
        records.FlightMade(fighter="krug", flight="burn_out", up_to_hundredths=0, smoke_markers=2),
        'Krug burns out and places 2 Smoke markers within 1": each hinders the Restart test',
    ),
    (
        records.GangCorruptionStated(gang="hawks", corrupted=True, daemons=("krug",)),
        "Iron Hawks is corrupted; daemons or possessed: Krug",
    ),
    (
        records.MutationGained(
            fighter="krug", mutation="warped_limbs", name="Warped Limbs", instead_of="hobbled",
            chosen=False, section="s",
        ),
        "Krug mutates: Warped Limbs, instead of Hobbled",
    ),
    (
        records.MutationCameAgain(
            fighter="krug", mutation="warped_limbs", name="Warped Limbs", instead_of="hobbled", section="s"
        ),
        "Krug mutates: Warped Limbs a second time, instead of Hobbled: another one is to be chosen",
    ),
    (
        records.BecameChaosSpawn(fighter="krug", mutations=3, toughness=3),
        "Krug becomes a Chaos Spawn and leaves the gang (3 mutations at Toughness 3)",
    ),
    (
        records.GangBottled(gang="hawks", voluntary=True, forfeit=True),
        "Iron Hawks bottles out of its own will, which loses it the battle",
    ),
    (records.FighterFled(fighter="krug", voluntary=False), "Krug flees the battlefield"),
    (
        records.RecoveryAssisted(fighter="mags", by="krug", round=3),
        "Krug assists Mags's Recovery test in round 3",
    ),
    (records.SeriousInjuryOvercome(fighter="mags"), "Mags is Seriously Injured no more, but Prone and Pinned"),
    (records.WebShed(fighter="mags"), "Mags sheds the web and is Prone and Pinned"),
    (injury(), "Mags suffers Hobbled (4-6) from Krug"),
    (records.WentIntoConvalescence(fighter="mags"), "Mags goes into Convalescence"),
    (records.ConvalescenceEnded(fighter="mags"), "Mags is out of Convalescence"),
    (
        records.WentIntoRecovery(fighter="mags", battle=3),
        "Mags goes into Recovery and misses the gang's next battle",
    ),
    (records.RecoveryEnded(fighter="mags"), "Mags is out of Recovery"),
    (
        records.CharacteristicChanged(fighter="mags", characteristic="ballistic_skill", before=4, after=5, why="Eye Injury"),
        "Mags: Ballistic Skill 4+ -> 5+ (Eye Injury)",
    ),
    (
        records.CharacteristicKept(fighter="mags", characteristic="movement", value=1, why="hobbled"),
        'Mags: Movement stays 1", its limit (Hobbled)',
    ),
    (
        records.SkillGained(fighter="mags", skill="berserker", against="hawks", why="Bitter Enmity"),
        "Mags gains Berserker against Iron Hawks (Bitter Enmity)",
    ),
    (
        records.CapturePending(fighter="mags", captor="hawks"),
        "Mags might be captured by Iron Hawks: the escape roll is still to come",
    ),
    (records.CriticalInjuryPending(fighter="mags"), "Mags is critically injured and dies unless the Doc helps"),
    (records.FighterDied(fighter="mags", why="memorable_death"), "Mags dies (Memorable Death)"),
    (
        records.ExperienceGained(fighter="krug", amount=2, reason="out_of_action", victim="mags"),
        "Krug gains 2 XP: out of action (Mags)",
    ),
    (
        records.ChartRead(
            chart="injury_chart", fighter="mags", by="krug", dice=(records.Modifier(why="target is Down", by=1),),
            faces=(5, 1, 4), kept=(5, 4), modifiers=(records.Modifier(why="Standard Armour", by=-1),), total=8,
            result="down", name="Down", section="Injury Chart",
        ),
        "Injury Chart for Mags by Krug: 5-1-4, target is Down +1 DICE; 5+4, Standard Armour -1 = 8: Down",
    ),
    (
        records.BloodMarkersGained(fighter="mags", by="krug", gained=2, lost=1, markers=6),
        "Mags takes 2 Blood Markers from Krug, 1 over the most there can be: 6 now",
    ),
    (
        records.BloodMarkersSpent(fighter="mags", spent=1, use="action", markers=2),
        "1 Blood Marker of Mags spent on an ACTION: 2 left",
    ),
    (records.FighterWentDown(fighter="mags", by="krug"), "Mags is knocked Down by Krug"),
    (records.FighterStoodUp(fighter="mags", movement_halved=True), "Mags stands up, movement halved"),
    (
        records.ToughnessSpent(fighter="mags"),
        "Mags is TOUGH and goes Down instead of Out of Action, this once",
    ),
    (
        records.FateDecided(fighter="mags", fate="full_recovery", name="Full Recovery", section="Trauma"),
        "fate of Mags: Full Recovery",
    ),
    (
        records.BattleScarTaken(
            fighter="mags", scar="dark_memory", means="fears them", scars=1, slots=2, against="hawks"
        ),
        "Mags bears Battle Scar 1 of 2, Dark Memory: fears them (Iron Hawks)",
    ),
    (records.GearForfeited(fighter="mags", why="Robbed"), "Mags loses everything carried (Robbed)"),
    (records.HeldForRansom(fighter="mags", captor="hawks"), "Mags is held for ransom by Iron Hawks"),
    (
        records.RankChanged(fighter="mags", before="elite", after="troop", why="Head Wound"),
        "Mags: elite -> troop (Head Wound)",
    ),
    (
        records.AttackDiceShared(
            fighter="krug", attacks=2, added=(records.Modifier(why="charging", by=1),),
            shares=(
                records.AttackDiceOfWeapon(weapon="cleaver", attack_dice=2),
                records.AttackDiceOfWeapon(weapon="", attack_dice=1),
            ),
            section="Attack Dice",
        ),
        "Krug has 3 Attack dice (Attacks 2, charging +1): cleaver 2, unarmed 1",
    ),
    (
        records.HelpNotCounted(fighter="krug", against="mags", interference=False, held_by=("vex",), section="Assists"),
        "Krug gives no assist against Mags: engaged with vex too",
    ),
    (
        records.FightResolved(
            fighter="krug", reaction=False, attacked=("mags",), may_react=("mags",), count_as_turned=(),
            charging=True, activation=None,
        ),
        "Krug: close combat attacks done; may react: Mags",
    ),
    (records.FighterConsolidated(fighter="krug", up_to_inches=2), 'Krug consolidates: moves up to 2"'),
    (records.FighterUnpinned(fighter="mags", charged_by="krug"), "Mags is Standing and Engaged, charged by Krug"),
    (
        records.RollDisputed(
            dispute=61, target_seq=202, target_entry=57, target_position=2, target_slot=57, raised_by="Ana",
            reason="cocked die", rule="Dice · Cocked",
        ),
        "Ana disputes 57.2: cocked die, citing Dice · Cocked",
    ),
    (
        records.RulingMade(dispute=70, verdict="reversed", reason="of another evening", reverses=62, turns=(62,)),
        "ruling on dispute 70: ruling 62 taken back: of another evening",
    ),
    (
        records.RulingMade(dispute=0, verdict="rolled_back", reason="the wrong table"),
        "ruling: rolled back: the wrong table",
    ),
    (
        records.DisputeWithdrawn(dispute=61, withdrawn_by="Ana", reason="it lay flat"),
        "dispute 61 is withdrawn by Ana: it lay flat",
    ),
    (
        records.DisputeReopened(
            dispute=61, target_seq=202, target_entry=57, target_position=1, target_slot=57, raised_by="Ana",
            reason="cocked die",
        ),
        "dispute 61 about entry 57 is open again",
    ),
    (records.DisputeSettledAgain(dispute=61, ruling=62), "dispute 61 is settled again by ruling 62"),
    (
        records.RollConfirmed(
            target_seq=202, target_entry=57, target_position=2, target_slot=57, number=0, die=WOUND_4,
            witness="Robin",
        ),
        "Robin confirms wound roll 4 of entry 57",
    ),
    (
        records.SlotReleased(released_slot=64, reason="it follows again"),
        "entry 64 is no longer kept by ruling: it follows again",
    ),
    (
        records.RulingMade(
            dispute=61, verdict="corrected", reason="seen by all", before=WOUND_4,
            after=Die(purpose="wound", die="D6", faces=(2,), source="generated"),
        ),
        "ruling on dispute 61: corrected, wound roll 4 -> 2, rolled by the tool: seen by all",
    ),
    (records.SlotVoided(voided_slot=58, reason="a dead man shot"), "entry 58 counts no more: a dead man shot"),
    (records.SlotKept(kept_slot=59, reason="agreed"), "entry 59 is kept as played: agreed"),
    *VEHICLE_SENTENCES,
    *HOLDINGS_SENTENCES,
    *POST_BATTLE_SENTENCES,
    *WARBAND_SENTENCES,
]  # fmt: skip

COMMAND_WORDS: list[tuple[records.Command, str]] = [
    (
        records.OpenCampaign(name="Dust Falls", slug="dust-falls", book="necromunda_2023", policies=(POLICY,)),
        "open campaign Dust Falls under necromunda_2023, one-roll@1",
    ),
    (
        records.AdoptPolicy(text=POLICY, from_battle=5, reason="club vote"),
        "adopt one-roll@1 from battle 5 on: club vote",
    ),
    (
        records.RepealPolicy(policy="one-roll", from_battle=7, reason="too kind"),
        "repeal one-roll from battle 7 on: too kind",
    ),
    (
        records.EnlistGang(
            gang="hawks", name="Iron Hawks", house="orlock", player="Vic", credits=0, reputation=1,
            fighters=(FIGHTER_CARD,),
        ),
        "enlist gang Iron Hawks with 1 fighter",
    ),
    (records.EnlistFighter(gang="hawks", card=FIGHTER_CARD), "enlist fighter Vex for Iron Hawks"),
    (records.RetireFighter(fighter="mags", reason="moved away"), "retire Mags: moved away"),
    (records.RenameFighter(fighter="mags", name="One-Eye"), "rename Mags to One-Eye"),
    (
        records.OpenBattle(
            battle="sump-raid", scenario="Sabotage", date="2026-03-01", crews={"hawks": (), "rats": ()}
        ),
        "open battle 3 (sump-raid): Sabotage, 2026-03-01, Iron Hawks against Sump Rats",
    ),
    (HIT, "hit: Krug's autogun on Mags"),
    (
        records.RollInjuryDice(target="mags", injury_dice=2, why="blaze", attacker="krug"),
        "2 Injury dice for Mags by Krug: blaze",
    ),
    (
        records.StateOutcome(target="mags", outcome="out_of_action", attacker="krug", coup_de_grace=True),
        "stated: Mags is Out of Action by Krug, Coup de Grace",
    ),
    (records.ResolveFall(target="mags", distance_hundredths=450), 'fall: Mags, 4.5"'),
    (
        records.RollInjuryChart(target="mags", attacker="krug", bloodbath=True),
        "Injury Chart for Mags by Krug, Bloodbath",
    ),
    (
        records.SpendBloodMarkers(fighter="mags", count=2, use="attack", attacker="krug"),
        "2 Blood Markers of Mags on an attack by Krug",
    ),
    (records.StandUp(fighter="mags", risky=True), "stand up: Mags, RISKY ACTION"),
    (records.DecideFate(fighter="mags", ransom="paid"), "fate of Mags, ransom paid"),
    (
        records.TakeNerveTest(fighter="krug", because_of="mags", friends_near_count=0),
        "Nerve test: Krug because of Mags",
    ),
    (records.CheckBottle(gang="hawks"), "Bottle check: Iron Hawks"),
    (records.TakeFleeingTests(gang="hawks", fighters=("krug",), near={}), "who flees: Iron Hawks (Krug)"),
    (
        records.FleeBattlefield(gang="hawks", fighters=("krug",)),
        "Iron Hawks leaves the battlefield (Krug)",
    ),
    (
        records.TakeRecoveryTest(fighter="mags", assisted_by="krug"),
        "Recovery test: Mags, Krug assists",
    ),
    (records.TakeRallyTest(fighter="krug", friends_near_count=2), "Rally test: Krug"),
    (records.TakeFlight(fighter="krug"), "flight: Krug"),
    (records.TakeFlight(fighter="krug", engaged=("mags",)), "flight: Krug, engaged with Mags"),
    (records.StateCorruption(gang="hawks", corrupted=False), "stated: Iron Hawks is corrupted no more"),
    (
        records.ChooseMutation(fighter="krug", mutation="warped_limbs"),
        "mutation chosen: Warped Limbs for Krug",
    ),
    (
        records.Fight(
            attacker="krug", targets=(records.FightTarget(model="mags"),),
            weapons=(records.FightWeapon(weapon="cleaver"),), charging=True,
        ),
        "charge: Krug with cleaver on Mags",
    ),
    (records.CoupDeGrace(attacker="krug", target="mags"), "Coup de Grace: Krug on Mags"),
    (records.Unpin(fighter="mags"), "Mags stands up"),
    (records.AwardExperience(fighter="krug", amount=1, reason="took the loot"), "award: 1 XP for Krug: took the loot"),
    (
        records.Shoot(attacker="krug", weapon="shotgun", profile_name="solid", target="mags"),
        "shoot: Krug's shotgun (solid) at Mags",
    ),
    (records.Reload(fighter="krug", weapon="autogun"), "reload: Krug's autogun"),
    (records.CloseBattle(winner="hawks"), "close the battle: won by Iron Hawks"),
    (
        records.DisputeRoll(
            target_seq=202, target_entry=57, target_position=2, target_slot=57, raised_by="Ana", reason="cocked die"
        ),
        "dispute 57.2: cocked die",
    ),
    (
        records.RuleOnDispute(dispute=61, verdict="confirmed", reason="it lay flat"),
        "ruling on dispute 61, confirmed: it lay flat",
    ),
    (
        records.WithdrawDispute(dispute=61, withdrawn_by="Ana", reason="it lay flat"),
        "withdraw dispute 61: it lay flat",
    ),
    (
        records.ConfirmRoll(
            target_seq=202, target_entry=57, target_position=2, target_slot=57, number=0, die=WOUND_4,
            entered_by="Ana", confirmed_by="Robin",
        ),
        "confirm 57.2, by Robin",
    ),
    *VEHICLE_COMMANDS,
    *HOLDINGS_WORDS,
    *POST_BATTLE_WORDS,
    *WARBAND_WORDS,
]  # fmt: skip
