"""`verify.html` as a sceptic opens it: from disk, in a browser, beside a bundle."""

import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator, begin
from cli_reports import SEASON
from playwright.sync_api import Browser, Page, Request
from signed_campaigns import changed_event, other_signature, repacked, rewritten, without_the_last_line

GREEN, RED, AMBER = "rgb(10, 125, 51)", "rgb(176, 0, 32)", "rgb(176, 112, 0)"
AWARD = ("fighter", "award", "krug", "--xp", "1", "--reason", "held on")
CHANGED = 30
"""An event in the middle."""


class VerifyPage:
    """The page as it lies on disk, and every request that it made."""

    def __init__(self, page: Page, file: Path) -> None:
        self.page = page
        self.requests: list[str] = []
        page.on("request", self._asked)
        page.goto(file.as_uri())

    def _asked(self, request: Request) -> None:
        self.requests.append(request.url)

    def verdict(self, archive: Path, *, vkey: str = "", known: str = "") -> tuple[str, str, str]:
        """What it says of a file, the colour around that, and the notes under it."""
        self.page.reload()
        self.page.fill("#vkey", vkey)
        self.page.fill("#known", known)
        self.page.set_input_files("#archive", archive)
        said = self.page.locator("#verdict.good, #verdict.bad, #verdict.open")
        said.wait_for()
        colour = said.evaluate("place => getComputedStyle(place).borderTopColor")
        return said.inner_text(), str(colour), self.page.inner_text("#notes")


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arbitrator]:
    """A campaign of one battle, signed to its last event, with its bundle in `good.zip`."""
    folder = tmp_path_factory.mktemp("bundle")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
        monkeypatch.delenv("TRACKER_CAMPAIGN", raising=False)
        table = Arbitrator(folder)
        begin(table)
        table.record(SEASON[0])
        table.done("audit", "key", "new", "--no-passphrase")
        table.done("audit", "checkpoint", "--out", str(folder / "head.txt"))
        table.done("campaign", "export", str(folder / "good.zip"))
        yield table


@pytest.fixture(scope="module")
def verify_page(bundle: Arbitrator, browser: Browser) -> Iterator[VerifyPage]:
    """The page of the bundle itself, opened from disk in a browser without a network."""
    file = bundle.folder / "verify.html"
    with zipfile.ZipFile(bundle.folder / "good.zip") as members:
        file.write_bytes(members.read("verify.html"))
    context = browser.new_context(offline=True)
    yield VerifyPage(context.new_page(), file)
    context.close()


