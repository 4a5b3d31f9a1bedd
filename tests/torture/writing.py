"""Every command that writes, each with what has to come before it so that it has something to do."""

from __future__ import annotations

from dataclasses import dataclass

from cli_arbitrator import ROOT, Arbitrator
from cli_reports import FIRST, GANG_SHEETS, SEASON, second

FIXTURES = ROOT / "fixtures"
MARKET = ("--armoury", str(FIXTURES / "armoury" / "sump-market.yaml"))
WHY = ("--reason", "because")
AWARD = ("fighter", "award", "pip", "tallow", "krug", "--xp", "9", *WHY)
GIVEN = ("gang", "buy", "iron-skulls", "goggles", "--given", "--beyond-rules", *MARKET, *WHY)
AFTER = """\
format: post-battle/1
battle: b2
entries:
  - experience: {fighter: krug, amount: 2, reason: reported well}
"""
RECRUIT = """\
format: gang-sheet/1
gang: iron-skulls
name: Iron Skulls
house: Forge Clans
player: Dana
fighters:
  - {id: late, name: Late, category: ganger, type: Forge Hand, cost: 55, characteristics: {M: 4, WS: 4+, BS: 4+, S: 3, T: 3, W: 1, I: 4+, A: 1, Ld: 8+, Cl: 7+, Wil: 8+, Int: 8+}}
"""
REST = "format: battle-continued/1\nbattle: b2\nentries: []\nresult: {draw: true}\n"
OTHER = second().replace("winner: gilded-cage", "winner: iron-skulls")
FILES = {
    "other.yaml": OTHER,
    "rest.yaml": REST,
    "third.yaml": SEASON[2],
    "after.yaml": AFTER,
    "late.yaml": RECRUIT,
    "forgotten.yaml": "format: battle-continued/1\nbattle: b2\nentries:\n  - experience: {fighter: pip, amount: 1, reason: held on}\n",
    "sheet.yaml": GANG_SHEETS[1]
    .read_text()
    .replace("credits: 40", "credits: 41")
    .replace("credits: 75", "credits: 76"),
}


@dataclass(frozen=True)
class Asked:
    """A command line and what comes before it; a word such as {third.yaml} stands for that file."""

    words: tuple[str, ...]
    first: tuple[tuple[str, ...], ...] = ()
    captive: bool = False
    adds: bool = True

    def said(self, folder: str) -> list[str]:
        """The words, with files by their paths."""
        return [word.format(folder=folder) for word in self.words]


def file(name: str) -> str:
    return "{folder}/" + name


MIDWAY = ("rollback", "rule", "--to-entry", "9", "--force", "nobody minds", *WHY)
"""Battle 2 is under way again after it."""

WORDS = "seven rusty buckets of grease"
CONTRIBUTED = (("dice", "open"), ("dice", "contribute", "--by", "Robin", "--words", WORDS))

