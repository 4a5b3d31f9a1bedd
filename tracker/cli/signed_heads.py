"""Signed heads of the log: keys, heads, witnesses and proofs, as `arbitrator audit` offers them."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, cast

import click

from tracker.cli.options import F, as_json, pass_session, show
from tracker.cli.session import Session, after_battles_setting, data_folder
from tracker.documents.yaml_reader import is_from_afar
from tracker.errors import BadInput
from tracker.reports import signed_heads as pages
from tracker.reports.page import Page
from tracker.service import file_verification, key_files, proof_files, signing
from tracker.service.cosignatures import WitnessMemory

PASSPHRASE = "TRACKER_KEY_PASSPHRASE"  # noqa: S105  # the name of a variable
"""The variable in which a program puts the passphrase."""
PASSPHRASE_COMMAND = "TRACKER_KEY_PASSPHRASE_COMMAND"  # noqa: S105  # the name of a variable
"""The variable with a command that prints the passphrase, such as that of the system's keyring."""


class PassphraseNeeded(BadInput):
    """The key needs a passphrase, and there is no terminal to ask at. Put it into TRACKER_KEY_PASSPHRASE, or
    a command that prints it into TRACKER_KEY_PASSPHRASE_COMMAND; a new key can be made without one:
    --no-passphrase.
    """


class PassphraseNotPrinted(BadInput):
    """The command in TRACKER_KEY_PASSPHRASE_COMMAND printed no passphrase ({why}). Nothing was signed."""

    why: str


class WhichWitness(BadInput):
    """Which witness are you? Name the key with --witness NAME. On this machine: {known:or none}. Make one:
    'arbitrator audit key new --witness NAME'.
    """

    known: tuple[str, ...]


def keys_folder() -> Path:
    """The folder of keys on this machine."""
    return data_folder() / "keys"


def signing_of(session: Session) -> signing.CampaignSigning:
    """The signing service."""
    return session.tracker.signing(keys_folder())


def held(function: F) -> F:
    """--vkey, --keys, --known-head and --witness, given as one `held`."""

    @click.option(
        "--vkey",
        metavar="KEY",
        multiple=True,
        help="The campaign's key as you were given it; only what it signed counts.",
    )
    @click.option(
        "--keys",
        metavar="FILE",
        help="What 'audit key show --statements' printed: keys that yours was handed on to count too.",
    )
    @click.option(
        "--known-head", metavar="FILE", multiple=True, help="A signed head that you kept. May be repeated."
    )
    @click.option(
        "--witness", metavar="KEY", multiple=True, help="A witness's key; may be repeated. Only these count."
    )
    @wraps(function)
    def asked(
        *arguments: Any,
        vkey: tuple[str, ...],
        keys: str | None,
        known_head: tuple[str, ...],
        witness: tuple[str, ...],
        **options: Any,
    ) -> Any:
        kept = file_verification.TrustAnchors(
            keys=tuple(map(proof_files.read_verifier, vkey)),
            followed=() if keys is None else proof_files.read_keys(keys),
            heads=tuple(proof_files.read_head(file)[1] for file in known_head),
            witnesses=tuple(map(proof_files.read_verifier, witness)) or None,
        )
        return function(*arguments, held=kept, **options)

    return cast("F", asked)


# --- keys ------------------------------------------------------------------------------------------------


@click.group("key")
def key() -> None:
    """Make, rotate and show the keys that sign the log."""


