"""A Discord of the tests' own on loopback: codes with PKCE, tokens, and who somebody is."""

import hashlib
import json
import threading
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

from tracker.server.discord_sign_in import Discord

CLIENT_ID, CLIENT_SECRET = "8035111", "canary-of-the-application"


class DiscordServer:
    """`discord.lets_in(location, account)` is somebody who agrees there: gives the way back."""

    def __init__(self) -> None:
        self.codes: dict[str, tuple[dict[str, str], Any]] = {}
        self.tokens: dict[str, Any] = {}
        self.refused: list[str] = []
        self.broken = ""
        discord = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:  # the library's name for it
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                self._say(*discord.token(dict(parse_qsl(body))))

            def do_GET(self) -> None:  # the library's name for it
                token = self.headers.get("Authorization", "").removeprefix("Bearer ")
                known = token in discord.tokens
                self._say(200, discord.tokens[token]) if known else self._say(401, {"message": "401"})

            def _say(self, status: int, said: Any) -> None:
                body = discord.broken.encode() or json.dumps(said).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_words: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True

    @property
    def application(self) -> Discord:
        """What a host has registered there."""
        here = f"http://127.0.0.1:{self.server.server_port}"
        return Discord(CLIENT_ID, CLIENT_SECRET, f"{here}/authorize", f"{here}/token", f"{here}/me")

    def lets_in(self, location: str, account: Any) -> str:
        """The path and query that the browser is sent back to."""
        asked = {name: value for name, [value] in parse_qs(urlsplit(location).query).items()}
        assert location.startswith(self.application.authorize)
        assert (asked["client_id"], asked["scope"]) == (CLIENT_ID, "identify")
        assert (asked["response_type"], asked["code_challenge_method"]) == ("code", "S256")
        code = f"canary-code-{len(self.codes)}"
        self.codes[code] = (asked, account)
        back = urlsplit(asked["redirect_uri"])
        return f"{back.path}?{urlencode({'code': code, 'state': asked['state']})}"

    def token(self, given: dict[str, str]) -> tuple[int, Any]:
        """What a code is exchanged for, once, by who began."""
        asked, account = self.codes.pop(given.get("code", ""), ({}, None))
        verifier = hashlib.sha256(given.get("code_verifier", "").encode()).digest()
        wrong = [
            name
            for name, is_right in {
                "client": (given.get("client_id"), given.get("client_secret")) == (CLIENT_ID, CLIENT_SECRET),
                "redirect": given.get("redirect_uri") == asked.get("redirect_uri"),
                "pkce": urlsafe_b64encode(verifier).rstrip(b"=").decode() == asked.get("code_challenge"),
            }.items()
            if not is_right
        ]
        if wrong:
            self.refused += wrong
            return 400, {"error": "invalid_grant"}
        token = f"canary-token-{len(self.tokens)}"
        self.tokens[token] = account
        return 200, {"access_token": token, "token_type": "Bearer", "expires_in": 604800, "scope": "identify"}


@contextmanager
def discord_listening() -> Iterator[DiscordServer]:
    """It, on a port of its own."""
    discord = DiscordServer()
    thread = threading.Thread(target=discord.server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield discord
    finally:
        discord.server.shutdown()
        discord.server.server_close()
        thread.join()
