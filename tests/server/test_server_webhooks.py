"""Webhooks: posted once per entry, after it is saved, in order; tried again, given up, shown; never anywhere
that is nobody's business.
"""

import base64
import hashlib
import hmac
import ipaddress
import json
import re
import socket
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from cli_arbitrator import Arbitrator
from cli_reports import SEASON
from forms_seen import forms
from receiver import Receiver, Say, receiving
from served import Club

from tracker.reports.webhook_posts import webhook_posts
from tracker.service import webhook_client
from tracker.service.application import Tracker
from tracker.service.clock import later
from tracker.service.webhook_client import Unreachable, WebhookNotUsable
from tracker.service.webhook_delivery import PostingResult, post_due, retry_seconds
from tracker.service.webhooks import GIVEN_UP_AFTER

LOOPBACK = frozenset({"127.0.0.1"})
DISPUTE = ("dispute", "open", "10.2", "--reason", "it was cocked @everyone")


class Moving:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def __call__(self) -> str:
        return self.at

    def on(self, **by: float) -> None:
        self.at = later(self.at, timedelta(**by))


class Post:
    """Whoever posts what is due, at a time that is moved by hand."""

    def __init__(self, table: Arbitrator) -> None:
        self.clock = Moving()
        self.clock.on(minutes=1)
        self.tracker = Tracker(f"sqlite:///{table.file}", actor="poster", clock=self.clock)

    def __call__(self, **how: Any) -> PostingResult:
        def write(webhook: Any, delivery: Any) -> Any:
            return webhook_posts(self.tracker, webhook, delivery)

        return post_due(self.tracker.outbox, write, allowed=LOOPBACK, **how)


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    monkeypatch.setenv(webhook_client.ALLOWED, "127.0.0.1")
    with receiving() as running:
        yield running


@pytest.fixture
def post(table: Arbitrator) -> Iterator[Post]:
    poster = Post(table)
    yield poster
    poster.tracker.close()


def hook(table: Arbitrator, receiver: Receiver, *options: str, kind: str = "discord") -> str:
    made = table.read("webhook", "add", receiver.url, "--kind", kind, *options)
    return str(made["webhook"]["webhook"])


# --- what is posted -----------------------------------------------------------------------------------------


def test_a_battle_and_the_standings_are_posted_to_discord_once(
    table: Arbitrator, receiver: Receiver, post: Post
) -> None:
    hook(table, receiver)
    table.record(SEASON[2])
    assert receiver.got == [], "nothing is posted in the writer's transaction"
    assert post() == PostingResult(posted=1)
    said = [json.loads(got.body) for got in receiver.got]
    assert [one["content"].splitlines()[0] for one in said] == [
        "**Battle 3 (b3): Toll at the Bridge, 2026-03-14**",
        "**Ash Wastes: standings**",
    ]
    assert all(one["allowed_mentions"] == {"parse": []} for one in said)
    assert {got.path for got in receiver.got} == {"/hooks/canary-secret?wait=true"}
    assert post() == PostingResult()


def test_only_what_was_asked_for_is_posted(table: Arbitrator, receiver: Receiver, post: Post) -> None:
    hook(table, receiver, "--events", "disputes")
    table.record(SEASON[2])
    table.done("fighter", "rename", "krug", "--name", "Old Krug")
    table.done(*DISPUTE)
    assert post() == PostingResult(posted=1)
    (got,) = receiver.got
    content = json.loads(got.body)["content"]
    assert "disputes 10.2: it was cocked" in content


def test_a_ruling_and_a_withdrawn_dispute_are_posted(
    table: Arbitrator, receiver: Receiver, post: Post
) -> None:
    hook(table, receiver, "--events", "rulings", "--events", "disputes")
    table.done(*DISPUTE)
    table.done("dispute", "withdraw", "13", "--reason", "it lay flat")
    assert post() == PostingResult(posted=2)
    table.done("dispute", "open", "11.2", "--reason", "wrong table")
    ruled = table("dispute", "rule", "15", "--confirm", "--reason", "seen by all", *table.seen())
    assert ruled.code == 0, ruled.err
    assert post() == PostingResult(posted=2)
    titles = [json.loads(got.body)["content"].splitlines()[0] for got in receiver.got]
    assert [title.partition(": ")[2].partition(",")[0] for title in titles] == [
        *["dispute"] * 3, "ruling",
    ]  # fmt: skip