WRITING = (
    Asked(("battle", "amend", "b2", file("other.yaml"), "--force", "nobody minds", *WHY)),
    Asked(("battle", "close", "--draw"), first=(MIDWAY,)),
    Asked(("battle", "continue", file("rest.yaml")), first=(MIDWAY,)),
    Asked(("battle", "post", file("after.yaml"))),
    Asked(("battle", "record", file("third.yaml"), "--roll")),
    Asked(("boards", "rebuild"), adds=False),
    Asked(("campaign", "cycle", *WHY)),
    Asked(("campaign", "export", file("copy.db")), adds=False),
    Asked(("campaign", "import", str(FIXTURES / "archives" / "rust-row.zip"))),
    Asked(("campaign", "new", "Rust Row")),
    Asked(("db", "backup", file("copy.db")), adds=False),
    Asked(("dice", "use", "provable", *WHY)),
    Asked(("dice", "open")),
    Asked(("dice", "contribute", "--by", "Robin", "--words", WORDS), first=(("dice", "open"),)),
    Asked(("dice", "reveal", "--by", "Robin", "--words", WORDS), first=CONTRIBUTED),
    Asked(("dice", "withheld", "Robin", *WHY), first=CONTRIBUTED),
    Asked(("dice", "close"), first=(("dice", "open"),)),
    Asked(("dispute", "comment", "12", "--says", "we all saw it")),
    Asked(("dispute", "open", "9.3", *WHY)),
    Asked(("dispute", "rule", "12", "--confirm", "--force", "nobody minds", *WHY)),
    Asked(("dispute", "withdraw", "12", *WHY)),
    Asked(("entry", "add", file("forgotten.yaml"), "--after", "9", "--force", "nobody minds", *WHY)),
    Asked(("gang", "amend", file("sheet.yaml"), "--force", "nobody minds", *WHY)),
    Asked(("entry", "amend", "6", "--set", "amount=3", "--force", "nobody minds", *WHY)),
    Asked(("fighter", "add", file("late.yaml"))),
    Asked(("fighter", "advance", "krug", "cool", *WHY), first=(AWARD,)),
    Asked(AWARD),
    Asked(("fighter", "hire", "iron-skulls", "Forge Hand", "Nib", "--price", "0", *MARKET, *WHY)),
    Asked(("fighter", "promote", "pip", "ganger", "--type", "Forge Hand", "--beyond-rules", *WHY)),
    Asked(("fighter", "rename", "krug", "--name", "Krugg")),
    Asked(("fighter", "retire", "vex", *WHY)),
    Asked(
        ("fighter", "roll", "tallow", "--dice", "ganger_advancement=4+4", "--choose", "willpower", *WHY),
        first=(AWARD,),
    ),
    Asked(("gang", "add", str(GANG_SHEETS[2]))),
    Asked(("gang", "buy", "iron-skulls", "nail gun", *MARKET, *WHY)),
    Asked(("gang", "credits", "@rewards", "iron-skulls", "40", *WHY)),
    Asked(("gang", "hand-over", "iron-skulls", "goggles", "--to", "krug", *WHY), first=(GIVEN,)),
    Asked(("gang", "leader", "iron-skulls", *WHY), first=(("fighter", "retire", "krug", *WHY),)),
    Asked(
        ("gang", "patronage", "iron-skulls", "--against", "gilded-cage", "--roll", *WHY),
        first=(
            ("policy", "adopt", "house-patronage@1", *WHY),
            ("fighter", "retire", "krug", *WHY),
            ("fighter", "retire", "vex", *WHY),
        ),
    ),
    Asked(("gang", "release", "vex", *WHY), captive=True),
    Asked(("gang", "reputation", "iron-skulls", "--by", "1", *WHY)),
    Asked(("gang", "sell", "iron-skulls", "goggles", "--roll", *WHY), first=(GIVEN,)),
    Asked(("gang", "territory", "iron-skulls", "--id", "ruins", "--kind", "old_ruins", *WHY)),
    Asked(("gang", "took-part", "iron-skulls", *WHY)),
    Asked(("log", "confirm", "9.2", "--by", "Robin")),
    Asked(("policy", "adopt", "one-lasting-injury-roll@1", *WHY)),
    Asked(
        ("policy", "repeal", "one-lasting-injury-roll@1", *WHY),
        first=(("policy", "adopt", "one-lasting-injury-roll@1", *WHY),),
    ),
    Asked(("rollback", "rule", "--battle", "b2", "--force", "nobody minds", *WHY)),
)

