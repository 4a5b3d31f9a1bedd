"""`make icons`: the sprites and the font of the pages, from the packages that `package-lock.json` names."""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

from tracker.server.pages import icons

HERE = Path(__file__).parent
PACKAGES = HERE / "node_modules"
STATIC = HERE.parent.parent / "tracker" / "server" / "pages" / "static"
LUCIDE = PACKAGES / "lucide-static"
BARLOW = PACKAGES / "@fontsource" / "barlow-condensed"
SVG = "http://www.w3.org/2000/svg"
PEN = 'fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"'


def sprite(names: Sequence[str]) -> str:
    """One file with a symbol for each icon."""
    symbols = []
    for name in names:
        drawn = ET.fromstring((LUCIDE / "icons" / f"{name}.svg").read_text(encoding="utf-8"))  # noqa: S314  # locked
        parts = "".join(ET.tostring(part, encoding="unicode").strip() for part in drawn)
        parts = re.sub(r' xmlns(:\w+)?="[^"]*"', "", parts).replace("ns0:", "").replace(" />", "/>")
        symbols.append(f'<symbol id="{name}" viewBox="0 0 24 24" {PEN}>{parts}</symbol>')
    return (
        f'<svg xmlns="{SVG}">\n<!-- Lucide; see icons.LICENSE.txt -->\n' + "\n".join(symbols) + "\n</svg>\n"
    )


def main() -> None:
    """Write them all."""
    (STATIC / "icons.svg").write_text(sprite(icons.ICONS), encoding="utf-8")
    (STATIC / "emblems.svg").write_text(sprite(icons.CHARGES), encoding="utf-8")
    shutil.copy(LUCIDE / "LICENSE", STATIC / "icons.LICENSE.txt")
    shutil.copy(BARLOW / "files" / "barlow-condensed-latin-600-normal.woff2", STATIC / "headings.woff2")
    shutil.copy(BARLOW / "LICENSE", STATIC / "headings.LICENSE.txt")


if __name__ == "__main__":
    main()