def test_what_happened_before_the_webhook_is_not_posted(
    table: Arbitrator, receiver: Receiver, post: Post
) -> None:
    table.record(SEASON[2])
    hook(table, receiver)
    assert post() == PostingResult()


def test_a_program_gets_a_cloud_event_signed_with_its_key(
    table: Arbitrator, receiver: Receiver, post: Post
) -> None:
    made = table.read("webhook", "add", receiver.url, "--kind", "json")
    table.record(SEASON[2])
    assert post() == PostingResult(posted=1)
    (got,) = receiver.got
    assert got.headers["content-type"] == "application/cloudevents+json"
    event = json.loads(got.body)
    assert (event["specversion"], event["type"]) == ("1.0", "arbitrator.entry.posted")
    assert event["data"]["about"] == ["battles", "standings"]
    assert event["data"]["events"][-1]["type"] == "BattleClosed"
    assert event["time"] == event["data"]["events"][0]["at"]
    # As a program checks it that knows Standard Webhooks and nothing of ours.
    key = base64.b64decode(made["secret"].removeprefix("whsec_"))
    signed = f"{got.headers['webhook-id']}.{got.headers['webhook-timestamp']}.".encode() + got.body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert got.headers["webhook-signature"] == f"v1,{expected}"


# --- once, and again ----------------------------------------------------------------------------------------


def test_a_crash_between_saving_and_posting_loses_nothing(
    table: Arbitrator, receiver: Receiver, post: Post
) -> None:
    hook(table, receiver, "--events", "disputes")
    table.done(*DISPUTE)
    (due,) = post.tracker.outbox.due()
    assert post.tracker.outbox.take(due) is not None, "taken by somebody who is killed now"
    assert post() == PostingResult(), "while it may still be on its way"
    post.clock.on(minutes=3)
    assert post() == PostingResult(posted=1)
    assert len(receiver.got) == 1


def test_two_posters_deliver_each_entry_once(table: Arbitrator, receiver: Receiver, post: Post) -> None:
    hook(table, receiver, "--events", "disputes")
    table.done(*DISPUTE)
    (due,) = post.tracker.outbox.due()
    assert post.tracker.outbox.take(due) is not None
    assert post.tracker.outbox.take(due) is None


def test_a_refused_entry_is_posted_nowhere(table: Arbitrator, receiver: Receiver, post: Post) -> None:
    hook(table, receiver)
    table.done(*DISPUTE)
    table.refused(1, *DISPUTE)
    assert post() == PostingResult(posted=1)


def test_an_answer_of_500_is_tried_again_later_each_time_under_the_same_id(
    table: Arbitrator, receiver: Receiver, post: Post
) -> None:
    name = hook(table, receiver, "--events", "disputes")
    table.done(*DISPUTE)
    receiver.answers = [Say(500), Say(502)]
    assert post() == PostingResult(failed=1)
    assert post() == PostingResult(), "not at once"
    shown = table.read("webhook", "show", name)
    assert (shown["webhook"]["state"], shown["unsent"][0]["failure"]) == (
        "failing",
        "it answered HTTP 500",
    )
    post.clock.on(seconds=11)
    assert post() == PostingResult(failed=1)
    post.clock.on(seconds=5)
    assert post() == PostingResult(), "longer than the first time"
    post.clock.on(seconds=20)
    assert post() == PostingResult(posted=1)
    assert len({got.headers["webhook-id"] for got in receiver.got}) == 1
    shown = table.read("webhook", "show", name)
    assert (shown["webhook"]["state"], shown["unsent"]) == ("works", [])


def test_messages_that_arrived_are_not_posted_again(
    table: Arbitrator, receiver: Receiver, post: Post
) -> None:
    hook(table, receiver)
    table.record(SEASON[2])
    receiver.answers = [Say(204), Say(500)]
    assert post() == PostingResult(failed=1)
    post.clock.on(minutes=1)
    assert post() == PostingResult(posted=1)
    ids = [got.headers["webhook-id"].rpartition("-")[2] for got in receiver.got]
    assert ids == ["1", "2", "2"]