ELSEWHERE = {
    ("campaign", "use"): "writes the name of a campaign to a file of its own",
    ("battle", "play"): "writes a report to a file, and records it as `battle record` does",
    ("campaign", "publish"): "writes pages to a folder, and records nothing",
    **{
        ("armoury", verb): "writes an armoury to a file, and opens no database"
        for verb in ("merge", "import")
    },
    ("host", "export"): "writes events to files, and records nothing",
    ("gang", "new"): "writes a sheet to a file, and records it as `gang add` does",
    ("gang", "emblem"): "writes a row beside the log",
    ("gang", "export"): "writes a gang to a file, and records nothing",
    ("gang", "import"): "writes a sheet to a file, and records nothing",
    **{
        ("campaign", verb): "writes a row beside the log"
        for verb in ("armoury", "dice", "recorders", "visibility")
    },
    **{
        ("member", *verb): "writes rows beside the log, in one transaction: tests/service/test_people.py"
        for verb in (
            *((verb,) for verb in ("forget", "invite", "remove", "rename", "revoke-invite", "role")),
            ("token", "new"),
            ("token", "revoke"),
        )
    },
    **{
        (
            "webhook",
            verb,
        ): "writes rows beside the log, in one transaction: tests/server/test_server_webhooks.py"
        for verb in ("add", "remove", "send")
    },
    **{
        ("battle", verb): "writes a row beside the log: tests/cli/test_cli_proposals.py"
        for verb in ("confirm", "object", "propose", "withdraw")
    },
    ("battle", "take-in"): "records a report that was sent in, as `battle record` does",
    **{
        ("draft", verb): "writes a row beside the log: tests/service/test_drafts.py"
        for verb in ("answer", "begin", "discard", "undo")
    },
    ("host", "cell", "add"): "writes a row of the host",
    ("host", "move"): "dies at every step in tests/server/test_server_cells.py",
    ("daemon",): "runs the commands of others, until it is ended",
    ("serve",): "runs the commands of others, until it is stopped",
    ("dice", "abandon"): "needs a request that was stopped half-way; it appends as `dice withheld` does",
    ("db", "upgrade"): "the chapter `upgrades` kills it",
    ("audit", "key", "new"): "writes a key file, and its statement beside the log",
    ("audit", "key", "rotate"): "writes a key file, and its statement beside the log",
    ("audit", "witnesses"): "writes a statement beside the log",
    ("audit", "checkpoint"): "signs a head of the log, and writes it beside the log",
    ("audit", "cosigned"): "keeps a witness's signature beside the log",
    ("audit", "cosign"): "signs somebody's head, and remembers it in a file of its own",
    ("audit", "prove"): "writes a proof to a file, and records nothing",
}
"""What writes and is not here, and why."""
READING = {
    ("audit", "key", "show"),
    ("audit", "consistency"),
    ("help",),
    *(("armoury", verb) for verb in ("check", "show")),
    *(("campaign", verb) for verb in ("list", "show", "timeline")),
    ("host", "cell", "list"),
    *(("host", verb) for verb in ("replay", "stats", "what-if")),
    *(("member", verb) for verb in ("invites", "list")),
    ("member", "token", "list"),
    *(("webhook", verb) for verb in ("list", "show")),
    *(("draft", verb) for verb in ("list", "show")),
    *(("gang", verb) for verb in ("captives", "ledger", "list", "show", "stash", "territories", "warband")),
    *(("battle", verb) for verb in ("list", "proposal", "proposals", "show")),
    *(("dispute", verb) for verb in ("list", "preview", "show")),
    *(("policy", verb) for verb in ("history", "list", "show", "what-if")),
    *(("roster", verb) for verb in ("diff", "show")),
    *(("log", verb) for verb in ("entry", "show")),
    *(("rules", verb) for verb in ("list", "show")),
    ("dice", "show"),
    *(("audit", verb) for verb in ("dice", "heads", "report", "verify")),
    *((noun,) for noun in ("completion", "doctor", "explain", "judge", "login", "logout", "odds", "schema")),
    ("fighter", "show"), ("fighter", "actions"), ("standings", "show"), ("rollback", "preview"), ("boards", "verify"), ("db", "current"),
}  # fmt: skip
"""What leaves the log and the boards alone."""


def prepared(season: Arbitrator, asked: Asked) -> None:
    """A season in which this command has something to do."""
    for name, text in FILES.items():
        season.write(text, name=name)
    rulings = FIXTURES / "rulings"
    if asked.captive:
        season.done("campaign", "new", "Captive")
        for sheet in ("skulls", "saints"):
            season.done("gang", "add", str(rulings / f"{sheet}.yaml"))
        season.done("battle", "record", str(rulings / "captured.yaml"))
        season.done("battle", "post", str(rulings / "captured.after.yaml"))
    else:
        season.done("campaign", "new", "Ash Wastes")
        for sheet in GANG_SHEETS[:2]:
            season.done("gang", "add", str(sheet))
        season.record(FIRST)
        season.record(second())
        season.done("dispute", "open", "9.2", "--reason", "cocked")
    for words in asked.first:
        season.done("-c", "ash-wastes", *words)
