"""Messages for a chat: never too long, nothing lost, nobody called, cut where a reader would cut."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from report_examples import HOSTILE, gang_row
from tables import every

from tracker.reports.discord import LIMIT, messages
from tracker.reports.escaping import for_chat
from tracker.reports.page import Page, Text
from tracker.reports.rendering import render
from tracker.reports.standings import standings_page

CUT = "-------- 8< -------- message {} of {}, paste what is below --------"


def chat_page(*blocks: list[str]) -> Page:
    return Page(schema="", title="Title", data=dict, blocks=lambda: [[Text(lines)] for lines in blocks])


def units(text: str) -> int:
    """How the strictest client counts."""
    return len(text.encode("utf-16-le")) // 2


def test_a_text_that_fits_is_one_message_without_a_number_or_a_mark() -> None:
    assert messages("Title", [["a", "b"], ["c"]]) == ["**Title**\na\nb\n\nc"]
    assert render(chat_page(["a"]), "discord") == "**Title**\na"


def test_a_block_goes_whole_into_the_next_message_when_it_has_no_room() -> None:
    first, second = ["x" * 900, "y" * 400], ["z" * 900]
    assert messages("Title", [first, second]) == [
        "**Title** (1/2)\n" + "\n".join(first),
        "**Title** (2/2)\n" + "\n".join(second),
    ]


def test_a_block_too_long_for_any_message_is_cut_between_lines_and_says_that_it_goes_on() -> None:
    lines = [f"- line {number:03} " + "x" * 80 for number in range(40)]
    posted = messages("Title", [["**Hawks**: after", *lines]])
    assert len(posted) > 1
    assert [message.split("\n")[1] for message in posted] == [
        "**Hawks**: after",
        *["**Hawks**: after (continued)"] * (len(posted) - 1),
    ]
    assert [line for message in posted for line in message.split("\n") if line.startswith("- ")] == lines


def test_a_mark_stands_before_each_of_several_messages_and_in_none() -> None:
    one, two = "x" * 1400, "y" * 1400
    assert render(chat_page([one], [two]), "discord") == (
        f"{CUT.format(1, 2)}\n**Title** (1/2)\n{one}\n{CUT.format(2, 2)}\n**Title** (2/2)\n{two}"
    )


@given(
    title=st.text(max_size=300),
    blocks=st.lists(
        st.lists(st.text(st.sampled_from("ab *_\\@#😀ע "), max_size=2500), min_size=1, max_size=4), max_size=4
    ),
)
def test_no_message_is_ever_too_long_and_no_word_is_lost(title: str, blocks: list[list[str]]) -> None:
    ready = [["head", *(for_chat(line) for line in block)] for block in blocks]
    posted = messages(title, ready)
    assert all(units(message) <= LIMIT for message in posted)
    printed = "".join("".join(message.split("\n")[1:]) for message in posted).replace("head (continued)", "")
    given_ = "".join("".join(line for line in block) for block in ready)
    assert printed.replace(" ", "") == given_.replace(" ", "")


def test_a_title_of_any_length_is_one_short_bold_line() -> None:
    (posted,) = messages("Raid " * 200, [["a"]])
    title, line = posted.split("\n")
    assert (title[:7], title[-5:], line) == ("**Raid ", "...**", "a")
    assert units(title) <= 210


def test_no_escape_is_cut_in_two() -> None:
    posted = messages("Title", [["x" + "\\*" * 3000]])
    lines = [line for message in posted for line in message.split("\n")[1:]]
    assert all((len(line) - len(line.rstrip("\\"))) % 2 == 0 for line in lines)


@every("calling", ["@everyone", "@here", "<@123>", "<@&9>"])
def test_no_name_calls_anybody(calling: str) -> None:
    written = render(
        standings_page([gang_row(name=calling, player=calling, house=calling)], heading=calling), "discord"
    )
    assert calling not in written
    assert "@e" not in written
    assert "@h" not in written
    assert "<@" not in written.replace("\\<@", "")


def test_the_standings_in_a_chat_are_two_lines_for_each_gang() -> None:
    second = gang_row(gang="hawks", name="Iron *Hawks*", won=1)
    assert render(standings_page([gang_row(), second], heading="dust-falls"), "discord") == (
        "**dust-falls**\n"
        "**1** **Sump Rats** (Cawdor, Ana)\n"
        "- 2 won, 0 drawn, 1 lost; rating 95, Reputation 3, 1 enemy taken out\n"
        "**2** **Iron \\*Hawks\\*** (Cawdor, Ana)\n"
        "- 1 won, 0 drawn, 1 lost; rating 95, Reputation 3, 1 enemy taken out\n"
        "\n"
        "By battles won, then drawn, then Reputation, then enemies taken out."
    )
    assert render(standings_page([]), "discord") == "**Standings**\nNo gangs yet."


def test_hostile_names_are_harmless_in_a_chat() -> None:
    written = render(standings_page([gang_row(name=HOSTILE)]), "discord")
    assert "\\[2J\\[/bold\\]\\|=cmd\\`\\<b\\>" in written
    assert all(line.replace("\u200b", "").isprintable() for line in written.split("\n"))


@every(
    "address",
    [
        "https://evil.example/x",
        "HTTP://evil.example",
        "steam://run/1",
        "discord.gg/abcdef",
        "Discord.com/invite/abc",
        "evil.example",
        "www.evil.example",
        "xn--e1awd7f.xn--p1ai",
        "discord\uff0egg/abcdef",
        "discord\u3002gg/abcdef",
        "https://1.2.3.4/x",
        "a_b.gg",
    ],
)
def test_no_name_is_a_link(address: str) -> None:
    written = render(
        standings_page([gang_row(name=address, player=address, house=address)], heading=address), "discord"
    )
    reads = written.replace("\u200b", "").replace("\\", "")
    assert reads.casefold().count(address.casefold()) == 4
    linked = re.compile(r"\w+://|\w[.\u3002\uff0e\uff61][^\W\d_]{2}", re.IGNORECASE)
    assert linked.findall(written.replace("\\", "")) == []


@every("plain", ["17.9 and 4.5", "St. Clair", "wait... what", "6+", "Krug: 4", "1/2"])
def test_a_text_that_is_no_address_is_left_as_it_is(plain: str) -> None:
    assert for_chat(plain) == plain