def test_a_receiver_that_sends_retry_after_is_left_alone_so_long(
    table: Arbitrator, receiver: Receiver, post: Post
) -> None:
    hook(table, receiver, "--events", "disputes")
    table.done(*DISPUTE)
    receiver.answers = [Say(429, (("Retry-After", "600"),))]
    assert post() == PostingResult(failed=1)
    post.clock.on(seconds=590)
    assert post() == PostingResult()
    post.clock.on(seconds=11)
    assert post() == PostingResult(posted=1)


@pytest.mark.parametrize(
    ("header", "at_least", "at_most"),
    [("7.5", 7.5, 7.5), ("-3", 0, 0), ("soon", 0, 0), (None, 0, 0), ("nan", 0, 0),
     ("Wed, 21 Oct 2015 07:28:00 GMT", 0, 0), ("Wed, 21 Oct 2099 07:28:00 GMT", 1e9, 1e10)],
)  # fmt: skip
def test_retry_after_is_seconds_or_a_date(header: str | None, at_least: float, at_most: float) -> None:
    assert at_least <= retry_seconds(header) <= at_most


def test_a_later_entry_waits_for_the_one_before_it(table: Arbitrator, receiver: Receiver, post: Post) -> None:
    hook(table, receiver, "--events", "disputes", kind="json")
    table.done(*DISPUTE)
    table.done("dispute", "open", "11.2", "--reason", "wrong table")
    receiver.answers = [Say(500)]
    assert post() == PostingResult(failed=1)
    post.clock.on(minutes=1)
    assert post() == PostingResult(posted=2)
    assert [json.loads(got.body)["data"]["entry"] for got in receiver.got] == [13, 13, 14]


def test_a_failing_webhook_delays_no_other(table: Arbitrator, receiver: Receiver, post: Post) -> None:
    with receiving() as other:
        hook(table, receiver, "--events", "disputes")
        table.done("webhook", "add", other.url, "--kind", "json")
        receiver.answers = [Say(500)]
        table.done(*DISPUTE)
        assert post() == PostingResult(posted=1, failed=1)
        assert len(other.got) == 1


def test_what_failed_for_three_days_is_given_up_and_shown(
    table: Arbitrator, receiver: Receiver, post: Post
) -> None:
    name = hook(table, receiver, "--events", "disputes")
    table.done(*DISPUTE)
    post.clock.on(seconds=GIVEN_UP_AFTER.total_seconds() - 120)
    receiver.answers = [Say(500), Say(500)]
    assert post() == PostingResult(failed=1)
    post.clock.on(minutes=5)
    assert post() == PostingResult(failed=1)
    post.clock.on(days=1)
    assert post() == PostingResult()
    (unsent,) = table.read("webhook", "show", name)["unsent"]
    assert unsent["given_up_at"] is not None
    assert "given up" in table.done("webhook", "show", name).out
    table.done("dispute", "withdraw", "13", "--reason", "never mind")
    assert post() == PostingResult(posted=1), "what comes later is posted"


@pytest.mark.parametrize(("kind", "status"), [("discord", 404), ("discord", 410), ("json", 410)])
def test_an_address_that_is_no_more_is_left_alone(
    table: Arbitrator, receiver: Receiver, post: Post, kind: str, status: int
) -> None:
    name = hook(table, receiver, "--events", "disputes", kind=kind)
    table.done(*DISPUTE)
    receiver.answers = [Say(status)]
    assert post() == PostingResult(failed=1)
    table.done("dispute", "withdraw", "13", "--reason", "never mind")
    post.clock.on(days=1)
    assert post() == PostingResult()
    assert table.read("webhook", "show", name)["webhook"]["state"] == "gone"
    assert "Remove it and add another" in table.done("webhook", "show", name).out


def test_a_slow_receiver_is_cut_off(
    table: Arbitrator, receiver: Receiver, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook_client, "SECONDS", 0.2)
    name = hook(table, receiver, "--events", "disputes")
    table.done(*DISPUTE)
    receiver.answers = [Say(204, after_seconds=1.0)]
    assert post() == PostingResult(failed=1)
    why = table.read("webhook", "show", name)["webhook"]["failure"]
    assert why in ("it did not answer in time", "the connection broke (RemoteDisconnected)")


