"""What the wizard says when it asks for a key of an entry: as somebody at the table would ask.

By the key, or by the kind of entry and the key; braces name an earlier answer. A key without a question of
its own is asked for by what its field says of itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tracker.dice import TWO_D6, read_die
from tracker.documents.wizard.candidates import incomes_of
from tracker.documents.wizard.context import Answers, Context, money
from tracker.documents.wizard.forms import Form
from tracker.errors import BadInput

_GENERAL: Final[Mapping[str, str]] = {
    "alignment": "Law-abiding or outlaw?",
    "amount": "How much XP?",
    "assisted_by": "Does a friend help?",
    "at_risk": "Who is in the way of the stray shot? Nearest to {attacker} first.",
    "attacker": "Who attacks?",
    "because_of": "Which friend went down?",
    "by": "Who did it?",
    "captive": "Which captive?",
    "choose": "Which one is kept?",
    "behind": "From outside the target's vision arc?",
    "closest": "Is {target} the closest enemy?",
    "close_combat": "In close combat?",
    "count": "How many?",
    "cover": "What cover does {target} have?",
    "facing": "Which side of {vehicle} was hit?",
    "fighter": "Who?",
    "fighters": "Who?",
    "friends_near": "How many friends stand near {fighter}?",
    "gang": "Which gang?",
    "height": "From how high, in inches?",
    "inches": "How far, in inches?",
    "item": "Which item?",
    "mobile": "Is {vehicle} Mobile?",
    "name": "What is the name?",
    "patient": "Who is hurt?",
    "profile": "Which profile of the {weapon}?",
    "range": "At what range?",
    "reason": "What for?",
    "set": "Which set of skills?",
    "skill": "Which skill?",
    "target": "Who is the target?",
    "targets": "Who is attacked? In the order of the dice.",
    "territory": "Which territory?",
    "type": "Which type?",
    "vehicle": "Which vehicle?",
    "weapon": "With which weapon?",
    "weapons": "With which weapons? Two at most.",
    "why": "What for?",
}
_SPECIAL: Final[Mapping[tuple[str, str], str]] = {
    ("advance", "fighter"): "Who spends XP?",
    ("advance", "take"): "What does {fighter} take?",
    ("advance", "type"): "Which type does {fighter} become?",
    ("alignment", "gang"): "Which gang says where it stands?",
    ("alignment", "why"): "Why?",
    ("awards", "amount"): "How much XP each?",
    ("awards", "fighters"): "Who gains XP?",
    ("battle_experience", "deeds"): "Who did a Glorious Deed?",
    ("bionic", "fighter"): "Who gets a bionic?",
    ("bionic", "improves"): "Which characteristics rise by one?",
    ("bionic", "item"): "Which bionic?",
    ("bionic", "place"): "Which injury is it for?",
    ("blaze", "engaged"): "Is {fighter} Engaged?",
    ("blaze", "fighter"): "Who is on fire and activated?",
    ("blaze", "friends_near"): "Which other Active friends stand within 1 inch?",
    ("blaze", "lies_down"): "Does {fighter} end the run Prone and Pinned?",
    ("blessing", "count"): "How many Blessing Markers?",
    ("blessing", "fighter"): "Who gains Blessing Markers?",
    ("blessing_spent", "fighter"): "Whose Blessing Markers?",
    ("blood_markers", "attacker"): "Who attacks {fighter}?",
    ("blood_markers", "count"): "How many Blood Markers are spent?",
    ("blood_markers", "fighter"): "Whose Blood Markers?",
    ("blood_markers", "use"): "On an action of {fighter}, or on an attack on them?",
    ("bottle", "gang"): "Who takes the Bottle check?",
    ("bottle", "voluntary"): "Do they bottle out by choice?",
    ("buy", "for"): "Who gets it straight away?",
    ("buy", "gang"): "Who buys?",
    ("buy", "item"): "What do they buy?",
    ("buy", "price"): "What do they pay?",
    ("buy", "vehicle"): "Fitted to which vehicle?",
    ("captive_works", "territory"): "Where does {captive} work?",
    ("capture", "bounty_hunters"): "How many Bounty Hunters were hired?",
    ("capture", "captive"): "Who was drawn?",
    ("capture", "gang"): "Who holds the field alone?",
    ("capture", "restrained"): "How many enemies were restrained?",
    ("catch_fire", "fighter"): "Who did the flames reach?",
    ("claim_bounty", "by"): "Who hands {captive} over?",
    ("clean_house", "gang"): "Which gang clears out its dead?",
    ("condition", "condition"): "Which condition?",
    ("condition", "ends"): "Does it end?",
    ("condition", "fighter"): "Whose condition changes?",
    ("control", "why"): "Why does {vehicle} test for control?",
    ("corruption", "gang"): "Which gang may mutate from now on?",
    ("coup_de_grace", "attacker"): "Who gives the Coup de Grace?",
    ("coup_de_grace", "target"): "Who does {attacker} finish off?",
    ("credits", "amount"): "How many credits?",
    ("credits", "from"): "Who pays?",
    ("credits", "reason"): "Why?",
    ("credits", "to"): "Who gets them?",
    ("crew", "fighter"): "Who drives {vehicle}?",
    ("dispose_of_captive", "by"): "Who gets rid of {captive}?",
    ("end_actions", "gang"): "Which gang has no more actions?",
    ("equipment", "item"): "What does it bring?",
    ("escape", "fighter"): "Who tries to escape?",
    ("experience", "fighter"): "Who gains XP?",
    ("explore", "gang"): "Who explores?",
    ("explore", "location"): "Is this exactly the score of a location?",
    ("explore", "more_dice"): "How many extra dice, from skills or gear?",
    ("explore", "rerolls"): "Which dice are rolled again? Counted from 1.",
    ("fall", "inches"): "How far did {fighter} fall, in inches?",
    ("fall", "fighter"): "Who fell?",
    ("fearsome", "fighter"): "Who would charge?",
    ("fearsome", "target"): "Which enemy has Fearsome?",
    ("fight", "charging"): "Is it a Charge?",
    ("fight", "behind"): "From behind the target?",
    ("fight", "assists"): "Which friends are engaged with the target, and with nobody else of its gang?",
    ("fight", "interference"): "Which other enemies are engaged with {attacker}, and with no friend?",
    ("fight", "facing"): "Which side of the vehicle is attacked?",
    ("fight", "mobile"): "Is the vehicle Mobile?",
    ("fight", "follows"): "Does {attacker} follow, should the target be knocked back?",
    ("fight", "in_contact"): "Who else is in base contact with {attacker}, friend or foe?",
    ("fight", "named_die"): "With which weapon is the one stronger blow?",
    ("fight", "psyker"): "Is {attacker} a psyker?",
    ("fight", "reaction"): "Are these Reaction attacks?",
    ("flee", "engaged"): "Who of them is engaged?",
    ("flee", "fighters"): "Who tests or leaves? In that order.",
    ("flee", "gang"): "Which gang flees?",
    ("flee", "near"): "Who stands near a Leader (12 inches) or Champion (6)?",
    ("flee", "voluntarily"): "Do they leave by choice, without Cool tests?",
    ("flesh_wound", "fighter"): "Who took a Flesh Wound?",
    ("flight", "fighter"): "Who is Broken and runs?",
    ("ganger_roll", "choose"): "Which characteristic comes first, where the roll offers two?",
    ("ganger_roll", "fighter"): "Which Ganger rolls for an advance?",
    ("ganger_roll", "set"): "Which set of skills, should {fighter} become a Specialist?",
    ("fighter", "category"): "Which rank are they?",
    ("fighter", "cost"): "What does one of them cost?",
    ("fighter", "skills"): "Which skills? With commas between them.",
    ("fighter", "type"): "What does the gang list call them?",
    ("fighter", "wargear"): "What else do they carry? With commas between them.",
    ("fighter", "weapons"): "With which weapons? With commas between them; or one as YAML, in {{braces}}.",
    ("fighter", "xp"): "How much XP is left to spend?",
    ("gang", "credits"): "How many credits does the gang have?",
    ("gang", "house"): "Of which house, or gang list?",
    ("gang", "name"): "What is the gang called?",
    ("gang", "player"): "Who plays it?",
    ("gang", "injuries_counted"): "Do the numbers of their cards have all injuries already?",
    ("gang", "reputation"): "What Reputation does the gang have?",
    ("glory", "by"): "How much Glory (negative if it is spent)?",
    ("glory", "gang"): "Whose Glory changes?",
    ("hand_over", "from"): "Who gives it up?",
    ("hand_over", "gang"): "Whose gear changes hands?",
    ("hand_over", "item"): "What changes hands?",
    ("hand_over", "to"): "Who gets the {item}?",
    ("headbutt", "attacker"): "Who gives the Headbutt?",
    ("headbutt", "target"): "Which enemy engaged?",
    ("hire", "gang"): "Who hires?",
    ("hire", "name"): "What is the new {type} called?",
    ("hire", "type"): "Who do they hire?",
    ("hit", "target"): "Who was hit?",
    ("hurl", "attacker"): "Who hurls?",
    ("hurl", "meets"): "Against which fighter is {target} thrown?",
    ("hurl", "obstacle"): "Is {target} thrown against terrain?",
    ("hurl", "target"): "Which enemy engaged?",
    ("income", "amount"): "How many credits do your own cards say?",
    ("income", "counted"): "How many {counted}?",
    ("income", "dice"): "How many dice do they roll?",
    ("income", "territory"): "Income of which territory?",
    ("income", "worked_by"): "Who works there?",
    ("injury_chart", "attacker"): "Who attacks?",
    ("injury_chart", "bloodbath"): "Is Bloodbath paid for with Blood Markers of {target}?",
    ("injury_chart", "minus_dice"): "How many -1 DICE?",
    ("injury_chart", "plus_dice"): "How many +1 DICE?",
    ("injury_chart", "spend_blessings"): "How many Blessing Markers of {target} are spent, -1 DICE each?",
    ("injury_chart", "spend_markers"): "How many Blood Markers of {target} are spent, +1 DICE each?",
    ("injury_chart", "target"): "Who is hit?",
    ("injury_roll", "count"): "How many Injury dice?",
    ("injury_roll", "target"): "Injury dice for whom?",
    ("injury_roll", "why"): "Why?",
    ("latecomer", "fighter"): "Who joined late?",
    ("latecomer", "missed"): "How many battles did {fighter} miss?",
    ("learn", "choose"): "Which table's skill is kept?",
    ("learn", "fighter"): "Who learns a skill?",
    ("learn", "patron_skill"): "Which skill of the Patron?",
    ("learn", "tables"): "Which two tables do they roll on?",
    ("location", "kind"): "Which table is it in?",
    ("location", "name"): "What is it called?",
    ("location", "score"): "What score does the table print for it?",
    ("insane", "controlled_by"): "Which gang won the roll-off, if there are several opponents?",
    ("insane", "fighter"): "Who is insane and activated?",
    ("lose_territory", "why"): "How was it lost?",
    ("medical_escort", "by"): "Who takes {patient} to the Doc?",
    ("medical_escort", "paid"): "Pay the Doc {fee}? If not, {patient} dies.",
    ("morale", "minus_dice"): "How many -1 DICE?",
    ("morale", "plus_dice"): "How many +1 DICE?",
    ("morale", "turn"): "Which turn ends?",
    ("mutation", "choose"): "Which mutation does {fighter} choose?",
    ("mutation", "fighter"): "Who mutates?",
    ("mvp", "fighter"): "Who was the best of the gang?",
    ("nerve", "fighter"): "Who tests their nerve?",
    ("new_leader", "fighter"): "Who leads from now on?",
    ("new_leader", "type"): "Which type is the new Leader?",
    ("out_of_action", "fighter"): "Who went Out of Action?",
    ("order", "fighter"): "Who gives the order?",
    ("order", "friend"): "Which friend within 6 inches?",
    ("painted", "fighter"): "Whose model is painted?",
    ("patronage", "against"): "Who do they fight next?",
    ("patronage", "gang"): "Which gang is behind?",
    ("promote", "fighter"): "Who rises in rank?",
    ("promote", "to"): "To which rank?",
    ("promotions", "deeds"): "How many Glorious Deeds in all?",
    ("promotions", "troops"): "Which troops roll for promotion?",
    ("rally", "fighter"): "Who tries to rally?",
    ("saddle", "fighter"): "Which mounted fighter was hit?",
    ("saddle", "inches"): "How far did {fighter} move in the last activation, in inches?",
    ("sanity", "fighter"): "Who takes the Willpower test?",
    ("round_ends", "round"): "Which round ends?",
    ("ransom", "ducats"): "How many ducats are paid?",
    ("ransom", "fighter"): "Who is ransomed?",
    ("rating", "gang"): "Whose rating?",
    ("recovery", "fighter"): "Who tries to recover?",
    ("regroup", "fighter"): "Who regroups?",
    ("regroup", "friends"): "Which Broken friends stand within 6 inches?",
    ("reinforcements", "gang"): "Which warband is reinforced?",
    ("reload", "fighter"): "Who reloads?",
    ("reload", "on_vehicle"): "A weapon of which vehicle?",
    ("remove_upgrade", "upgrade"): "Which upgrade comes off {vehicle}?",
    ("repairs", "by"): "Who repairs {vehicle}?",
    ("reputation", "by"): "How much Reputation do {gang} gain (negative for a loss)?",
    ("reputation", "gang"): "Whose Reputation changes?",
    ("rescue", "result"): "How did the rescue of {captive} end?",
    ("retire", "fighter"): "Who leaves for good?",
    ("retire", "reason"): "Why?",
    ("return_captive", "why"): "Why is {captive} let go?",
    ("reward", "credits"): "How many credits?",
    ("reward", "dice"): "How many dice?",
    ("reward", "die"): "D6 or D3?",
    ("reward", "gang"): "Who gets the reward?",
    ("scrap", "gang"): "Who remained alone on the battlefield?",
    ("seek_rare", "gang"): "Who looks for rare things?",
    ("seek_rare", "market"): "On which market?",
    ("sell", "gang"): "Who sells?",
    ("sell", "item"): "What do they sell?",
    ("sell_captive", "by"): "Who sells {captive} to the Guilders?",
    ("seriously_injured", "fighter"): "Who was Seriously Injured?",
    ("shell_shock", "fighter"): "Who is Shell Shocked?",
    ("shoot", "attacker"): "Who shoots?",
    ("shoot", "facing"): "Which side of {target} is hit?",
    ("shoot", "from_vehicle"): "With a weapon of which vehicle?",
    ("shoot", "hull_down"): "Is {target} hull-down, nothing of that side in sight?",
    ("shoot", "mobile"): "Is {target} Mobile?",
    ("shoot", "firepower_dice"): "How many Firepower dice?",
    ("shoot", "target"): "Who is shot at?",
    ("shoot", "under_marker"): "Who lies under the Blast marker where it ends?",
    ("shoot", "under_template"): "Who lies under the template, in this order?",
    ("stand", "fighter"): "Who stands up?",
    ("move", "fighter"): "Who moves?",
    ("move", "inches"): "How many inches?",
    ("move", "just_stood"): "Did {fighter} stand up in this activation?",
    ("move", "movement"): "How does {fighter} move?",
    ("stand_up", "fighter"): "Who is Pinned and tests to stand up?",
    ("stand", "minus_dice"): "How many -1 DICE?",
    ("stand", "plus_dice"): "How many +1 DICE?",
    ("stand", "spend_blessings"): "How many Blessing Markers of {fighter} are spent, +1 DICE each?",
    ("stand", "spend_markers"): "How many Blood Markers of {fighter} are spent, -1 DICE each?",
    ("stand", "risky"): "Did {fighter} go Down in this activation?",
    ("territory", "gang"): "Who takes a territory?",
    ("territory", "kind"): "Which territory of the book is it?",
    ("territory", "name"): "What does your table call it?",
    ("territory", "staked"): "Was it the stake?",
    ("territory", "territory"): "What is its id? A new one gets one, such as old-ruins.",
    ("threshold", "gang"): "Which warband's Threshold?",
    ("thrown_clear", "fighter"): "Who was aboard?",
    ("thrown_clear", "vehicle"): "Which wreck was {fighter} aboard?",
    ("took_part", "amount"): "How much XP does the scenario give each?",
    ("took_part", "without"): "Who sat it out?",
    ("trade", "by"): "Who trades?",
    ("trade_captive", "price"): "What do they pay?",
    ("trade_captive", "to"): "Who gets {captive}?",
    ("trauma", "fighter"): "Whose fate is rolled?",
    ("treat_wounds", "by"): "Who treats?",
    ("treat_wounds", "fighter"): "Which friend within 1 inch?",
    ("treat_wounds", "treats"): "A wound, or a flesh_wound?",
    ("unpin", "fighter"): "Who stood up?",
    ("vehicle_hit", "attacker"): "Who hit the vehicle?",
    ("vehicle_hit", "vehicle"): "Which vehicle was hit?",
    (
        "vehicle_nerve",
        "friends_near",
    ): "How many friendly vehicles near {vehicle} are neither Broken nor wrecked?",
    ("vehicle_nerve", "vehicle"): "Which vehicle tests its nerve?",
    ("vehicle_nerve", "wreck"): "Which friendly vehicle was wrecked?",
}


def words_for(form: Form, key: str) -> str | None:
    """The question for a key, its braces not filled in; None of one that has none of its own."""
    return _SPECIAL.get((form.kind, key)) or _GENERAL.get(key)


def question_for(
    form: Form, key: str, answers: Answers, named: Callable[[str], str], facts: Mapping[str, str]
) -> str:
    """What is said to ask for a key. `named` gives the name of a fighter, gang or vehicle."""
    words = words_for(form, key)
    if words is None:
        return f"{form.meaning(key).rstrip('.')}:"
    return words.format_map(_Filled(answers, named, facts))


def facts_of(table: Context, form: Form, answers: Answers, dice: Mapping[str, list[Any]]) -> dict[str, str]:
    """What a question can name that is no answer: what the Doc asks, what a territory's income counts."""
    facts: dict[str, str] = {}
    post_battle = table.book.post_battle_rules
    doctor = post_battle.doctor if post_battle is not None else None
    if form.kind == "medical_escort" and doctor is not None and dice.get("doctor_fee"):
        given = dice["doctor_fee"][-1]
        try:
            die = read_die("doctor_fee", TWO_D6, given["rolled"] if isinstance(given, dict) else given)
        except BadInput:
            return facts  # whatever a file says there, the dry run refuses it
        facts["fee"] = money(table, die.total * doctor.credits_per_pip)
    counted = ", ".join(income.counted for income in incomes_of(table, answers) if income.counted)
    return {**facts, "counted": counted} if counted else facts


class _Filled(dict[str, str]):
    """Names of what was answered before; what was left out is `them`, or what the key is commonly called."""

    def __init__(self, answers: Answers, named: Callable[[str], str], facts: Mapping[str, str]) -> None:
        super().__init__(facts)
        self.answers = answers
        self.named = named

    def __missing__(self, key: str) -> str:
        said = self.answers.get(key)
        return self.named(said) if isinstance(said, str) else _LEFT_OUT.get(key, "them")


_LEFT_OUT: Final[Mapping[str, str]] = {
    "target": "the target",
    "weapon": "weapon",
    "counted": "of what the book counts",
    "fee": "what he asks",
    "vehicle": "the vehicle",
}
