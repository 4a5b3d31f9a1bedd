"""The forms of a page as a browser without JavaScript fills them in and sends them."""

from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode


class Form:
    """One form: what it sends as it stands, and the buttons that send it, by their words and in their order.

    `kinds` are the types of its fields: hidden, text, number, checkbox, radio, select, textarea.
    """

    def __init__(self, method: str, action: str) -> None:
        self.method, self.action = method, action
        self.fields: dict[str, str] = {}
        self.names: set[str] = set()
        self.choices: dict[str, list[str]] = {}
        self.buttons: dict[str, dict[str, str | None]] = {}
        self.every_button: list[dict[str, str | None]] = []
        self.kinds: dict[str, str] = {}
        self.counted: dict[str, tuple[int, int | None]] = {}
        """How many of its boxes of one name may be ticked, where a script holds that before it is sent."""
        self.boxes: dict[str, list[str]] = {}
        self.lists: dict[str, list[list[str]]] = {}
        """What may be ticked under a name, and what may be chosen in each list of that name."""

    def filled(self, **given: str) -> dict[str, str]:
        """What is sent with these answers; `face_0` is 'face/0', as Python has no such name."""
        return self.fields | given


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._open: Form | None = None
        self._texts: list[str] | None = None
        self._named: str = ""
        self._button: dict[str, str | None] | None = None
        self._counts: tuple[int, int | None] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        if tag == "form":
            self._open = Form((said.get("method") or "get").lower(), said.get("action") or "")
            self.forms.append(self._open)
        elif tag == "div" and "data-least" in said:
            most = said.get("data-most")
            self._counts = int(said["data-least"] or 0), int(most) if most else None
        elif self._open is not None:
            self._field(tag, said, self._open)

    def _field(self, tag: str, said: dict[str, str | None], form: Form) -> None:
        name, value = said.get("name") or "", said.get("value") or ""
        if tag == "input" and name and said.get("type") != "file":
            form.names.add(name)
            form.kinds[name] = "number" if said.get("inputmode") == "numeric" else said.get("type") or "text"
            if self._counts is not None:
                form.counted[name] = self._counts
            if said.get("type") in ("radio", "checkbox"):
                form.choices.setdefault(name, []).append(value)
                form.boxes.setdefault(name, []).append(value)
                if "checked" in said:
                    form.fields[name] = value
            else:
                form.fields[name] = value
        elif tag in ("select", "textarea"):
            form.names.add(name)
            form.kinds[name] = tag
            form.fields[name] = ""
            form.lists.setdefault(name, []).append([])
            if self._counts is not None:
                form.counted[name] = self._counts
            self._named, self._texts = name, []
        elif tag == "datalist":
            self._named = ""
        elif tag == "option" and self._named:
            form.choices.setdefault(self._named, []).append(value)
            if value:
                form.lists[self._named][-1].append(value)
            if "selected" in said:
                form.fields[self._named] = value
        elif tag == "button":
            self._button, self._texts = said, []

    def handle_data(self, data: str) -> None:
        if self._texts is not None:
            self._texts.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "div":
            self._counts = None
        if tag == "form":
            self._open = None
        elif tag == "textarea" and self._open is not None and self._texts is not None:
            self._open.fields[self._named] = "".join(self._texts)
            self._texts = None
        elif tag == "button" and self._open is not None and self._button is not None:
            self._open.buttons["".join(self._texts or ()).strip()] = self._button
            self._open.every_button.append(self._button)
            self._button = self._texts = None


def forms(html: str) -> list[Form]:
    """All of a page's."""
    read = _Forms()
    read.feed(html)
    return read.forms


class Visitor:
    """Somebody with a browser."""

    def __init__(self, client: Any, token: str) -> None:
        self._client = client
        self.headers = {"Accept": "text/html", "Authorization": f"Bearer {token}"}
        self.at, self.status, self.html = "", 0, ""

    def go(self, path: str, *, status: int = 200) -> str:
        """The page that is shown there."""
        answer = self._client.get(path, headers=self.headers)
        self.at, self.status, self.html = str(answer.url.path), answer.status_code, answer.text
        assert self.status == status, (self.status, self.html)
        return self.html

    def form(self, button: str) -> Form:
        """The form of the page with that button."""
        return next(form for form in forms(self.html) if button in form.buttons)

    def press(
        self, button: str, *, status: int = 200, fields: dict[str, str] | None = None, **given: str
    ) -> str:
        """Send the form with that button, with these answers; what is shown then. `fields` are those whose
        names Python does not take.
        """
        return self.send(self.form(button), button, {**(fields or {}), **given}, status=status)

    def send(self, form: Form, button: str, given: dict[str, str], *, status: int = 200) -> str:
        """Send a form that was read before, as after going back."""
        said = form.buttons[button]
        method, action = said.get("formmethod") or form.method, said.get("formaction") or form.action
        fields = form.filled(**given)
        if said.get("name"):
            fields[str(said["name"])] = said.get("value") or ""
        if method == "get":
            return self.go(f"{action}?{urlencode(fields)}", status=status)
        headers = {**self.headers, "Content-Type": "application/x-www-form-urlencoded"}
        answer = self._client.post(action, content=urlencode(fields), headers=headers)
        self.at, self.status, self.html = str(answer.url.path), answer.status_code, answer.text
        assert self.status == status, (self.status, self.html)
        return self.html