def test_nobody_there_is_a_failure_like_any_other(table: Arbitrator, post: Post) -> None:
    with receiving() as gone:
        url = gone.url
    with pytest.MonkeyPatch.context() as setting:
        setting.setenv(webhook_client.ALLOWED, "127.0.0.1")
        name = table.read("webhook", "add", url, "--kind", "discord")["webhook"]["webhook"]
    table.done(*DISPUTE)
    assert post() == PostingResult(failed=1)
    assert table.read("webhook", "show", name)["webhook"]["failure"] == "it cannot be connected to"


def test_a_host_without_the_service_posts_with_a_command(table: Arbitrator, receiver: Receiver) -> None:
    hook(table, receiver, "--events", "disputes")
    table.done(*DISPUTE)
    assert table.read("webhook", "send")["posted"] == 1
    assert table.done("webhook", "send").out == "Posted about 0 entries, not about 0.\n"
    assert len(receiver.got) == 1


# --- whose, and where to ------------------------------------------------------------------------------------


def test_the_address_is_shown_to_nobody_again(table: Arbitrator, receiver: Receiver, post: Post) -> None:
    name = hook(table, receiver, kind="json")
    table.done(*DISPUTE)
    receiver.answers = [Say(500)]
    post()
    for words in (("webhook", "list"), ("webhook", "show", name), ("webhook", "remove", name)):
        for more in ((), ("--json",)):
            if words[1] == "remove" and more:
                continue
            said = table(*words, *more)
            assert "canary" not in said.out + said.err
            assert "whsec_" not in said.out + said.err


def test_arbitrators_alone_have_webhooks(club: Club, receiver: Receiver) -> None:
    asked = {"url": receiver.url, "kind": "discord", "events": ["battles"]}
    for name in ("Dana", "Sol"):
        assert club.ask(name, "POST", "/webhooks", json=asked).status_code == 403
        assert club.ask(name, "GET", "/webhooks").status_code == 403
    made = club.ask("Mara", "POST", "/webhooks", json=asked)
    assert made.status_code == 200, made.text
    name = made.json()["webhook"]["webhook"]
    assert made.json()["webhook"]["about"] == ["battles"]
    assert "canary" not in made.text + club.ask("Mara", "GET", f"/webhooks/{name}").text
    assert club.ask("Mara", "POST", f"/webhooks/{name}/remove").status_code == 200
    assert club.ask("Mara", "GET", "/webhooks").json()["webhooks"] == []
    gone = club.ask("Mara", "GET", f"/webhooks/{name}")
    assert (gone.status_code, gone.json()["code"]) == (404, "unknown_webhook")


@pytest.mark.parametrize(
    "url",
    ["http://club.example/x", "https://localhost/x", "https://127.0.0.1/x", "https://10.1.2.3/x", "https://[::1]/x",
     "https://169.254.169.254/latest", "https://[fe80::1]/x", "https://224.0.0.1/x", "https://0.0.0.0/",
     "https://[::ffff:10.0.0.1]/x", "https://[64:ff9b::a00:1]/x", "https://[2002:7f00:1::]/x",
     "https://me:secret@club.example/x", "ftp://club.example/", "https://", "https://club.example:99999/", "discord",
     "https://club.example/a b", "https://club.example/\nHost: x", "https://100.64.0.1/", "https://[fec0::1]/x",
     "https://192.0.0.192/opc", "https://[3fff::1]/x", "https://[::127.0.0.1]/x", "https://[64:ff9b:1::7f00:1]/x",
     "https://[2001:0:4136:e378:8000:63bf:80ff:fffe]/x", "https://club.example@127.0.0.1/x", "https://[fe80::1%25lo]/x"],
)  # fmt: skip
def test_an_address_that_is_nobodys_business_is_refused(table: Arbitrator, url: str) -> None:
    assert table.refused(2, "webhook", "add", url, "--kind", "discord").startswith(
        "arbitrator: Nothing can be posted to this address"
    )


def test_a_name_that_leads_to_a_private_machine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def leads_to(*addresses: str) -> None:
        found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443)) for address in addresses]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_how: found)

    for addresses in (("10.0.0.1",), ("93.184.216.34", "127.0.0.1")):
        leads_to(*addresses)
        with pytest.raises(WebhookNotUsable):
            webhook_client.post("https://club.example/x", b"", {}, frozenset())


