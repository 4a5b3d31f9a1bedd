"""The routes of the API: which request runs which command.

The request's parameters are derived from the command's. Knows paths and names of commands. Knows no
framework, no rule and no right.
"""

from __future__ import annotations

from typing import Final, NamedTuple

HERE: Final = "/v1/campaigns/{campaign}"
PICTURE: Final = "picture"
"""The format of a document that is a picture."""


class Route(NamedTuple):
    """A request and the command that answers it."""

    method: str
    path: str
    """The path under /v1; `{campaign}` is the campaign, every other name in braces an argument."""
    command: str
    """The command as typed: 'battle record'."""
    document: str | None = None
    """The argument that is a file: the request's body."""
    format: str = ""
    """The format of a document, as named by `arbitrator schema`; empty for plain text."""

    @property
    def of_campaign(self) -> bool:
        """Whether it is about one campaign."""
        return "{campaign}" in self.path

    @property
    def is_beside_the_log(self) -> bool:
        """Whether it leaves the log unchanged."""
        return not {self.command, self.command.split(maxsplit=1)[0]}.isdisjoint(BESIDE_THE_LOG)

    @property
    def operation(self) -> str:
        """Its name for programs: 'battle_record'."""
        return self.command.replace(" ", "_").replace("-", "_")


def _reads(path: str, command: str) -> Route:
    return Route("GET", f"{HERE}{path}", command)


def _takes(path: str, command: str, document: str, form: str) -> Route:
    return Route("POST", f"{HERE}{path}", command, document, form)


def _does(path: str, command: str) -> Route:
    return Route("POST", f"{HERE}{path}", command)