@key.command("new")
@click.option("--witness", metavar="NAME", help="A key of your own, to witness other people's logs.")
@click.option(
    "--origin", metavar="NAME", help="The name to sign under. [default: the campaign's, and a part of its id]"
)
@click.option("--lost", is_flag=True, help="The key is lost: begin another, that names the last signed head.")
@click.option("--no-passphrase", is_flag=True, help="Keep the key readable to whoever can read its file.")
@as_json
@pass_session
def new(
    session: Session,
    witness: str | None,
    origin: str | None,
    lost: bool,
    no_passphrase: bool,
    as_json: bool,
) -> None:
    """Make a signing key (Ed25519) on this machine.

    It is kept in a file that only you can read. Show its public half to the players on the first day:
    'campaign show' prints it.

    \b
    arbitrator audit key new
    arbitrator audit key new --witness sam
    """
    if witness is not None:
        witnessing = WitnessMemory(keys_folder(), witness)
        made = witnessing.new_key(witness, None if no_passphrase else _new_passphrase())
        session.note(f"The key is made, in {made.file}")
        show(pages.witness_key_page(made.verifier, made.file), as_json=as_json)
        return
    campaign, service = session.campaign, signing_of(session)
    name = origin or f"{session.slug}-{campaign[-6:]}"
    statement = service.new_key(
        campaign, origin=name, passphrase=None if no_passphrase else _new_passphrase(), lost=lost
    )
    session.note(f"The key is made, in {service.key_file(campaign)}")
    show(_key_page(service, campaign), as_json=as_json)
    if not as_json and statement.number:
        show("Tell the players why: to them a key that replaced a lost one is a stranger's.")


@key.command("show")
@click.option("--witness", metavar="NAME", help="Your own key as a witness.")
@click.option("--statements", is_flag=True, help="What each key signed as it began: for 'cosign --keys'.")
@as_json
@pass_session
def show_(session: Session, witness: str | None, statements: bool, as_json: bool) -> None:
    """Show the public keys, and how each came to sign.

    \b
    arbitrator audit key show
    """
    if witness is not None:
        file = WitnessMemory(keys_folder(), witness).file
        show(pages.witness_key_page(key_files.public_half(file), file), as_json=as_json)
        return
    service = signing_of(session)
    written = service.statements(session.campaign)
    if not written:
        raise signing.NoKeyYet
    if statements and not as_json:
        show("\n".join(note.written() for note in written))
    else:
        show(_key_page(service, session.campaign), as_json=as_json)


def _key_page(service: signing.CampaignSigning, campaign: str) -> Page:
    signed, file = service.signed(campaign), service.key_file(campaign)
    return pages.key_page(signed.keys, service.statements(campaign), file)


@key.command("rotate")
@click.option("--no-passphrase", is_flag=True, help="Keep the new key readable to whoever can read its file.")
@as_json
@pass_session
def rotate(session: Session, no_passphrase: bool, as_json: bool) -> None:
    """Hand on to a new key.

    The old key and the new one both sign the statement.

    \b
    arbitrator audit key rotate
    """
    service, campaign = signing_of(session), session.campaign
    file = service.key_file(campaign)
    service.rotate(
        campaign, old=passphrase_for(file), passphrase=None if no_passphrase else _new_passphrase()
    )
    session.note("The key is handed on")
    show(_key_page(service, campaign), as_json=as_json)


def _new_passphrase() -> str:
    given = _given_passphrase()
    if given:
        return given
    typed: str = click.prompt("Passphrase", hide_input=True, confirmation_prompt=True, err=True)
    return typed


def passphrase_for(file: Path) -> Callable[[], str]:
    """Returns a function that asks for the passphrase, for a key that turns out to have one."""

    def asked() -> str:
        given = _given_passphrase()
        if given:
            return given
        typed: str = click.prompt(f"Passphrase of {file.name}", hide_input=True, err=True)
        return typed

    return asked


def _given_passphrase() -> str:
    """The passphrase from the environment; empty if somebody can be asked. Raises PassphraseNeeded."""
    given, command = os.environ.get(PASSPHRASE), os.environ.get(PASSPHRASE_COMMAND)
    if given:
        return given
    if command:
        return _printed(command)
    if is_from_afar() or not sys.stdin.isatty():
        raise PassphraseNeeded
    return ""


def _printed(command: str) -> str:
    try:
        words = shlex.split(command, posix=os.name == "posix")
        # The owner of the key chooses the command.
        ran = subprocess.run(  # noqa: S603
            words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True, timeout=60
        )
        passphrase = ran.stdout.decode().removesuffix("\n").removesuffix("\r")
    except (OSError, ValueError, IndexError, subprocess.SubprocessError) as wrong:
        raise PassphraseNotPrinted(why=str(wrong)) from wrong
    if not passphrase:
        raise PassphraseNotPrinted(why="it printed nothing")
    return passphrase


# --- heads and witnesses ---------------------------------------------------------------------------------