@pytest.mark.parametrize(
    "host",
    ["2130706433", "0x7f000001", "0177.0.0.1", "017700000001", "127.1", "0", "[::]", "[::ffff:7f00:1]"],
)
def test_an_address_of_this_machine_in_any_spelling_is_refused(host: str) -> None:
    """As the system itself reads it: decimal, hexadecimal, octal, short."""
    with pytest.raises(WebhookNotUsable):
        webhook_client.post(f"https://{host}/x", b"", {}, frozenset())


def test_the_checked_address_is_the_address_that_is_connected_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def resolves(host: str, *_args: object, **_how: object) -> list[Any]:
        asked.append(host)
        address = "93.184.216.34" if len(asked) == 1 else "127.0.0.1"  # rebound for the second who asks
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443))]

    def connects(place: tuple[str, int], _seconds: float) -> socket.socket:
        asked.append(place[0])
        raise OSError

    monkeypatch.setattr(socket, "getaddrinfo", resolves)
    monkeypatch.setattr(socket, "create_connection", connects)
    with pytest.raises(Unreachable):
        webhook_client.post("https://club.example/x", b"", {}, frozenset())
    assert asked == ["club.example", "93.184.216.34"]


def test_a_redirect_is_not_followed(table: Arbitrator, receiver: Receiver, post: Post) -> None:
    name = hook(table, receiver, "--events", "disputes")
    table.done(*DISPUTE)
    receiver.answers = [Say(302, (("Location", receiver.url),))]
    assert post() == PostingResult(failed=1)
    assert len(receiver.got) == 1
    assert table.read("webhook", "show", name)["webhook"]["failure"] == "it answered HTTP 302"


@pytest.mark.parametrize("address", ["1.1.1.1", "2606:4700::1111", "::ffff:1.1.1.1"])
def test_public_machines_are(address: str) -> None:
    assert webhook_client.is_public(ipaddress.ip_address(address))


def test_an_append_asks_about_webhooks_only_where_it_may_be_posted(
    table: Arbitrator, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tracker.service import webhooks

    asked: list[str] = []
    listens = webhooks._WHO_LISTENS.all
    monkeypatch.setattr(webhooks._WHO_LISTENS, "all", lambda *given: asked.append("asked") or listens(*given))
    table.done("fighter", "rename", "krug", "--name", "Old Krug")
    assert asked == []
    table.record(SEASON[2])
    assert asked == ["asked"]


def test_a_campaign_has_ten_webhooks_at_most(table: Arbitrator) -> None:
    for number in range(10):
        table.done("webhook", "add", f"https://club.example/{number}", "--kind", "json")
    table.refused(1, "webhook", "add", "https://club.example/x", "--kind", "json")


def test_the_service_posts_by_itself(club: Club, receiver: Receiver) -> None:
    from tracker.server.webhook_poster import WebhookPoster

    asked = {"url": receiver.url, "kind": "discord", "events": ["disputes"]}
    assert club.ask("Mara", "POST", "/webhooks", json=asked).status_code == 200
    opened = club.ask("Dana", "POST", "/disputes", json={"event": "10.2", "reason": "cocked"})
    assert opened.status_code == 200
    WebhookPoster(club.tracker).once()
    (got,) = receiver.got
    assert "Dana disputes 10.2: cocked" in json.loads(got.body)["content"]


def test_a_double_tap_makes_one_webhook_and_shows_its_key_without_scripts(club: Club) -> None:
    mara, at = club.browser("Mara"), "/campaigns/ash-wastes/do/webhook-add"
    form, anew = (next(form for form in forms(mara.get(at).text) if form.action == at) for _ in range(2))
    given = {"url": "https://chat.example/hook", "kind": "json"}
    keys = []
    for fields in (form.fields, form.fields, anew.fields):
        (key,) = set(re.findall(r"whsec_[\w+/]{43}=", mara.post(at, data={**fields, **given}).text))
        keys.append(key)
    assert keys[0] == keys[1]
    assert keys[2] != keys[0], "a page that is loaded anew makes another"
    made = club.tracker.webhooks.of(club.campaign)
    assert sorted(hook.secret for hook in made) == sorted([keys[0], keys[2]])


def test_who_speaks_no_tls_is_not_reached_by_https() -> None:
    with receiving() as receiver:
        url = receiver.url.replace("http://", "https://")
        with pytest.raises(Unreachable, match="TLS failed"):
            webhook_client.post(url, b"{}", {}, frozenset({"127.0.0.1"}))
