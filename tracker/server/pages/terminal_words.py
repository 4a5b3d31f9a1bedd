"""Rewrites refusals for pages: replaces commands and options with the page that shows the same.

Knows texts and no refusal: other texts stay unchanged.
"""

from __future__ import annotations

import re
from typing import Final

from tracker.rules.glossary import USUAL, GameWords

PLACES: Final = {
    "battle list": "Battles",
    "campaign list": "the list of campaigns",
    "dispute list": "Disputes",
    "dispute show": "its page under Disputes",
    "fighter show": "the fighter's page",
    "gang captives": "the {game.gangs}' pages",
    "gang ledger": "the ledger on the {game.gang}'s page",
    "gang list": "{game.Gangs}",
    "gang territories": "the {game.gang}'s page",
    "log show": "the Log",
    "member invites": "the open links on the page Members",
    "member list": "the page Members",
    "policy history": "House rules",
    "policy list": "House rules",
    "roster show": "{game.Gangs}",
}
"""Commands that only show something, and the page that shows the same."""
SENTENCES: Final = {
    " 'arbitrator campaign new NAME' opens one.": "",
    ", or give --slug, such as --slug ash-wastes": "",
    ", with 'arbitrator member role'": "",
    "; 'arbitrator member invite' lets them in": "; a link lets them in",
    "Sign in first: send a token as 'Authorization: Bearer trk_...', or open /sign-in in a browser.": (
        "This page is for people who are signed in."
    ),
    "Leave out --gang, or choose the role player.": "Tick no {game.gang}, or choose the role player.",
    ": there 'arbitrator member invite --back' makes it.": ".",
    "Say how the battle ended: --winner GANG, or --draw.": (
        "Say how the battle ended: choose who won, or a draw."
    ),
    " Ids are unique in a campaign: give this fighter an 'id:' of its own.": " Choose another name.",
    " For each say --dice ENTRY:PURPOSE=FACES (or --roll), --keep ENTRY, or --void-entry ENTRY;"
    " or answer for all of them with --strategy keep-later or void-later.": (
        " Choose below what becomes of each."
    ),
    ": write them out, or give an armoury that lists it (--armoury).": (
        ": fill them in below, under Weapons with numbers of your own."
    ),
    "things without numbers: no weapons of an armoury (--armoury FILE)": (
        "nobody here has its numbers: go on row by row to fill them in"
    ),
    "; the question is: What happened? (end ends the battle)": ".",
    "Or let the tool roll what is missing with --roll.": "Or let the tool roll what is missing.",
}
_SEED: Final = re.compile(
    r"cannot be read from [^\n]+?, so nothing can be rolled or revealed\s+here\. Put the file back, or"
    r" record on the machine where the session was opened\."
)
_SEED_GONE: Final = (
    "is not on the machine that keeps the campaign, so the tool can neither roll nor show it. Type in"
    " dice from the table, or ask whoever keeps the machine to put the seed back."
)
_DRAFT_GONE: Final = re.compile(
    r"This campaign has no draft '[^'\n]*': it may be recorded, or discarded\. See 'arbitrator draft list'\."
)
_GONE: Final = (
    "Somebody recorded it meanwhile, or threw it away. A battle that is recorded stands under Battles, a"
    " {game.gang} under {game.Gangs}."
)
_TITLES: Final = {"Unknown draft": "It is not being written any more"}
_CHOSEN: Final = re.compile(r", or 'arbitrator campaign use [^'\n]*'")
_COMMAND: Final = re.compile(rf"'arbitrator ({'|'.join(PLACES)})[^'\n]*'")


def on_page(text: str, game: GameWords = USUAL) -> str:
    """The text for a page. `game` is the campaign's, if any."""
    for typed, shown in SENTENCES.items():
        text = text.replace(typed, game.said(shown))
    text = _DRAFT_GONE.sub(game.said(_GONE), text)
    text = _SEED.sub(_SEED_GONE, _CHOSEN.sub("", text))
    return _COMMAND.sub(lambda found: game.said(PLACES[found[1]]), text)


def title_on_page(title: str) -> str:
    """The heading of a refusal's page."""
    return _TITLES.get(title, title)


_OF_A_TERMINAL: Final = re.compile(r"arbitrator [a-z]|(?<![\w-])--[a-z]|`|\bYAML\b|\bTOML\b")
_IN_BRACKETS: Final = re.compile(r" \(arbitrator [^()]*\)")
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+")


def plainly(text: str, game: GameWords = USUAL) -> str:
    """The text without sentences that help only at a terminal; unchanged if no other would remain."""
    said = _IN_BRACKETS.sub("", on_page(text, game))
    kept = [sentence for sentence in _SENTENCE.split(said) if not _OF_A_TERMINAL.search(sentence)]
    return " ".join(kept) or said
