"""Witnessing with a button: a key of the browser's own, a head that continues what it saw, and one that does not."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import House
from cli_arbitrator import Arbitrator
from playwright.sync_api import Browser, Page, expect

from tracker.log import c2sp

AWARD = ("fighter", "award", "krug", "--reason", "held on", "--xp")
PROOF = "/campaigns/ash-wastes/log/proof"


@pytest.fixture
def signed(table: Arbitrator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Arbitrator:
    """The campaign that is served, with a head over all of it."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    table.done("audit", "key", "new", "--no-passphrase")
    table.done("audit", "checkpoint")
    return table


@pytest.fixture
def page(signed: Arbitrator, browser: Browser) -> Iterator[Page]:
    """Dana, a player, signed in in a browser on a real socket."""
    house = House(signed)
    context = house.signed_in(browser, "Dana")
    yield context.new_page()
    context.close()
    house.stop()


HAS_SEEN = """note => new Promise(done => {
  const opening = indexedDB.open("arbitrator-witness", 1);
  opening.onsuccess = () => {
    const store = opening.result.transaction("kept", "readwrite").objectStore("kept");
    const name = `seen:${note.split("\\n")[0]}`;
    store.get(name).onsuccess = found => {
      store.put({ ...found.target.result, note }, name).onsuccess = () => done(opening.result.close());
    };
  };
})"""
"""Makes the browser remember another head than the one it saw."""


def press(page: Page) -> None:
    page.goto(PROOF)
    page.get_by_role("button", name="Witness the newest head").click()


def test_a_player_witnesses_each_head_that_continues_the_last_under_whichever_key(
    signed: Arbitrator, page: Page
) -> None:
    complaints: list[str] = []
    page.on("pageerror", lambda wrong: complaints.append(str(wrong)))
    done, refused = page.locator("[data-done]"), page.locator("[data-witness] [data-refused]")
    press(page)
    expect(refused).to_contain_text("No witness of this campaign has a valid signature")
    dana = page.locator("[data-key]").inner_text()
    assert (c2sp.parse_vkey(dana).name, c2sp.parse_vkey(dana).kind) == ("Dana", c2sp.WITNESS_KEY)

    signed.done("audit", "witnesses", "--want", "1", dana)
    press(page)
    expect(done).to_contain_text("by 1 of 1 wanted witnesses")

    signed.done("audit", "key", "rotate", "--no-passphrase")
    signed.done(*AWARD, "1")
    signed.done("audit", "checkpoint")
    press(page)
    expect(done).to_contain_text("by 1 of 1 wanted witnesses")
    heads = signed.read("audit", "heads")["heads"]
    assert [head["witnesses"] for head in heads] == [["Dana"], ["Dana"]]
    assert c2sp.parse_vkey(dana).signature_on(c2sp.parse_note(heads[-1]["note"])) is not None
    assert complaints == []


def test_a_log_that_does_not_begin_with_what_the_browser_saw_is_refused_with_both_heads(
    signed: Arbitrator, page: Page
) -> None:
    refused = page.locator("[data-witness] [data-refused]")
    press(page)
    expect(refused).to_contain_text("No witness of this campaign has a valid signature")
    dana = page.locator("[data-key]").inner_text()
    signed.done("audit", "witnesses", "--want", "1", dana)
    (head,) = signed.read("audit", "heads")["heads"]
    root = head["note"].split("\n")[2]
    for size, says in (
        (head["events"], "does not begin with what you have seen"),
        (head["events"] - 1, "does not begin with what you have seen"),
        (head["events"] + 1, "the end was cut off, or a backup was put back"),
    ):
        another = head["note"].replace(root, "A" * 43 + "=").replace(f"\n{head['events']}\n", f"\n{size}\n")
        page.evaluate(HAS_SEEN, another)
        press(page)
        expect(refused).to_contain_text(says)
        shown = page.locator("[data-evidence]").inner_text()
        assert another.strip() in shown
        assert head["note"].strip() in shown
    assert signed.read("audit", "heads")["heads"][0]["witnesses"] == []


def test_a_key_that_is_not_the_one_that_was_given_is_refused(signed: Arbitrator, page: Page) -> None:
    other = Arbitrator(signed.folder / "other")
    other.folder.mkdir()
    other.done("campaign", "new", "Elsewhere")
    other.done("audit", "key", "new", "--no-passphrase")
    page.goto(PROOF)
    page.get_by_label("The campaign's key").fill(other.read("audit", "key", "show")["keys"][0]["key"])
    page.get_by_role("button", name="Witness the newest head").click()
    expect(page.locator("[data-witness] [data-refused]")).to_contain_text("not signed with the key")
    assert signed.read("audit", "heads")["heads"][0]["witnesses"] == []
