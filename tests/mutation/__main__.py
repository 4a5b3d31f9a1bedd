"""`make mutants MUTANTS_ARGS="log 50 --seed 3"`: so many small faults in a part, and which of them its tests notice."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter

from .copying import COPY, HOME, copy_checkout
from .covering import covering
from .making import before_and_after
from .parts import PARTS
from .trying import Tried, drawn, kept_faults, test_files, tried

ENOUGH = 0.97
NOTICED = ("noticed", "noticed elsewhere", "never ended")


def main() -> int:
    """0 when 97 of 100 are noticed, 1 when not."""
    arguments = _arguments()
    part = PARTS[arguments.part]
    where = HOME / f"tried-{arguments.part}"
    copy_checkout()
    copy_checkout(where)
    known = covering(test_files((*part.own, *part.wider)))
    kept = kept_faults()
    results = HOME / f"{arguments.part}-{arguments.seed}-{arguments.count}.json"
    faults = drawn(part, arguments.count, arguments.seed)
    if arguments.again:
        survived = {tuple(row) for row in json.loads(results.read_text(encoding="utf-8"))}
        faults = [fault for fault in faults if _identity(fault) in survived]
    ended: list[Tried] = []
    for fault in faults:
        ended.append(tried(fault, part, known, kept, where))
        print(_line(ended[-1]), flush=True)
    survivors = [_identity(each.fault) for each in ended if each.result == "survived"]
    results.write_text(json.dumps(survivors), encoding="utf-8")
    counts = Counter(each.result for each in ended)
    seconds = sum(each.seconds for each in ended)
    print(f"{arguments.part}: {len(ended)} faults,", ", ".join(f"{n} {what}" for what, n in counts.items()), f"in {seconds:.0f} s")
    asked = len(ended) - counts["kept"]
    return 0 if sum(counts[what] for what in NOTICED) >= ENOUGH * asked else 1


def _identity(fault) -> tuple[str, str, str]:
    return (fault.path, *before_and_after((COPY / fault.path).read_bytes(), fault))


def _line(ended: Tried) -> str:
    fault = ended.fault
    before, after = before_and_after((COPY / fault.path).read_bytes(), fault)
    told = f"{ended.result:9} {fault.path}:{fault.line} {fault.where} ({fault.kind}) {ended.seconds:.0f} s"
    if ended.result != "survived":
        return f"{told} {ended.noticed_by}"
    return f"{told}, {ended.tests} tests run it\n  - {before}\n  + {after}"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("count", type=int, nargs="?", default=50)
    parser.add_argument("--seed", type=int, default=1, help="which faults are drawn")
    parser.add_argument("--again", action="store_true", help="only those that survived the last time")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