@click.command("checkpoint")
@click.option("--add", metavar="FILE", help="Keep a witness's signature from this head.")
@click.option("--out", metavar="FILE", help="Write the head to a file, too.")
@click.option(
    "--after-battles/--not-after-battles",
    default=None,
    help="From now on, sign by itself after each battle that is recorded on this machine, or no more.",
)
@as_json
@pass_session
def checkpoint(
    session: Session, add: str | None, out: str | None, after_battles: bool | None, as_json: bool
) -> None:
    """Sign the log as it stands, and print the signed head.

    Post the head where the players can see it. First, every row is hashed again and compared with every
    earlier signed head.

    \b
    arbitrator audit checkpoint --out head.txt
    """
    service, campaign = signing_of(session), session.campaign
    if after_battles is not None:
        _choose_after_battles(campaign, sign=after_battles)
    if add is not None:
        signed_head = service.take_cosignatures(campaign, proof_files.read_head(add)[1])
        session.note("The signature of a witness is kept")
        signed = service.signed(campaign)
    else:
        file = service.key_file(campaign)
        signed_head = service.checkpoint(campaign, passphrase_for(file))
        session.note(f"A head over {signed_head.head.size} events is signed")
        signed = service.signed(campaign)
    proof_files.write_new(signed_head.note.written(), out)
    page = pages.head_page(signed_head, signing.witnessed(signed, signed_head))
    show(page if as_json else signed_head.note.written(), as_json=as_json)


def _choose_after_battles(campaign: str, *, sign: bool) -> None:
    chosen = after_battles_setting(campaign)
    try:
        if sign:
            chosen.touch()
        else:
            chosen.unlink(missing_ok=True)
    except OSError as error:
        why = error.strerror or "no reason given"
        raise proof_files.FileNotWritten(file=str(chosen), why=why) from error


@click.command("heads")
@as_json
@pass_session
def heads(session: Session, as_json: bool) -> None:
    """List the signed heads and their witnesses, newest last.

    \b
    arbitrator audit heads
    """
    signed = signing_of(session).signed(session.campaign)
    counted = [(signed_head, signing.witnessed(signed, signed_head)) for signed_head in signed.heads]
    show(pages.heads_page(counted, heading=f"{session.slug}: signed heads"), as_json=as_json)


@click.command("cosigned")
@click.argument("file")
@as_json
@pass_session
def cosigned(session: Session, file: str, as_json: bool) -> None:
    """Keep a witness's signature on a head.

    FILE is a head as 'audit cosign' wrote it; - reads standard input. The signature counts if the campaign
    names its witness ('audit witnesses').

    \b
    arbitrator audit cosigned signed-by-sam.txt
    """
    service, campaign = signing_of(session), session.campaign
    signed_head = service.take_cosignatures(campaign, proof_files.read_head(file)[1])
    session.note("The signature of a witness is kept")
    show(
        pages.head_page(signed_head, signing.witnessed(service.signed(campaign), signed_head)),
        as_json=as_json,
    )


@click.command("witnesses")
@click.option("--want", type=click.IntRange(0, 50), help="How many witnesses each head needs from now on.")
@click.argument("vkeys", nargs=-1, metavar="[KEY]...")
@as_json
@pass_session
def witnesses(session: Session, want: int | None, vkeys: tuple[str, ...], as_json: bool) -> None:
    """Show or set who may witness the campaign's heads.

    Each statement is a new version, signed with the campaign's key; earlier ones stay.

    \b
    arbitrator audit witnesses --want 2 sam+c7862ef7+BGn... robin+41d0...
    """
    service, campaign = signing_of(session), session.campaign
    if want is not None:
        service.want_witnesses(campaign, passphrase_for(service.key_file(campaign)), wanted=want, vkeys=vkeys)
        session.note("Who may witness is stated")
    elif vkeys:
        raise click.UsageError("How many of them are wanted? Say it with --want.")
    show(pages.witnesses_page(service.signed(campaign).statements), as_json=as_json)


