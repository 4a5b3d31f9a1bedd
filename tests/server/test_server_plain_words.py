"""Pages speak to people at a table: no command, no option, no file and no id stands in what they read."""

import html
import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from cli_arbitrator import Arbitrator
from cli_reports import SEASON
from served import Club

from tracker.server.pages.routes import HERE, PAGES

BROWSER = {"Accept": "text/html"}
CAMPAIGN = "/campaigns/ash-wastes"
NOT_READ = re.compile(r"<(script|style)\b.*?</\1>|<head>.*?</head>|<[^>]+>", re.DOTALL)
SHOWN_AS_IT_IS = re.compile(r"<(code|textarea|pre)\b.*?</\1>", re.DOTALL)
DOCUMENTS = {
    "/battles/b1/correct": "the battle's report, to be put right",
    "/battles/b2/correct": "the battle's report, to be put right",
    "/house-rules/": "the rule itself, for who writes one",
    "/import": "the sheet of another tool's gang, to be corrected",
    "/log": "fingerprints and addresses of what is recorded",
    "/reports/": "a report as it was sent in",
    "/battles/": "the report of a battle, to be put right: on no other page of a battle stands one",
}
"""Pages that show a document or a fingerprint in a type of its own, and why; elsewhere that is read, too."""
FORBIDDEN = {
    "a command": re.compile(r"\barbitrator [a-z]+\b(?<!arbitrator of)"),
    "an option": re.compile(r"(?<![\w-])--[a-z]"),
    "a format of files": re.compile(r"\bYAML\b|\bTOML\b|\.(?:yaml|toml|py|db)\b"),
    "a house rule's id": re.compile(r"[a-z0-9-]+@\d"),
    "an id of a draft or a person": re.compile(r"\b(?:d|person|p)-[0-9a-z]{8,}\b"),
    "a place in the log": re.compile(r"\b(?:disputes?|about) (?:entry \d|\d+\.\d)"),
    "an error code": re.compile(r"\b[a-z]+_[a-z_]+\b"),
}
SLUGS = ("iron-skulls", "gilded-cage", "ash-wastes")
"""Ids of this table that no words are made of."""
AT_LEAST = 45
"""So many pages a season of two battles has."""


def read_aloud(page: str, path: str = "") -> str:
    """What somebody reads on it."""
    if any(f"{CAMPAIGN}{below}" in path for below in DOCUMENTS):
        page = SHOWN_AS_IT_IS.sub(" ", page)
    typed = " ".join(re.findall(r'<input type="text"[^>]*\bvalue="([^"]*)"', page))
    return re.sub(r"\s+", " ", html.unescape(NOT_READ.sub(" ", page) + typed))


def said_wrong(text: str) -> Iterator[str]:
    for what, pattern in FORBIDDEN.items():
        for found in pattern.finditer(text):
            yield f"{what}: ...{text[max(0, found.start() - 40) : found.end() + 20]}..."
    for slug in SLUGS:
        if (at := text.find(slug)) >= 0:
            yield f"an id: ...{text[max(0, at - 40) : at + 40]}..."


def walked(club: Club, name: str) -> dict[str, str]:
    """Every page that links lead to from the first, as somebody sees it."""
    headers = {**BROWSER, "Authorization": f"Bearer {club.tokens[name]}"}
    waiting, pages, kinds = ["/"], {}, {}
    while waiting:
        path = waiting.pop(0)
        kind = re.sub(
            r"(?<=/)[^/?]*\d[^/?]*|(?<=fighters/)[^/]+|(?<=why/)[^/]+|(?<=house-rules/)[^/]+", "*", path
        )
        if path in pages or kinds.get(kind, 0) >= 3:
            continue
        kinds[kind] = kinds.get(kind, 0) + 1
        answer = club.client.get(path, headers=headers)
        pages[path] = str(answer.text)
        for href in re.findall(r'href="(/[^"#]*)', answer.text):
            link = urlsplit(html.unescape(href))
            if not link.path.startswith(("/static/", "/v1/", "/sign-", "/manifest.")):
                waiting.append(link.path + (f"?{link.query}" if link.query else ""))
    return pages


