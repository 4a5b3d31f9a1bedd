"""A season of six battles, a dispute open, served to a real browser."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from board_on_screen import BoardOnScreen
from browsing import CHROMIUM, DESK, PHONE, House, Watch, browsing
from cli_arbitrator import Arbitrator, begin, begun, played
from cli_reports import SEASON
from playwright.sync_api import Browser, Page
from restartable_service import SHEETS, Service


@pytest.fixture(scope="session")
def _two_battles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(tmp_path_factory.mktemp("evening"), *SEASON[:2])


@pytest.fixture
def table(tmp_path: Path, _two_battles: Path) -> Arbitrator:
    """A campaign of two battles that is this test's alone."""
    arbitrator = Arbitrator(tmp_path)
    shutil.copy(_two_battles, arbitrator.file)
    return arbitrator


@pytest.fixture(scope="session")
def _season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("season")
    with begun(folder) as table:
        for report in SEASON:
            table.record(report)
        table.done("policy", "adopt", "captives-in-rating@1", "--from-battle", "7", "--reason", "we voted")
        table.done("draft", "begin", "gang")
        table.done("dispute", "open", "10.2", "--reason", "the die was cocked", "--by", "Robin")
    return table.file


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, _season: Path) -> Iterator[House]:
    """The season, served; changed by the tests of a module in turn."""
    table = Arbitrator(tmp_path_factory.mktemp("house"))
    shutil.copy(_season, table.file)
    served = House(table)
    yield served
    served.stop()


@pytest.fixture(scope="module")
def _page_of_mara(house: House, browser: Browser) -> Iterator[tuple[Page, Watch]]:
    context = house.signed_in(browser, "Mara")
    page = context.new_page()
    yield page, Watch(page, house.address)
    context.close()


@pytest.fixture
def page(_page_of_mara: tuple[Page, Watch]) -> Iterator[Page]:
    """The Arbitrator's at a desk, one for all tests of a module: it asks nobody else, and has nothing to complain of."""
    page, watch = _page_of_mara
    page.set_viewport_size(DESK)  # type: ignore[arg-type]
    page.emulate_media(color_scheme="light")
    yield page
    assert (watch.elsewhere, watch.complaints) == ([], [])


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    table = Arbitrator(tmp_path)
    begin(table, sheets=SHEETS)
    service = Service(table.file)
    yield service
    service.stop()


@pytest.fixture
def mara(service: Service) -> str:
    return service.join("Mara", "arbitrator")


@pytest.fixture
def phone(browser: Browser, service: Service, mara: str) -> Iterator[BoardOnScreen]:
    """The Arbitrator's, for a board; it asks no other machine."""
    context = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True)  # type: ignore[arg-type]
    service.sign_in(context, mara)
    page = context.new_page()
    watch = Watch(page, service.address)
    yield BoardOnScreen(page, service.address)
    assert watch.elsewhere == []
    context.close()


_launched = ExitStack()
_browsers: list[Browser] = []


@pytest.fixture(scope="module")
def browser() -> Browser:
    """One for all tests of this folder that follow one another: a launch takes seconds."""
    if CHROMIUM is None:
        pytest.skip(
            "no browser: install chromium-headless-shell or chromium, or run 'playwright install chromium'"
        )
    if not _browsers:
        _browsers.append(_launched.enter_context(browsing()))
    return _browsers[0]


@pytest.hookimpl(trylast=True)  # after the tests' own pages are closed
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """Its driver keeps an event loop in this thread, where tests of other folders run their own."""
    if nextitem is None or nextitem.path.parent != Path(__file__).parent:
        _launched.close()
        _browsers.clear()