ROUTES: Final = (
    # Without a campaign.
    Route("POST", "/v1/judge", "judge", "file", "exchange"),
    Route("POST", "/v1/odds", "odds", "file", "exchange"),
    Route("GET", "/v1/rules", "rules list"),
    Route("GET", "/v1/rules/{name}", "rules show"),
    Route("GET", "/v1/schemas/{name}", "schema"),
    Route("GET", "/v1/campaigns", "campaign list"),
    Route("POST", "/v1/campaigns", "campaign new"),
    # The campaign.
    _reads("", "campaign show"),
    _reads("/timeline", "campaign timeline"),
    _does("/cycles", "campaign cycle"),
    _reads("/roster", "roster show"),
    _reads("/roster/diff", "roster diff"),
    _reads("/standings", "standings show"),
    _reads("/explain", "explain"),
    _reads("/log", "log show"),
    _reads("/log/{entry}", "log entry"),
    _does("/log/{event}/confirm", "log confirm"),
    # People.
    _reads("/members", "member list"),
    _reads("/members/invites", "member invites"),
    _does("/members/invite", "member invite"),
    _does("/members/invites/{invite}/revoke", "member revoke-invite"),
    _does("/members/{who}/role", "member role"),
    _does("/members/{who}/remove", "member remove"),
    _does("/visibility", "campaign visibility"),
    _does("/recorders", "campaign recorders"),
    _takes("/armoury", "campaign armoury", "file", "armoury"),
    _does("/dice/from", "campaign dice"),
    # Webhooks.
    _reads("/webhooks", "webhook list"),
    _does("/webhooks", "webhook add"),
    _reads("/webhooks/{webhook}", "webhook show"),
    _does("/webhooks/{webhook}/remove", "webhook remove"),
    # Gangs.
    _reads("/gangs", "gang list"),
    _takes("/gangs", "gang add", "file", "gang-sheet"),
    _takes("/gangs/amend", "gang amend", "file", "gang-sheet"),
    _reads("/gangs/{gang}", "gang show"),
    _reads("/gangs/{gang}/captives", "gang captives"),
    _takes("/gangs/{gang}/emblem", "gang emblem", "file", PICTURE),
    _reads("/gangs/{gang}/export", "gang export"),
    _reads("/gangs/{gang}/ledger", "gang ledger"),
    _reads("/gangs/{gang}/stash", "gang stash"),
    _reads("/gangs/{gang}/warband", "gang warband"),
    _does("/gangs/{gang}/buy", "gang buy"),
    _does("/gangs/{gang}/sell", "gang sell"),
    _does("/gangs/{gang}/hand-over", "gang hand-over"),
    _does("/gangs/{gang}/leader", "gang leader"),
    _does("/gangs/{gang}/patronage", "gang patronage"),
    _does("/gangs/{gang}/reputation", "gang reputation"),
    _does("/gangs/{gang}/territory", "gang territory"),
    _does("/gangs/{gang}/took-part", "gang took-part"),
    _does("/gangs/{gang}/fighters", "fighter hire"),
    _reads("/territories", "gang territories"),
    _does("/credits", "gang credits"),
    _does("/captives/{captive}/release", "gang release"),
    # Fighters.
    _takes("/fighters", "fighter add", "file", "gang-sheet"),
    _reads("/fighters/{fighter}", "fighter show"),
    _reads("/fighters/{fighter}/actions", "fighter actions"),
    _does("/fighters/{fighter}/advance", "fighter advance"),
    _does("/fighters/{fighter}/roll", "fighter roll"),
    _does("/fighters/{fighter}/promote", "fighter promote"),
    _does("/fighters/{fighter}/rename", "fighter rename"),
    _does("/fighters/{fighter}/retire", "fighter retire"),
    _does("/awards", "fighter award"),
    # Battles.
    _reads("/battles", "battle list"),
    _takes("/battles", "battle record", "file", "battle-report"),
    _takes("/battles/continue", "battle continue", "file", "battle-continued"),
    _does("/battles/close", "battle close"),
    _reads("/battles/{battle}", "battle show"),
    _takes("/battles/{battle}/amend", "battle amend", "file", "battle-report"),
    _takes("/post-battle", "battle post", "file", "post-battle"),
    # Drafts and proposals.
    _reads("/proposals", "battle proposals"),
    _takes("/proposals", "battle propose", "file", "battle-report"),
    _reads("/proposals/{proposal}", "battle proposal"),
    _does("/proposals/{proposal}/confirm", "battle confirm"),
    _does("/proposals/{proposal}/object", "battle object"),
    _does("/proposals/{proposal}/take-in", "battle take-in"),
    _does("/proposals/{proposal}/withdraw", "battle withdraw"),
    _reads("/drafts", "draft list"),
    _does("/drafts", "draft begin"),
    _reads("/drafts/{draft}", "draft show"),
    _does("/drafts/{draft}/answer", "draft answer"),
    _does("/drafts/{draft}/undo", "draft undo"),
    _does("/drafts/{draft}/discard", "draft discard"),
    # Corrections.
    _takes("/entries", "entry add", "file", "battle-continued"),
    _does("/entries/{entry}/amend", "entry amend"),
    _reads("/disputes", "dispute list"),
    _does("/disputes", "dispute open"),
    _reads("/disputes/{dispute}", "dispute show"),
    _does("/disputes/{dispute}/comments", "dispute comment"),
    _does("/disputes/{dispute}/preview", "dispute preview"),
    _does("/disputes/{dispute}/rule", "dispute rule"),
    _does("/disputes/{dispute}/withdraw", "dispute withdraw"),
    _does("/rollback/preview", "rollback preview"),
    _does("/rollback/rule", "rollback rule"),
    # House rules.
    _reads("/policies", "policy list"),
    _reads("/policies/history", "policy history"),
    _reads("/policies/what-if", "policy what-if"),
    _reads("/policies/{policy}", "policy show"),
    _does("/policies/adopt", "policy adopt"),
    _does("/policies/repeal", "policy repeal"),
    # Trust.
    _reads("/audit", "audit report"),
    _reads("/audit/verify", "audit verify"),
    _reads("/audit/dice", "audit dice"),
    _reads("/audit/proofs/{event}", "audit prove"),
    _reads("/audit/key", "audit key show"),
    _does("/audit/witnesses", "audit witnesses"),
    _reads("/audit/heads", "audit heads"),
    _reads("/audit/consistency", "audit consistency"),
    _takes("/audit/cosignatures", "audit cosigned", "file", ""),
    _reads("/dice", "dice show"),
    _does("/dice/use", "dice use"),
    _does("/dice/open", "dice open"),
    _does("/dice/close", "dice close"),
    _does("/dice/contribute", "dice contribute"),
    _does("/dice/reveal", "dice reveal"),
    _does("/dice/withheld", "dice withheld"),
    _does("/dice/abandon", "dice abandon"),
    _reads("/boards/verify", "boards verify"),
)

BESIDE_THE_LOG: Final = frozenset(
    {
        "battle confirm",
        "battle object",
        "battle propose",
        "battle withdraw",
        "draft",
        "member",
        "webhook",
        "campaign armoury",
        "campaign visibility",
        "campaign recorders",
        "campaign dice",
        "gang emblem",
        "audit cosigned",
    }
)
"""Nouns and commands that write nothing to the log, so that If-Match does not apply."""
READS_BY_POST: Final = frozenset({"dispute preview", "rollback preview", "judge", "odds"})
"""Commands that write nothing but need a body."""
LONG: Final = frozenset(
    {
        "judge", "odds", "policy what-if", "dispute preview", "rollback preview",
        "audit verify", "audit report", "audit dice", "boards verify",
    }
)  # fmt: skip
"""Commands that read and may take long."""


def takes_long(command: str, *, dry: bool) -> bool:
    """Whether a worker process runs it, as it runs previews of commands that decide."""
    return command in LONG or dry
