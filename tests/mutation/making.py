"""The small faults that can be put into one file: where, and what stands there instead.

Left out is what cannot matter to anybody: annotations, docstrings, asserts against ourselves, what goes into an operator's
log, the words of a message, decorators, `strict=True` of a zip, and the numbers that only tune (the size of a cache, how
long something waits).
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from typing import NamedTuple

TURNED: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
CALCULATED: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "//"),
    ast.FloorDiv: ("//", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
}
LET_IN = {
    "arbitrator": "player",
    "player": "member",
    "member": "reader",
    "reader": "anyone",
    "signed in": "anyone",
    "machine": "arbitrator",
}
"""Each role, and the next lower that is let in."""
IN_SQL = (
    (" AND ", " OR "),
    (" <= ", " < "),
    (" >= ", " > "),
    (" < ", " <= "),
    (" > ", " >= "),
    (" DESC", " ASC"),
    (" = ", " <> "),
)
SQL = re.compile(r"\b(SELECT|INSERT|UPDATE|DELETE|WHERE|PRAGMA|CREATE|BEGIN)\b")
TUNES = re.compile(r"SIZE|CACHE|KEPT|WAIT|TIMEOUT|SECONDS|INTERVAL|BATCH|AT_ONCE|PAUSE|MILLIS", re.IGNORECASE)
FOR_OPERATORS = re.compile(r"(_?logs?|logger|_?LOGGER|warnings)\.|print\(|time\.sleep\(|gc\.")


class Fault(NamedTuple):
    """One change of a file: the bytes from `start` to `end` become `instead`."""

    path: str
    line: int
    where: str
    """The function or class that it is in, with dots; empty at the top of a module."""
    kind: str
    start: int
    end: int
    instead: str
    last: int
    """Its last line."""
    function: range
    """The lines of the function that it is in; none at the top of a module."""
    name: str = ""
    """The constant that it defines, where it is not in a function."""


def changed(source: bytes, fault: Fault) -> bytes:
    """The file with the fault in it."""
    return source[: fault.start] + fault.instead.encode() + source[fault.end :]


def before_and_after(source: bytes, fault: Fault) -> tuple[str, str]:
    """The lines that it changes, as they are and as they become, in one line each."""
    end = source.find(b"\n", fault.end)
    begin = source.rfind(b"\n", 0, fault.start) + 1
    old = source[begin : end if end >= 0 else len(source)]
    shift = len(fault.instead.encode()) - (fault.end - fault.start)
    new = changed(source, fault)[begin : begin + len(old) + shift]
    return " ".join(old.decode().split()), " ".join(new.decode().split())


def faults_in(path: str, source: bytes) -> list[Fault]:
    """Every fault that this file can have, in the order of its lines. What would not compile is left out."""
    return [fault for fault in _Making(path, source).made() if _compiles(changed(source, fault))]


def _compiles(source: bytes) -> bool:
    try:
        compile(source, "", "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


class _Making:
    def __init__(self, path: str, source: bytes) -> None:
        self.path, self.source = path, source
        self.tree = ast.parse(source)
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.where: list[str] = []
        self.body: range | None = None
        self.name = ""

    def made(self) -> Iterator[Fault]:
        yield from self._block(self.tree.body)

    # --- positions -----------------------------------------------------------------------------------

    def _start(self, node: ast.AST) -> int:
        return self.starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]

    def _end(self, node: ast.AST) -> int:
        return self.starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]

    def _text(self, node: ast.AST) -> str:
        return self.source[self._start(node) : self._end(node)].decode()

    def _fault(self, kind: str, start: int, end: int, instead: str) -> Fault:
        line = self.source.count(b"\n", 0, start) + 1
        last = self.source.count(b"\n", 0, end) + 1
        where = ".".join(self.where)
        return Fault(
            self.path, line, where, kind, start, end, instead, last, self.body or range(0), self.name
        )

    def _between(self, kind: str, left: ast.AST, right: ast.AST, old: str, new: str) -> Iterator[Fault]:
        """`old`, which stands between two nodes, becomes `new`."""
        begin, end = self._end(left), self._start(right)
        gap = re.sub(rb"#[^\n]*", lambda comment: b" " * len(comment[0]), self.source[begin:end])
        pattern = rb"\s+".join(re.escape(word) for word in old.encode().split())
        if found := re.search(pattern, gap):
            yield self._fault(kind, begin + found.start(), begin + found.end(), new)

    def _instead(self, kind: str, node: ast.AST, new: str) -> Fault:
        return self._fault(kind, self._start(node), self._end(node), new)

    # --- statements ----------------------------------------------------------------------------------

    def _block(self, statements: list[ast.stmt]) -> Iterator[Fault]:
        for statement in statements:
            yield from self._statement(statement)

    def _statement(self, node: ast.stmt) -> Iterator[Fault]:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from self._function(node)
            case ast.ClassDef():
                if not any("Protocol" in ast.dump(base) for base in node.bases):
                    self.where.append(node.name)
                    yield from self._block(node.body)
                    self.where.pop()
            case ast.Assert() | ast.Import() | ast.ImportFrom() | ast.Global() | ast.Nonlocal() | ast.Pass():
                return
            case ast.Expr(value=ast.Constant()):
                return
            case ast.Expr(value=ast.Call() | ast.Await() as call):
                if not FOR_OPERATORS.match(self._text(call).removeprefix("await ")):
                    yield self._instead("call left out", node, "pass")
                    yield from self._expression(call)
            case ast.Raise():
                yield self._instead("raise left out", node, "pass")
            case ast.Return(value=value) if value is not None:
                if self.body and not _says_nothing(value):
                    yield self._instead("return left out", value, "None")
                yield from self._expression(value, returned=True)
            case ast.AnnAssign(annotation=annotation, value=value, target=target):
                if value is not None and "TypeAlias" not in ast.dump(annotation):
                    yield from self._assigned([target], value)
            case ast.Assign(targets=targets, value=value):
                yield from self._assigned(targets, value)
            case ast.AugAssign(op=op, target=target, value=value):
                old, new = CALCULATED.get(type(op), ("", ""))
                if old:
                    yield from self._between("calculated otherwise", target, value, old + "=", new + "=")
                yield from self._expression(value)
            case ast.If(test=test, body=body, orelse=orelse):
                if "TYPE_CHECKING" in self._text(test):
                    return
                yield from self._condition(test)
                yield from self._block(body)
                yield from self._block(orelse)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                for item in items:
                    if item.optional_vars is None and isinstance(node, ast.With):
                        yield self._instead(
                            "with left out", item.context_expr, "__import__('contextlib').nullcontext()"
                        )
                    yield from self._expression(item.context_expr)
                yield from self._block(body)
            case ast.Match(cases=cases, subject=subject):
                yield from self._expression(subject)
                for case in cases:
                    yield from self._case(case)
            case ast.Break():
                yield self._instead("loop goes on", node, "continue")
            case ast.Continue():
                yield self._instead("loop ends", node, "break")
            case _:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.stmt):
                        yield from self._statement(child)
                    elif isinstance(child, ast.ExceptHandler):
                        yield from self._block(child.body)
                    elif isinstance(child, ast.expr):
                        yield from self._expression(child)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Fault]:
        if node.name in ("__repr__", "__str__") or any(
            "overload" in ast.dump(each) for each in node.decorator_list
        ):
            return
        outer, outer_name = self.body, self.name
        self.where.append(node.name)
        assert node.end_lineno is not None
        self.body, self.name = range(node.body[0].lineno, node.end_lineno + 1), ""
        for default in (*node.args.defaults, *(each for each in node.args.kw_defaults if each)):
            yield from self._expression(default)
        yield from self._block(node.body)
        self.where.pop()
        self.body, self.name = outer, outer_name

    def _assigned(self, targets: list[ast.expr], value: ast.expr) -> Iterator[Fault]:
        name = next((target.id for target in targets if isinstance(target, ast.Name)), "")
        if self.body is None:
            self.name = name
        if not (isinstance(value, ast.Constant) and TUNES.search(name)):
            yield from self._expression(value, unpacked=any(isinstance(each, ast.Tuple) for each in targets))
        if self.body is None:
            self.name = ""

    def _case(self, case: ast.match_case) -> Iterator[Fault]:
        """A kind of event, of command, of answer is ignored."""
        if isinstance(case.pattern, ast.MatchOr):
            patterns = case.pattern.patterns
            for index in range(len(patterns)):
                yield self._without("case left out", case.pattern, patterns, index)
        elif case.guard is None and not (
            isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
        ):
            end = self._end(case.pattern)
            yield self._fault("case left out", end, end, " if False")
        if case.guard is not None:
            yield from self._condition(case.guard)
        yield from self._block(case.body)

    # --- expressions ---------------------------------------------------------------------------------

    def _condition(self, test: ast.expr) -> Iterator[Fault]:
        if not isinstance(test, (ast.Compare, ast.BoolOp)) and not (
            isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
        ):
            yield self._instead("condition turned", test, f"(not ({self._text(test)}))")
        yield from self._expression(test)

    def _expression(
        self, node: ast.expr, *, returned: bool = False, unpacked: bool = False
    ) -> Iterator[Fault]:
        match node:
            case ast.JoinedStr():
                yield from self._sql(node)
                return
            case ast.Lambda(body=body):
                yield from self._expression(body)
                return
            case ast.Constant(value=value):
                yield from self._constant(node, value)
                return
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                for before, op, after in zip([left, *comparators], ops, comparators, strict=False):
                    yield from self._between("comparison turned", before, after, *TURNED[type(op)])
            case ast.BoolOp(op=op, values=values):
                old, new = ("and", "or") if isinstance(op, ast.And) else ("or", "and")
                for before, after in itertools.pairwise(values):
                    yield from self._between("and, or", before, after, old, new)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield self._instead("not left out", node, f"bool({self._text(operand)})")
            case ast.BinOp(left=left, op=op, right=right):
                old, new = CALCULATED.get(type(op), ("", ""))
                if old and not any(
                    isinstance(each, ast.JoinedStr) or _is_text(each) for each in (left, right)
                ):
                    yield from self._between("calculated otherwise", left, right, old, new)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                yield from self._condition(test)
                yield from self._expression(body)
                yield from self._expression(orelse)
                return
            case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
                is_whole = isinstance(node, ast.Tuple) and (returned or unpacked)
                is_read = isinstance(node, ast.Set) or isinstance(node.ctx, ast.Load)
                if len(elements) > 1 and is_read and not is_whole:
                    for index in range(len(elements)):
                        yield self._without("element left out", node, elements, index)
            case ast.Dict(keys=keys, values=values):
                yield from self._dictionary(keys, values)
                return
            case ast.Call(func=func, args=arguments, keywords=keywords):
                yield from self._call(func, arguments, keywords)
                return
            case ast.Subscript(value=inner, slice=index):
                yield from self._expression(inner)
                if not isinstance(index, ast.Tuple):
                    yield from self._expression(index)
                return
            case ast.Slice():
                for part in (node.lower, node.upper, node.step):
                    if part is not None:
                        yield from self._expression(part)
                return
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                yield from self._expression(child)
            elif isinstance(child, ast.comprehension):
                yield from self._expression(child.iter)
                for test in child.ifs:
                    yield from self._condition(test)

    def _call(
        self, func: ast.expr, arguments: list[ast.expr], keywords: list[ast.keyword]
    ) -> Iterator[Fault]:
        name = self._text(func)
        if FOR_OPERATORS.match(name + "(") or re.search(r"cache|Literal|TypeVar|NewType|cast$", name):
            return
        if self.path.endswith("rights.py") and name in ("_reads", "_writes"):
            if not arguments:
                lower = "player" if name == "_writes" else "anyone"
                yield self._fault("role let in", self._end(func) + 1, self._end(func) + 1, f'"{lower}", ')
            for keyword in keywords:
                if keyword.arg in ("own", "only", "in_person"):
                    yield self._instead("keyword left out", keyword, "")
        if not isinstance(func, ast.Name):
            yield from self._expression(func)
        for argument in arguments:
            yield from self._expression(argument)
        for keyword in keywords:
            if not TUNES.search(keyword.arg or "") and not _is_strict_zip(name, keyword):
                yield from self._expression(keyword.value)

    def _constant(self, node: ast.Constant, value: object) -> Iterator[Fault]:
        if value is True or value is False:
            yield self._instead("constant changed", node, str(not value))
        elif isinstance(value, int):
            yield self._instead("constant changed", node, str(value + 1))
        elif isinstance(value, str):
            if value in LET_IN:
                yield self._instead("role let in", node, f'"{LET_IN[value]}"')
            yield from self._sql(node)

    def _sql(self, node: ast.expr) -> Iterator[Fault]:
        text = self.source[self._start(node) : self._end(node)]
        if not SQL.search(text.decode()):
            return
        for old, new in IN_SQL:
            for found in re.finditer(re.escape(old.encode()), text):
                yield self._fault(
                    "SQL changed", self._start(node) + found.start(), self._start(node) + found.end(), new
                )

    def _dictionary(self, keys: list[ast.expr | None], values: list[ast.expr]) -> Iterator[Fault]:
        for index, (key, value) in enumerate(zip(keys, values, strict=True)):
            if key is not None:
                end = (
                    self._start(keys[index + 1] or values[index + 1])
                    if index + 1 < len(keys)
                    else self._end(value)
                )
                if index + 1 < len(keys) and keys[index + 1] is None:
                    end = self._end(value)  # a comma stays, and it does not compile
                yield self._fault("entry left out", self._start(key), end, "")
            yield from self._expression(value)

    def _without(
        self, kind: str, whole: ast.AST, parts: list[ast.expr] | list[ast.pattern], index: int
    ) -> Fault:
        """One of several left out, with what stands between it and the next."""
        if index + 1 < len(parts):
            start, end = self._start(parts[index]), self._start(parts[index + 1])
        else:
            start, end = self._end(parts[index - 1]), self._end(parts[index])
        instead = ""
        if isinstance(whole, ast.Tuple) and len(parts) == 2:
            if index == 1:
                instead = ","
            else:  # the last one stays, and needs a comma where it has none
                start, end = self._start(parts[0]), self._end(parts[1])
                instead = self._text(parts[1]) + ","
                if self.source[end : end + 1] == b",":
                    instead = instead[:-1]
            if index == 1 and self.source[end : end + 1] == b",":
                instead = ""
        return self._fault(kind, start, end, instead)


def _is_strict_zip(name: str, keyword: ast.keyword) -> bool:
    """An assert against ourselves: what is zipped so is of one length, and nobody meets what it raises."""
    value = keyword.value
    return (
        name == "zip" and keyword.arg == "strict" and isinstance(value, ast.Constant) and value.value is True
    )


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, str))


def _says_nothing(value: ast.expr) -> bool:
    """What None is as good as: False, an empty text, an empty collection."""
    match value:
        case ast.Constant(value=constant):
            return not constant
        case ast.Tuple(elts=[]) | ast.List(elts=[]) | ast.Dict(keys=[]):
            return True
    return False
