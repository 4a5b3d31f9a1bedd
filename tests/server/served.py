"""The service as a test asks it."""

from typing import Any

from starlette.testclient import TestClient

TOKEN = "trk_of-the-tests"  # noqa: S105  # nobody else has it
CAMPAIGN = "/v1/campaigns/ash-wastes"


class Served:
    """`served.get("/roster")` of the campaign 'ash-wastes', with the tests' token."""

    def __init__(self, client: TestClient) -> None:
        self.client = client

    def ask(self, method: str, path: str, **how: Any) -> Any:
        """The response to a path under the campaign, or to one that begins with /v1."""
        headers = {"Authorization": f"Bearer {TOKEN}", **how.pop("headers", {})}
        url = path if path.startswith("/v1") else f"{CAMPAIGN}{path}"
        return self.client.request(method, url, headers=headers, **how)

    def get(self, path: str, **how: Any) -> Any:
        """A reading request."""
        return self.ask("GET", path, **how)

    def post(self, path: str, **how: Any) -> Any:
        """A writing request, made for the head of now unless a header says otherwise."""
        headers = {"If-Match": self.head(), **how.pop("headers", {})}
        return self.ask("POST", path, headers=headers, **how)

    def head(self) -> str:
        """The campaign's ETag."""
        return str(self.get("").headers["ETag"])