@click.command("cosign")
@click.argument("file", required=False)
@click.option("--witness", metavar="NAME", help="Which key of yours. [default: the only one on this machine]")
@click.option("--vkey", metavar="KEY", help="The log's key, as the campaign's page shows it.")
@click.option("--keys", metavar="FILE", help="What 'audit key show --statements' printed, after a rotation.")
@click.option("--proof", metavar="FILE", help="What 'audit consistency' printed, from the last head you saw.")
@click.option("--out", metavar="FILE", help="Write the head with your signature to a file, too.")
@as_json
@pass_session
def cosign(
    session: Session,
    file: str | None,
    witness: str | None,
    vkey: str | None,
    keys: str | None,
    proof: str | None,
    out: str | None,
    as_json: bool,
) -> None:
    """Sign a head as a witness.

    FILE is a signed head that somebody sent you; without it, the newest in this database. You sign only if
    its log begins with the last head that you saw, which is kept on this machine. Send the result back:
    'audit checkpoint --add' keeps your signature.

    \b
    arbitrator audit cosign head.txt --witness sam --out signed-by-sam.txt
    """
    witnessing = WitnessMemory(keys_folder(), _witness(witness))
    given = None if vkey is None else proof_files.read_verifier(vkey)
    followed = () if keys is None else proof_files.read_keys(keys)
    proved = None if proof is None else proof_files.read_consistency_proof(proof)
    my_key = key_files.open_key(witnessing.file, passphrase_for(witnessing.file))
    seconds = int(time.time())
    if file is not None:
        head, sent = proof_files.read_head(file)
        note = witnessing.cosign(sent, my_key, seconds=seconds, given=given, keys=followed, proof=proved)
    else:
        service, campaign = signing_of(session), session.campaign
        signed = service.signed(campaign)
        if signed.last is None:
            raise signing.NoHeadYet
        head = signed.last.head
        note = witnessing.cosign(
            signed.last.note,
            my_key,
            seconds=seconds,
            given=given,
            first=signed.keys[0].verifier,
            keys=signed.keys,
            root_at=service.roots(campaign),
        )
        if my_key.verifier in signed.witnesses(head.size)[1]:
            service.take_cosignatures(campaign, note)
    session.note("The head is witnessed")
    proof_files.write_new(note.written(), out)
    page = pages.witnessed_page(head, note, my_key.verifier)
    show(page if as_json else note.written(), as_json=as_json)


# --- proofs ----------------------------------------------------------------------------------------------


@click.command("prove")
@click.argument("event")
@click.option("--out", metavar="FILE", help="Where to write it. [default: EVENT.tlog-proof]")
@as_json
@pass_session
def prove(session: Session, event: str, out: str | None, as_json: bool) -> None:
    """Prove that an EVENT is in the log under a signed head.

    EVENT is such as 57.3. The proof has less than a kilobyte and needs no database: 'audit verify FILE'
    checks it, and so does any program that reads C2SP tlog-proof. It proves the event's bytes, written beside
    it as JSON.

    \b
    arbitrator audit prove 57.3
    """
    proof, stored = signing_of(session).prove(session.campaign, event)
    file = out or f"{event}.tlog-proof"
    proof_files.write_new(proof.written(), file)
    proof_files.write_new(stored.body.decode(), f"{file}.json")
    session.note(f"The proof is written, as {file}")
    show(pages.proof_page(event, proof, stored.body, file), as_json=as_json)


@click.command("consistency")
@click.option(
    "--from", "old", type=click.IntRange(1), required=True, help="The number of events in the earlier head."
)
@click.option(
    "--to", "new", type=click.IntRange(1), help="The number of events now. [default: the newest signed head]"
)
@click.option("--out", metavar="FILE", help="Write it to a file, too.")
@as_json
@pass_session
def consistency(session: Session, old: int, new: int | None, out: str | None, as_json: bool) -> None:
    """Prove that the log still begins with an earlier head.

    A witness asks for this proof before signing.

    \b
    arbitrator audit consistency --from 78
    """
    proof = signing_of(session).consistency(session.campaign, old, new)
    proof_files.write_new(proof.written(), out)
    show(pages.consistency_page(proof) if as_json else proof.written(), as_json=as_json)


def _witness(name: str | None) -> str:
    if name is not None:
        return name
    folder = keys_folder()
    files = sorted(folder.glob("witness-*.key")) if folder.is_dir() else []
    known = tuple(file.stem.removeprefix("witness-") for file in files)
    if len(known) != 1:
        raise WhichWitness(known=known)
    return known[0]