@pytest.mark.slow
def test_no_page_of_a_season_names_a_command_an_option_a_file_or_an_id(club: Club, table: Arbitrator) -> None:
    table.done("draft", "begin", "battle")
    table.done("policy", "adopt", "captives-in-rating@1", "--from-battle", "3", "--reason", "we voted")
    table.done("dispute", "open", "10.2", "--reason", "the die was cocked", "--by", "Robin")
    pages = walked(club, "Mara")
    assert len(pages) >= AT_LEAST
    missed = [
        page.path
        for page in PAGES
        if not any(
            re.fullmatch(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(page.path)), urlsplit(path).path)
            for path in pages
        )
    ]
    assert set(missed) <= NOT_LINKED
    wrong = {path: list(said_wrong(read_aloud(text, path))) for path, text in pages.items()}
    assert {path: found for path, found in wrong.items() if found} == {}


NOT_LINKED = {
    f"{HERE}{below}"
    for below in (
        "/reports/{proposal}",
        "/welcome",
        "/gangs/{gang}/why/{number}",
        "/house-rules/own",
        "/record/{draft}/outcomes",
    )
}
"""Pages of what this season does not have, or that no link leads to from the first page."""


@pytest.mark.parametrize(
    "path", ["/", CAMPAIGN, f"{CAMPAIGN}/gangs", f"{CAMPAIGN}/battles", f"{CAMPAIGN}/no-such"]
)
def test_a_strangers_pages_do_not_either(club: Club, path: str) -> None:
    club.tracker.people.set_visibility(club.campaign, "public")
    assert list(said_wrong(read_aloud(club.client.get(path, headers=BROWSER).text))) == []


def test_an_address_of_nothing_says_so_and_leads_on(club: Club) -> None:
    answer = club.client.get(f"{CAMPAIGN}/no/such/page", headers=BROWSER)
    said = read_aloud(answer.text)
    assert answer.status_code == 404
    assert "There is nothing at this address. Back to the campaign" in said


@pytest.mark.parametrize("name", ["Mara", "Dana"])
def test_pages_that_no_link_leads_to_do_not_either(club: Club, name: str) -> None:
    club.tracker.people.set_who_records(club.campaign, "coaches")
    sent = club.ask("Dana", "POST", "/proposals", content=SEASON[2])
    assert sent.status_code == 200, sent.text
    headers = {**BROWSER, "Authorization": f"Bearer {club.tokens[name]}"}
    proposal = sent.json()["proposal"]
    ways = [
        f"/reports/{proposal if isinstance(proposal, str) else proposal['proposal']}",
        "/welcome",
        "/record",
    ]
    ways += [f"/gangs/iron-skulls/why/{number}" for number in ("rating_credits", "credits", "reputation")]
    wrong = {}
    for below in ways:
        answer = club.client.get(f"{CAMPAIGN}{below}", headers=headers)
        assert answer.status_code == 200, (below, answer.text[:300])
        wrong[below] = list(said_wrong(read_aloud(answer.text, f"{CAMPAIGN}{below}")))
    assert {path: found for path, found in wrong.items() if found} == {}


@pytest.mark.parametrize("path", ["/account", "/machine", "/sign-in", "/begin"])
def test_pages_of_no_campaign_do_not_either(club: Club, path: str) -> None:
    club.people["Kit"] = club.tracker.people.of_machine("Kit")
    answer = club.browser("Kit").get(path, headers=BROWSER)
    assert answer.status_code == 200
    assert list(said_wrong(read_aloud(answer.text))) == []


@pytest.mark.parametrize(
    "below", ["/record/d-abcdefgh/board", "/record/d-abcdefgh", "/begin-gang?draft=d-abcdefgh"]
)
def test_the_page_of_what_is_recorded_by_now_says_where_it_stands(club: Club, below: str) -> None:
    headers = {**BROWSER, "Authorization": f"Bearer {club.tokens['Mara']}"}
    answer = club.client.get(f"{CAMPAIGN}{below}", headers=headers)
    assert answer.status_code == 404, answer.text
    said = read_aloud(answer.text)
    assert "It is not being written any more" in said
    assert "recorded stands under Battles" in said
    assert list(said_wrong(said)) == []


def test_the_words_that_are_looked_for_are_found() -> None:
    for text in (
        "See 'arbitrator battle list'.", "rule again with --faces", "a sheet.yaml", "captives-in-rating@1",
        "draft d-1f4kx2mz", "the iron-skulls", "not_a_member", "Robin disputes 10.2: cocked",
    ):  # fmt: skip
        assert list(said_wrong(text)), text
    assert list(said_wrong("Ask the Arbitrator of your campaign; Kal-Jerico took 3-1.")) == []
    assert read_aloud("<p>Go <code>57.3</code> on &amp; out</p>") == " Go 57.3 on & out "
    assert read_aloud("<p>Go <code>57.3</code> on</p>", f"{CAMPAIGN}/log") == " Go on "
