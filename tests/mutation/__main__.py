"""`make mutants MUTANTS_ARGS="log 50 --seed 3"`: so many small faults in a part, and which of them its tests notice."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter

from .copying import COPY, HOME, copy_checkout, load_what_tests_import
from .covering import covering
from .making import Fault, before_and_after
from .parts import PARTS
from .trying import Tried, drawn, kept_faults, test_files, tried

ENOUGH = 0.97


def main() -> int:
    """0 when 97 of 100 are noticed, 1 when not."""
    arguments = _arguments()
    part = PARTS[arguments.part]
    if arguments.own:
        part = part._replace(wider=())
    where = HOME / f"tried-{arguments.part}"
    copy_checkout()
    copy_checkout(where)
    load_what_tests_import()
    known = covering(test_files((*part.own, *part.wider)))
    kept = kept_faults()
    results = HOME / f"{arguments.part}-{arguments.count}-{arguments.seed}.json"
    before: dict[str, str] = {}
    if results.exists() and (arguments.again or arguments.go_on):
        before = json.loads(results.read_text(encoding="utf-8"))
    counts = Counter[str]()
    for fault in drawn(part, arguments.count, arguments.seed):
        identity = _identity(fault)
        if identity in before and not (arguments.again and before[identity] == "survived"):
            counts[before[identity]] += 1
            continue
        ended = tried(fault, part, known, kept, where, arguments.seconds)
        print(_line(ended), flush=True)
        counts[ended.result] += 1
        before[identity] = ended.result
        results.write_text(json.dumps(before, indent=1), encoding="utf-8")
    told = ", ".join(f"{many} {result}" for result, many in sorted(counts.items()))
    print(f"{arguments.part}: {counts.total()} faults: {told}")
    asked = counts.total() - counts["kept"]
    return 0 if asked - counts["survived"] >= ENOUGH * asked else 1


def _identity(fault: Fault) -> str:
    return "\n".join((fault.path, fault.where, *before_and_after((COPY / fault.path).read_bytes(), fault)))


def _line(ended: Tried) -> str:
    fault = ended.fault
    before, after = before_and_after((COPY / fault.path).read_bytes(), fault)
    told = f"{ended.result:9} {fault.path}:{fault.line} {fault.where} ({fault.kind}) {ended.seconds:.0f} s"
    if ended.result != "survived":
        return f"{told} {ended.noticed_by}"
    return f"{told}, {ended.run} of {ended.tests} tests that run it\n  - {before}\n  + {after}"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("count", type=int, nargs="?", default=50)
    parser.add_argument("--seed", type=int, default=1, help="which faults are drawn")
    parser.add_argument("--again", action="store_true", help="only those that survived the last time")
    parser.add_argument("--go-on", action="store_true", help="those that the last time did not come to")
    parser.add_argument("--own", action="store_true", help="ask the part's own tests alone")
    parser.add_argument(
        "--seconds", type=float, default=180.0, help="how long the tests of one fault may take"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