@pytest.fixture(autouse=True)
def _nothing_leaves(
    bundle: Arbitrator, verify_page: VerifyPage, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    monkeypatch.setenv("XDG_DATA_HOME", str(bundle.folder / "data"))
    verify_page.requests.clear()
    yield
    assert {url.partition(":")[0] for url in verify_page.requests} == {"file"}


def test_a_good_bundle_is_green(bundle: Arbitrator, verify_page: VerifyPage) -> None:
    good = bundle.folder / "good.zip"
    said, colour, notes = verify_page.verdict(good)
    assert said.startswith(f"VALID: {bundle.head['events']} events, signed by ash-wastes-")
    assert "The key is the file's own: compare it" in said
    assert (colour, notes) == (GREEN, "")
    key = bundle.read("audit", "key", "show")["keys"][0]["key"]
    head = (bundle.folder / "head.txt").read_text()
    said, colour, _ = verify_page.verdict(good, vkey=key, known=head)
    assert (said.partition(":")[0], "the file's own" in said, colour) == ("VALID", False, GREEN)


def test_the_changed_die_is_named(bundle: Arbitrator, verify_page: VerifyPage) -> None:
    folder = bundle.folder
    spoiled = changed_event(folder / "good.zip", CHANGED, to=folder / "die.zip")
    said, colour, _ = verify_page.verdict(spoiled)
    assert said.startswith(f"INVALID-EVENT: event {CHANGED}: ")
    assert colour == RED
    last = bundle.head["events"] - 1
    spoiled = changed_event(folder / "good.zip", last, to=folder / "last.zip")
    assert verify_page.verdict(spoiled)[0].startswith(f"INVALID-EVENT: event {last}: ")


def test_what_is_not_signed_so_is_red(bundle: Arbitrator, verify_page: VerifyPage) -> None:
    folder, good = bundle.folder, bundle.folder / "good.zip"
    bad = repacked(good, "signatures/notes.jsonl", other_signature, to=folder / "signature.zip")
    said, colour, _ = verify_page.verdict(bad)
    assert (said.partition(":")[0], colour) == ("INVALID-SIGNATURE", RED)
    (folder / "other").mkdir()
    other = Arbitrator(folder / "other")
    other.done("campaign", "new", "Elsewhere")
    other.done("audit", "key", "new", "--no-passphrase")
    strange = other.read("audit", "key", "show")["keys"][0]["key"]
    said, colour, _ = verify_page.verdict(good, vkey=strange)
    assert (said.partition(":")[0], colour) == ("INVALID-SIGNATURE", RED)


def test_another_past_and_a_cut_end_are_red_and_the_head_is_shown(
    bundle: Arbitrator, verify_page: VerifyPage
) -> None:
    folder, good = bundle.folder, bundle.folder / "good.zip"
    head = (folder / "head.txt").read_text()
    cut = repacked(good, "events.jsonl", without_the_last_line, to=folder / "cut.zip")
    said, colour, notes = verify_page.verdict(cut)
    assert (said.partition(":")[0], colour, notes.strip()) == ("STALE", RED, head.strip())
    copy = Arbitrator(folder / "copy")
    copy.folder.mkdir()
    shutil.copy(bundle.file, copy.file)
    rewritten(copy, CHANGED)
    copy.done("campaign", "export", str(folder / "past.zip"))
    said, colour, notes = verify_page.verdict(folder / "past.zip")
    assert said.startswith("DIVERGED: it is not the log that was signed: it differs at some event from 0 to ")
    assert (colour, notes.strip()) == (RED, head.strip())


def test_what_nothing_vouches_for_is_never_green(bundle: Arbitrator, verify_page: VerifyPage) -> None:
    copy = Arbitrator(bundle.folder / "later")
    copy.folder.mkdir()
    shutil.copy(bundle.file, copy.file)
    copy.done(*AWARD)
    copy.done("campaign", "export", str(copy.folder / "tail.zip"))
    said, colour, _ = verify_page.verdict(copy.folder / "tail.zip")
    assert (said.partition(":")[0], colour) == ("UNANCHORED", AMBER)
    (copy.folder / "no.zip").write_bytes(b"PK")
    said, colour, _ = verify_page.verdict(copy.folder / "no.zip")
    assert (said.partition(":")[0], colour) == ("UNVERIFIABLE", AMBER)


def test_witnesses_are_counted(bundle: Arbitrator, verify_page: VerifyPage) -> None:
    copy = Arbitrator(bundle.folder / "witnessed")
    copy.folder.mkdir()
    shutil.copy(bundle.file, copy.file)
    sam = copy.read("audit", "key", "new", "--witness", "sam", "--no-passphrase")["key"]
    copy.done("audit", "witnesses", "--want", "1", sam)
    copy.done("campaign", "export", str(copy.folder / "few.zip"))
    said, colour, _ = verify_page.verdict(copy.folder / "few.zip")
    assert "0 of 1 wanted witnesses" in said
    assert (said.partition(":")[0], colour) == ("VALID", AMBER)
    copy.done("audit", "cosign")
    copy.done("campaign", "export", str(copy.folder / "full.zip"))
    said, colour, _ = verify_page.verdict(copy.folder / "full.zip")
    assert said.startswith("VALID-WITNESSED 1/1: ")
    assert (said.partition("witnessed by ")[2].startswith("sam"), colour) == (True, GREEN)
