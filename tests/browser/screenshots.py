"""`make screenshots`: the main pages as they look on a phone and a desk, for the README."""

import sys
import tempfile
from pathlib import Path

from browsing import CHROMIUM, DESK, PHONE, House, browsing
from cli_arbitrator import Arbitrator

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "docs" / "screenshots"
FIXTURES = ROOT / "fixtures"
CAMPAIGN = "/campaigns/ash-wastes"
SHOTS = (
    ("campaign", CAMPAIGN, DESK, "light"),
    ("gang-phone", f"{CAMPAIGN}/gangs/iron-skulls", PHONE, "dark"),
    ("why-phone", f"{CAMPAIGN}/fighters/tallow/why/status", PHONE, "light"),
    ("battle-phone", f"{CAMPAIGN}/battles/2", PHONE, "light"),
)
QUALITY = 62
HOUSE_RULE_FROM = 4


def main() -> int:
    """Take them; gives the exit code."""
    if CHROMIUM is None:
        sys.stderr.write("There is no browser: install chromium, or run 'playwright install chromium'.\n")
        return 1
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="screenshots-") as folder:
        house = House(_season(Path(folder)))
        with browsing() as browser:
            for name, path, viewport, theme in SHOTS:
                how = {"viewport": viewport, "color_scheme": theme, "locale": "en-GB", "timezone_id": "UTC"}
                context = house.signed_in(browser, "Mara", **how)
                page = context.new_page()
                page.goto(path)
                file = FOLDER / f"{name}.jpg"
                page.screenshot(path=file, type="jpeg", quality=QUALITY, scale="css")
                sys.stdout.write(f"{file.relative_to(ROOT)}  {file.stat().st_size // 1000} kB\n")
                context.close()
        house.stop()
    return 0


def _season(folder: Path) -> Arbitrator:
    table = Arbitrator(folder)
    table.done("campaign", "new", "Ash Wastes", "--ruleset", "necromunda_2023")
    for gang in ("iron-skulls", "gilded-cage", "rust-saints"):
        table.done("gang", "add", str(FIXTURES / "gangs" / f"{gang}.yaml"))
    for number, report in enumerate(sorted((FIXTURES / "season").glob("*.yaml")), start=1):
        if number == HOUSE_RULE_FROM:
            adopted = ("--from-battle", str(number), "--reason", "voted by all three players")
            table.done("policy", "adopt", "one-lasting-injury-roll@1", *adopted)
        ran = table("battle", "record", str(report))
        assert ran.code == 0, ran.err
    dispute = ("--by", "Dana", "--reason", "the die rolled off the mat and showed a 2")
    table.done("dispute", "open", "18.3", *dispute)
    return table


if __name__ == "__main__":
    sys.exit(main())
