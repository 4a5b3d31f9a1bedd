"""The texts of operations and their fields on pages, and the reasons why some operations have no page.

Knows texts only: fields, choices and rights come from the commands.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class OperationWords(NamedTuple):
    """What somebody does, under a heading, and what comes of it."""

    title: str
    about: str
    heading: str = ""
    button: str = ""
    """On the button that does it; else the title."""


GANG: Final = "{game.Gangs}"
FIGHTER: Final = "Fighters"
BATTLE: Final = "Battles"
CAMPAIGN: Final = "The campaign"
PEOPLE: Final = "People"
DICE: Final = "Dice that everybody can check"
TRUST: Final = "Signed records"
HEADINGS: Final = (GANG, FIGHTER, BATTLE, CAMPAIGN, PEOPLE, DICE, TRUST)

OPERATIONS: Final[Mapping[str, OperationWords]] = {
    "gang buy": OperationWords(
        "Buy something",
        "The {game.gang} pays, and the thing lies in its stash or goes to a fighter.",
        GANG,
        "Buy it",
    ),
    "gang sell": OperationWords(
        "Sell something",
        "Out of the stash, for less than it is worth, as the rulebook says.",
        GANG,
        "Sell it",
    ),
    "gang hand-over": OperationWords(
        "Hand something over", "A thing moves between the stash, fighters and vehicles.", GANG, "Hand it over"
    ),
    "gang leader": OperationWords(
        "Name a new Leader",
        "Somebody leads the {game.gang}, now that the old Leader is lost.",
        GANG,
        "Name the Leader",
    ),
    "gang took-part": OperationWords(
        "XP for taking part",
        "Whoever was in the last battle's crew gets it, once for each battle.",
        GANG,
        "Give the XP",
    ),
    "gang patronage": OperationWords(
        "Take patronage",
        "By house rule, a {game.gang} gets {game.credits} before it meets a much stronger one.",
        GANG,
        "Take it",
    ),
    "gang credits": OperationWords(
        "Move {game.credits}",
        "From a {game.gang}, or from outside, to another.",
        GANG,
        "Move the {game.credits}",
    ),
    "gang territory": OperationWords(
        "Give a territory", "A {game.gang} holds it from now on, as the Arbitrator decides.", GANG, "Give it"
    ),
    "gang reputation": OperationWords(
        "Change Reputation", "As the Arbitrator decides, by a number.", GANG, "Change it"
    ),
    "gang release": OperationWords(
        "Let a captive go", "The captive goes home, as the Arbitrator decides.", GANG, "Let them go"
    ),
    "fighter hire": OperationWords(
        "Hire a fighter", "Of a type that the armoury lists; the {game.gang} pays its price.", FIGHTER, "Hire"
    ),
    "fighter advance": OperationWords(
        "Spend XP on an advance", "The fighter pays its price in XP.", FIGHTER, "Advance"
    ),
    "fighter roll": OperationWords(
        "Roll a Ganger's advance", "A Ganger with enough XP rolls for what they become.", FIGHTER, "Roll"
    ),
    "fighter promote": OperationWords(
        "Promote", "A Juve or Prospect with enough advances rises in rank.", FIGHTER, "Promote"
    ),
    "fighter award": OperationWords(
        "Award XP", "From the scenario or the Arbitrator, to one fighter or several.", FIGHTER, "Award it"
    ),
    "fighter rename": OperationWords(
        "Rename", "The fighter has another name from now on.", FIGHTER, "Rename"
    ),
    "fighter retire": OperationWords(
        "Retire", "The fighter leaves for good; what they carry stays in the stash.", FIGHTER, "Retire"
    ),
    "battle close": OperationWords(
        "End the battle under way", "It counts as fought, with who won.", BATTLE, "End the battle"
    ),
    "battle continue": OperationWords(
        "Go on from a written report",
        "What the report says further is added to the battle under way.",
        BATTLE,
        "Add it",
    ),
    "campaign cycle": OperationWords(
        "Begin the next cycle or phase",
        "All that the phase brings happens to every {game.gang}.",
        CAMPAIGN,
        "Begin it",
    ),
    "campaign visibility": OperationWords(
        "Who sees the campaign", "Its members only, or everybody.", CAMPAIGN, "Set it"
    ),
    "campaign recorders": OperationWords(
        "Who records battles",
        "Arbitrators; players whose {game.gang} fought, too; or players, once all who fought agree.",
        CAMPAIGN,
        "Set it",
    ),
    "webhook add": OperationWords(
        "Post to a chat or a program",
        "What is recorded from now on is posted to Discord, or to a program of yours.",
        CAMPAIGN,
        "Begin to post",
    ),
    "webhook remove": OperationWords(
        "Stop posting", "Nothing is posted there any more, what waits included.", CAMPAIGN, "Stop it"
    ),
    "member invite": OperationWords("Invite somebody", "A link that lets them in.", PEOPLE, "Make the link"),
    "member revoke-invite": OperationWords(
        "Take an invitation back", "Its link lets nobody in any more.", PEOPLE, "Take it back"
    ),
    "member role": OperationWords(
        "Give somebody another role", "And, to a player, the {game.gangs} they play.", PEOPLE, "Give it"
    ),
    "member remove": OperationWords(
        "Remove a member", "They no longer see a private campaign.", PEOPLE, "Remove them"
    ),
    "dice use": OperationWords(
        "How the tool rolls",
        "Provably, from a seed fixed before and secret words of the players; or plainly, by itself.",
        DICE,
        "Roll so from now on",
    ),
    "dice open": OperationWords(
        "Begin a dice session",
        "A seed is drawn and sealed on the machine that keeps the campaign; its fingerprint is in the log. "
        "Nobody is shown it before the session ends. Then players commit their words.",
        DICE,
        "Draw the seed",
    ),
    "dice contribute": OperationWords(
        "Commit secret words",
        "Nobody can foresee the dice without them. Keep the words: you show them later, exactly so.",
        DICE,
        "Commit",
    ),
    "dice reveal": OperationWords(
        "Show your secret words",
        "From the first that is shown, nobody commits any more, and the tool rolls.",
        DICE,
        "Show them",
    ),
    "dice close": OperationWords(
        "End the dice session",
        "The seed is shown to everybody, and every roll of the session can be worked out again.",
        DICE,
        "Show the seed",
    ),
    "dice withheld": OperationWords(
        "Go on without somebody's words",
        "Everybody sees that they were not shown.",
        DICE,
        "Go on without them",
    ),
    "dice abandon": OperationWords(
        "Give dice up that were never rolled",
        "Everybody sees that they were asked for.",
        DICE,
        "Give them up",
    ),
    "audit cosigned": OperationWords(
        "Keep a witness's signature",
        "A witness signed the state of the log and sent it to you: paste all of it.",
        TRUST,
        "Keep it",
    ),
    "audit witnesses": OperationWords(
        "Who witnesses the log",
        "How many of them each signed state needs, and their keys.",
        TRUST,
        "State it",
    ),
}

LABELS: Final[Mapping[str, tuple[str, str]]] = {
    "gang": ("{game.Gang}", ""),
    "fighter": ("Fighter", ""),
    "fighters": ("Fighters", ""),
    "captive": ("Captive", ""),
    "against": ("Against", "Whom it fights next."),
    "item": ("What", ""),
    "for": ("For which fighter", "From the {game.gang}'s own list; nobody: into the stash."),
    "vehicle": ("For which vehicle", "From the {game.gang}'s own list."),
    "found": ("Found up to", "The highest Rare or Illegal rating that the search came to."),
    "price": ("Price", "Where it is not the list's; 0 is free."),
    "replaces": ("In place of", "What goes to the stash for it."),
    "market": ("It is free, as a reward is", ""),
    "beyond_rules": ("Allow it although the rules do not", "The Arbitrator's word; the log says so."),
    "worth": ("Worth", "Where it counts for another sum."),
    "from": ("From", ""),
    "to": ("To", ""),
    "amount": ("How much", ""),
    "overdraw": ("The {game.gang} may go into debt", ""),
    "type": ("Type", "What the {game.gang} list calls them."),
    "name": ("Name", ""),
    "xp": ("XP they bring", ""),
    "take": ("Advance", ""),
    "set": ("Set of skills", ""),
    "skill": ("Skill", "Where it is chosen, not rolled."),
    "cannot_take": ("Skills they may not have", "With commas between them."),
    "choose": ("What they would rather have", "Where the roll offers two; with commas between them."),
    "without": ("Who took no part", ""),
    "territory": ("Territory", "One of the campaign's, or a short name for a new one."),
    "kind": ("Kind", ""),
    "by": ("By how much", "Negative for a loss."),
    "takes_gear": ("They take what they carry with them", "As hired guns do."),
    "reason": ("Why", "It is kept in the log."),
    "winner": ("Who won", ""),
    "draw": ("Nobody won", ""),
    "phase": ("Phase", "Empty: the one that comes next."),
    "number": ("Number of the cycle", "Where earlier ones are not recorded here."),
    "who": ("Who", ""),
    "words": ("Your words", "Some that nobody would guess."),
    "commitment": ("Or their fingerprint", "Where you worked it out yourself."),
    "request": ("Entry of the request", "Its number in the log."),
    "want": ("How many witnesses", ""),
    "vkeys": ("Their keys", "One in each line."),
    "how": ("How", ""),
    "url": ("Address", "Where it is posted. Keep it secret: it is not shown again."),
    "about": ("What", "Nothing ticked: all of it."),
    "webhook": ("Which", ""),
    "drop": ("Keep none any more", ""),
    "file": ("The text", ""),
    "roll": ("Let the tool roll what is missing", ""),
    "invite": ("Which", ""),
    "role": ("Role", ""),
    "gangs": ("{game.Gangs}", ""),
    "uses": ("For how many people", ""),
    "days": ("Good for how many days", ""),
    "new_gang": ("New {game.gang}", "They begin it and name it themselves."),
    "no_gangs": ("No {game.gangs}", "All are taken from them."),
    "note": ("Note", "For yourself: whom it is for."),
    "back": ("For a member who lost their way in", ""),
}
LABELS_OF: Final[Mapping[tuple[str, str], tuple[str, str]]] = {
    ("gang sell", "worth"): ("Worth", "Where the stash does not say it."),
    ("fighter promote", "to"): ("New rank", ""),
    ("fighter advance", "type"): ("New type", "Where they become a Champion."),
    ("gang leader", "fighter"): ("Fighter", "Where the rules leave a choice."),
    ("gang territory", "name"): ("Name", "Where it is not the book's."),
    ("webhook add", "kind"): ("Written for", ""),
    ("audit cosigned", "file"): ("What the witness sent", ""),
    ("battle continue", "file"): ("The report", ""),
    ("fighter rename", "name"): ("New name", ""),
}
WORDS_OF: Final[Mapping[tuple[str, str], str]] = {
    ("webhook add", "discord"): "A Discord channel",
    ("webhook add", "json"): "A program of yours",
    ("dice use", "provable"): "Provably, so that everybody can check it",
    ("dice use", "plain"): "Plainly, by itself",
}
"""What a word that a command takes is called, where it is not called so itself."""

DONE_BY: Final[Mapping[str, str]] = {
    "gang new": "/begin-gang",
    "battle play": "/record",
    "battle record": "/record/{draft}/record",
    "battle post": "/record/{draft}/record",
}
"""Operations that a page does under another name, and the form that does them."""

OF_NO_CAMPAIGN: Final[Mapping[str, str]] = {
    "member forget": "/account/forget",
    "member rename": "/account/name",
    "member token new": "/account/tokens/new",
    "member token revoke": "/account/tokens/revoke",
    "campaign import": "/machine/archive",
    "audit checkpoint": "/machine/sign",
    "audit key new": "/machine/key",
    "audit key rotate": "/machine/key",
}
"""What each person does for themselves, and whoever keeps the machine in a browser: the form that does it."""
BY_SCRIPT: Final[Mapping[str, str]] = {"audit cosign": "/log/proof"}
"""What a browser does with a key that never leaves it, and the page where it does."""

NOT_HERE: Final[Mapping[str, str]] = {
    "webhook send": "The service posts by itself.",
    "boards rebuild": "Work on the machine itself.",
    "host cell add": "Work on the machine itself.",
    "host move": "Work on the machine itself.",
    "db upgrade": "Work on the machine itself.",
}
"""What no page offers, and why."""
