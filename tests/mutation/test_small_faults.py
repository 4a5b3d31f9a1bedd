"""What counts as a small fault, and that what is kept without a test is still there."""

from mutation.copying import ROOT
from mutation.making import before_and_after, faults_in
from mutation.trying import kept_faults


def becomes(source: str) -> dict[str, set[str]]:
    """What each kind of fault makes of the lines of a small file."""
    found: dict[str, set[str]] = {}
    for fault in faults_in("some.py", source.encode()):
        found.setdefault(fault.kind, set()).add(before_and_after(source.encode(), fault)[1])
    return found


def test_comparisons_are_turned_and_numbers_are_one_off() -> None:
    assert becomes("def f(a, b):\n    while a < b and a != 3:\n        a += 1\n") == {
        "comparison turned": {"while a <= b and a != 3:", "while a < b and a == 3:"},
        "and, or": {"while a < b or a != 3:"},
        "constant changed": {"while a < b and a != 4:", "a += 2"},
        "calculated otherwise": {"a -= 1"},
    }


def test_what_is_done_refused_and_answered_is_left_out() -> None:
    assert becomes("def f(a):\n    with a:\n        g()\n    if a:\n        raise E\n    return a\n") == {
        "with left out": {"with __import__('contextlib').nullcontext():"},
        "call left out": {"pass"},
        "condition turned": {"if (not (a)):"},
        "raise left out": {"pass"},
        "return left out": {"return None"},
    }


def test_a_kind_is_ignored_and_one_of_several_is_left_out() -> None:
    assert becomes("match a:\n    case B() | C():\n        D = (b, c)\n    case E():\n        pass\n") == {
        "case left out": {"case B():", "case C():", "case E() if False:"},
        "element left out": {"D = (b,)", "D = (c,)"},
    }


def test_a_role_is_let_in() -> None:
    assert becomes('def f(a):\n    g(role="arbitrator")\n')["role let in"] == {'g(role="player")'}


def test_a_condition_of_sql_is_lost() -> None:
    assert becomes('A = f"SELECT b FROM c WHERE d >= {e} ORDER BY f DESC"\n') == {
        "SQL changed": {
            'A = f"SELECT b FROM c WHERE d > {e} ORDER BY f DESC"',
            'A = f"SELECT b FROM c WHERE d >= {e} ORDER BY f ASC"',
        }
    }


def test_what_nobody_can_notice_is_no_fault() -> None:
    assert becomes(
        '"""1 < 2"""\n'
        "CACHE_SIZE = 100\n"
        "@lru_cache(maxsize=1)\n"
        "def f(a: int | None) -> tuple[int, str]:\n"
        '    """True"""\n'
        "    assert a > 1\n"
        '    log.info("more", many=1)\n'
        "    h(f'{1 + 1}', timeout=3)\n"
        "    for b in zip(c, d, strict=True):\n"
        "        pass\n"
    ) == {"call left out": {"pass"}}


def test_what_is_zipped_though_of_other_lengths_is_a_fault_where_it_must_not_be() -> None:
    assert becomes("for b in zip(c, d, strict=False):\n    pass\n") == {
        "constant changed": {"for b in zip(c, d, strict=True):"}
    }


def test_each_fault_that_is_kept_can_still_be_made() -> None:
    for kept in kept_faults():
        source = (ROOT / kept.path).read_bytes()
        made = {(fault.where, *before_and_after(source, fault)) for fault in faults_in(kept.path, source)}
        assert (kept.where, kept.before, kept.after) in made, kept
        assert kept.why
