"""Audit: verify and sign the log, and report on rulings and dice."""

from __future__ import annotations

import click

from tracker.campaign import records
from tracker.cli import signed_heads
from tracker.cli.options import as_json, form_of, pass_session, progress, show
from tracker.cli.session import Session
from tracker.documents.refusals import FileMissing
from tracker.documents.yaml_reader import is_from_afar
from tracker.reports.disputes import TypedRoll, audit_page, dice_audit_page
from tracker.reports.fair_dice import looked_at, rates
from tracker.reports.health import bytes_page, verify_page
from tracker.reports.names import Names
from tracker.reports.signed_heads import verdict_page
from tracker.rules import loader
from tracker.service import file_verification
from tracker.service.as_of import is_count
from tracker.service.log_verdicts import LogVerdict


@click.group("audit")
def command() -> None:
    """Verify and sign the log; report disputes, rulings and dice."""


@command.command("verify")
@click.argument("file", required=False)
@click.option(
    "--noted",
    metavar="EVENTS:ROOT",
    multiple=True,
    callback=lambda _ctx, _param, given: dict(_noted(option) for option in given),
    help="A root that was printed before, after so many events: are they still those? May be repeated.",
)
@click.option(
    "--deep", is_flag=True, help="Make the sealed history again from the rows too, and compare ('segments')."
)
@click.option(
    "--bytes",
    "only_bytes",
    is_flag=True,
    help="Hash all bytes against the root, in two processes, and look at nothing else: much sooner.",
)
@signed_heads.held
@as_json
@pass_session
@click.pass_context
def verify(
    ctx: click.Context,
    session: Session,
    file: str | None,
    noted: dict[int, str],
    deep: bool,
    only_bytes: bool,
    held: file_verification.TrustAnchors,
    as_json: bool,
) -> None:
    """Verify the log and everything that is made from it.

    It checks these, and exits with code 4 if something is wrong:

    \b
    - the hash chain, and that every event reads
    - that every entry is decided the same today
    - that boards and snapshots agree with the log
    - the database's tables, triggers, pages and indexes

    With --bytes it only proves that the log is, byte for byte, the one with this root: compare the root with
    an earlier audit or a signed head. It does not check that the bytes are canonical, nor the columns, nor
    what the rules decide.

    With FILE it verifies an archive ('campaign export') or a proof of one event ('audit prove') instead,
    without a database.

    Whoever owns the database can rewrite the whole log, with every hash. Signed heads reveal that. The
    verdicts and their exit codes:

    \b
    VALID, VALID-WITNESSED  0; 10 if witnesses are missing
    INVALID-EVENT           4
    INVALID-SIGNATURE       11
    DIVERGED                12, not the log of a signed head
    STALE                   13, shorter than a signed head
    UNANCHORED              14, not all under a signed head;
                            0 if nothing was ever signed and no head is known
    UNVERIFIABLE            15

    \b
    arbitrator audit verify
    arbitrator audit verify ash-wastes.zip
    """
    if file is not None:
        if is_from_afar():
            raise FileMissing(file=file)
        if noted:
            raise click.UsageError("--noted is about this database; of a file, ask with --known-head.")
        if deep or only_bytes:
            raise click.UsageError("--deep and --bytes are about this database; a file is verified whole.")
        verdict_on_archive = file_verification.verdict_on_file(file, held)
        show(verdict_page(verdict_on_archive), as_json=as_json)
        ctx.exit(verdict_on_archive.exit_code)
    tracker, campaign = session.tracker, session.campaign
    if only_bytes:
        if deep or noted:
            raise click.UsageError("--bytes hashes and looks at nothing else: leave --deep and --noted out.")
        hashed = tracker.audit.verify_bytes(campaign)
        verdict = tracker.signing(signed_heads.keys_folder()).verdict(campaign, hashed.log, held)
        show(bytes_page(hashed, verdict), as_json=as_json)
        _exit(ctx, hashed.ok, verdict, held)
        return
    with progress("verifying") as tell:
        audit = tracker.audit.verify(campaign, progress=tell, noted=noted, deep=deep)
    verdict = tracker.signing(signed_heads.keys_folder()).verdict(campaign, audit.log, held)
    show(verify_page(audit, noted, verdict), as_json=as_json)
    _exit(ctx, audit.ok, verdict, held)


def _exit(ctx: click.Context, ok: bool, verdict: LogVerdict, held: file_verification.TrustAnchors) -> None:
    if not ok:
        ctx.exit(4)
    if verdict.exit_code and (verdict.word != "UNANCHORED" or verdict.covered or held.heads):
        ctx.exit(verdict.exit_code)


@command.command("report")
@form_of("text", "md", "json")
@as_json
@pass_session
def report(session: Session, form: str, as_json: bool) -> None:
    """Report the season's disputes and rulings.

    Says who disputed what, how it ended, and what each ruling changed.

    \b
    arbitrator audit report --format md
    """
    board = session.tracker.boards.rulings(session.campaign)
    page = audit_page(
        board.disputes,
        board.targets,
        board.rulings,
        Names.of_state(board.state),
        heading=f"{session.slug}: disputes and rulings",
        taken_back=board.state.rulings_taken_back,
    )
    show(page, form, as_json=as_json)


@command.command("dice")
@form_of("text", "md", "html", "csv", "json")
@as_json
@pass_session
def dice(session: Session, form: str, as_json: bool) -> None:
    """Test the campaign's dice, by person and kind of die.

    Shows how the faces fell and whether that is as expected. Also counts the dice that were kept, voided,
    corrected and unwitnessed, and who typed them in. An unwitnessed roll counts as any other; 'log confirm'
    adds a witness. No program can know who threw a die.

    \b
    arbitrator audit dice
    """
    boards = session.tracker.boards
    (typed, state), thrown = boards.read_consistently(
        lambda: (boards.typed_rolls(session.campaign), boards.thrown_dice(session.campaign))
    )
    names = Names.of_state(state)
    rolls = [
        TypedRoll(
            address=recorded.address,
            typed_in_by=who,
            purpose=recorded.event.purpose,
            shown=seen.shown(),
            fighter=recorded.event.fighter,
            witnesses=list(witnesses),
            struck_by=struck,
        )
        for recorded, who, seen, witnesses, struck in typed
        if isinstance(recorded.event, records.RollMade)
    ]
    page = dice_audit_page(
        rolls,
        names,
        looked_at(thrown, state, loader.book(state.book)),
        rates(thrown, state),
        heading=f"{session.slug}: dice",
    )
    show(page, form, as_json=as_json)


for below in (
    signed_heads.key,
    signed_heads.checkpoint,
    signed_heads.heads,
    signed_heads.cosigned,
    signed_heads.witnesses,
    signed_heads.cosign,
    signed_heads.prove,
    signed_heads.consistency,
):
    command.add_command(below)


def _noted(given: str) -> tuple[int, str]:
    events, _, root = given.partition(":")
    if not (is_count(events) and len(root) == 64 and set(root) <= set("0123456789abcdef")):
        raise click.BadParameter(
            f"{given!r} is not EVENTS:ROOT as 'audit verify' prints it, such as 44:5e..."
        )
    return int(events), root
