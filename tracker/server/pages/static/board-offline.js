// The board without a network: an exchange is written down here with its dice, kept on this device, and sent in
// its order when the network is back. Each says which entry of the battle it is, so that it counts once.
"use strict";

const boardOffline = (() => {
const board = () => document.getElementById("board");
const name = () => `board:${board().dataset.draft}`;
const kept = () => JSON.parse(localStorage.getItem(name()) ?? "[]");
const keep = (items) => (items.length ? localStorage.setItem(name(), JSON.stringify(items)) : localStorage.removeItem(name()));
const made = (tag, words, more = {}) => Object.assign(document.createElement(tag), { textContent: words, ...more });
const capital = (word) => word.slice(0, 1).toUpperCase() + word.slice(1);
const shownAs = (word) => capital(word.replaceAll("_", " "));
const called = (card) => card.querySelector(".called").textContent.trim();
const NEEDS = { shoot: "target", fight: "target", injury_chart: "target", out_of_action: "by", seriously_injured: "by", flesh_wound: "by" };
const ALONE = new Set(["unpin", "stand", "recovery", "reload"]);
const KEPT_PAGES = "gangs-1";
const ATTACKS = new Set(["shoot", "fight", "injury_chart"]);
const WAITED_MS = 800;
let sending = false;
let asking = false;  // somebody decides first; then it is sent on

// Another tab may have changed what waits while an answer was on its way: each is found by its own name.
const without = (id) => {
  const items = kept();
  const at = items.findIndex((one) => one.id === id);
  if (at >= 0) items.splice(at, 1);
  return items;
};

function keepPage(text) {
  if (!("caches" in window)) return;
  const answer = new Response(text, { headers: { "Content-Type": "text/html; charset=utf-8" } });
  caches.open(KEPT_PAGES).then((cache) => cache.put(location.pathname, answer)).catch(() => {});
}

// What waits, above the board; `ask` is what somebody has to decide first.
function showQueue(ask) {
  const place = document.getElementById("queue");
  if (!place) return;
  const items = kept();
  const shown = place.querySelector("[role=alert]")?.textContent;
  if (ask && shown === ask.words && place.querySelectorAll("li").length === items.length) return;
  place.hidden = !items.length && !ask;
  place.replaceChildren();
  if (place.hidden) return;
  if (items.length) place.append(made("p", navigator.onLine ? "Kept on this device, and not sent yet:" : "There is no network. This is kept on this device, and sent when it is back:", { className: "called" }));
  const list = made("ol", "");
  items.forEach((item) => {
    const line = made("li", `${item.words} `);
    const drop = made("button", "Drop", { type: "button", className: "quiet small" });
    drop.setAttribute("aria-label", `Drop: ${item.words}`);
    drop.addEventListener("click", () => {
      const left = without(item.id);
      for (const later of left) if (later.number > item.number) later.number -= 1;
      keep(left);
      showQueue();
    });
    line.append(drop);
    list.append(line);
  });
  place.append(list);
  if (!ask) return;
  place.append(made("p", ask.words, { role: "alert" }));
  const answers = made("div", "", { className: "answers" });
  for (const [words, act] of ask.answers) {
    if (typeof act === "string") {
      answers.append(made("a", words, { href: act, target: "_blank", rel: "noopener", className: "button" }));
      continue;
    }
    const button = made("button", words, { type: "button" });
    button.addEventListener("click", act);
    answers.append(button);
  }
  place.append(answers);
}

// An exchange, written down: who and what is known, at whom and the dice are asked for here.
function writeDown(form, fields) {
  const line = fields.get("lines") ?? "";
  const [kind, who] = line.split("\n")[0].split(" ");
  const pad = document.getElementById("pad");
  const card = document.querySelector(`[data-fighter="${CSS.escape(who ?? "")}"]`);
  if (board().dataset.asks !== "menu" || !card || !(kind in NEEDS || ALONE.has(kind))) {
    showQueue({ words: "No answer came. Tap again when the network is back, if it is still asked.", answers: [["All right", () => showQueue()]] });
    return;
  }
  const button = [...document.querySelectorAll("#crews button")].find((one) => one.value === line);
  const vehicle = button?.closest("[data-vehicle]")?.dataset.fighter;
  const weapon = button?.dataset.weapon;
  const dice = [];
  const paper = made("form", "", { className: "written" });
  paper.append(made("h2", `${called(card)}: ${button?.textContent.trim() ?? kind}`, { id: "pad-words", tabIndex: -1 }));
  const field = (words, key, options, needed = key === "target") => {
    const select = made("select", "", { name: key, required: needed });
    for (const [value, shown] of options) select.append(made("option", capital(shown), { value }));
    const label = made("label", words);
    label.append(document.createElement("br"), select);
    const line = made("p", "");
    line.append(label);
    paper.append(line);
    return [select, line];
  };
  if (kind in NEEDS) {
    const others = [...document.querySelectorAll(".crew")].filter((crew) => !crew.contains(card));
    const there = others.flatMap((crew) => [...crew.querySelectorAll(".combatant")]).filter((one) => kind in { out_of_action: 1, seriously_injured: 1, flesh_wound: 1 } || !one.classList.contains("out"));
    const listed = there.map((one) => [one.dataset.fighter, called(one)]);
    const [chosen] = field(NEEDS[kind] === "by" ? "By whom?" : "At whom?", NEEDS[kind], NEEDS[kind] === "by" ? [["", "nobody"], ...listed] : listed);
    if (kind === "shoot" || kind === "fight") {
      const sides = field("Which side of the vehicle?", "facing", [["", ""], ...["front", "side", "rear"].map((word) => [word, word])]);
      const moving = field("Is the vehicle Mobile?", "mobile", [["", ""], ["true", "yes"], ["false", "no"]]);
      const asks = () => {
        const at = there.find((one) => one.dataset.fighter === chosen.value);
        for (const [select, line] of [sides, moving]) {
          line.hidden = !at || !("vehicle" in at.dataset);
          select.required = !line.hidden;
          if (line.hidden) select.value = "";
        }
      };
      chosen.addEventListener("change", asks);
      asks();
    }
  }
  if (kind === "injury_chart") {
    const counts = [["", "none"], ...["1", "2", "3", "4"].map((word) => [word, word])];
    field("How many +1 DICE?", "plus_dice", counts);
    field("How many -1 DICE?", "minus_dice", counts);
  }
  if (kind === "shoot") {
    field("At what range?", "range", ["short", "long"].map((word) => [word, word]));
    field("Cover", "cover", ["none", "partial", "full"].map((word) => [word, word]));
  }
  paper.append(made("p", "Tap the dice in the order in which they fell. What is still missing is asked for later.", { className: "faint small" }));
  const fell = made("p", "No dice yet", { className: "fell" });
  fell.setAttribute("aria-live", "polite");
  const say = () => { fell.textContent = dice.length ? dice.join(", ").replaceAll("_", " ") : "No dice yet"; };
  const group = (label, faces) => {
    const row = made("div", "", { className: "faces written-dice", role: "group" });
    row.setAttribute("aria-label", shownAs(label));
    for (const face of faces) {
      const die = made("button", shownAs(face), { type: "button", className: "face", value: face });
      die.addEventListener("click", () => {
        if (tens.checked && /^[1-6]$/.test(face)) {
          if (half) { dice.push(`${half}-${face}`); half = ""; tens.checked = false; } else half = face;
        } else dice.push(face);
        say();
      });
      row.append(die);
    }
    paper.append(row);
  };
  let half = "";
  const tens = made("input", "", { type: "checkbox" });
  group("D6", ["1", "2", "3", "4", "5", "6"]);
  for (const symbols of document.querySelectorAll("template.symbols")) {
    group(symbols.dataset.die, [...symbols.content.querySelectorAll("button")].map((one) => one.value));
  }
  const both = made("label", "", { className: "toggle" });
  both.append(tens, " The next two D6 are one D66");
  paper.append(both, fell);
  const answers = made("div", "", { className: "answers" });
  const away = made("button", "Never mind", { type: "button", className: "quiet" });
  const last = made("button", "Last die away", { type: "button", className: "quiet" });
  last.addEventListener("click", () => { dice.pop(); say(); });
  answers.append(made("button", "Keep it"), last, away);
  paper.append(answers);
  const before = [...pad.childNodes];
  away.addEventListener("click", () => pad.replaceChildren(...before));
  paper.addEventListener("submit", (event) => {
    event.preventDefault();
    const said = new FormData(paper);
    const about = { [ATTACKS.has(kind) ? "attacker" : "fighter"]: who };
    if (weapon) about.weapon = weapon;
    if (vehicle) about.from_vehicle = vehicle;
    for (const [key, value] of said) if (value && value !== "none") about[key] = key === "mobile" ? value === "true" : key.endsWith("_dice") ? Number(value) : value;
    if (kind === "fight") { about.targets = [about.target]; delete about.target; }
    const entry = ALONE.has(kind) && kind !== "reload" ? line : JSON.stringify({ [kind]: about });
    const items = kept();
    const target = paper.querySelector("select")?.selectedOptions[0]?.textContent ?? "";
    items.push({
      id: `${Date.now()}-${Math.random()}`,
      lines: [entry, ...dice],
      number: Number(board().dataset.entries) + items.length + 1,
      revision: Number(board().dataset.revision),
      words: [called(card), button?.textContent.trim() ?? kind, target, dice.join(", ").replaceAll("_", " ")].filter(Boolean).join(" · "),
    });
    keep(items);
    pad.replaceChildren(...before);
    showQueue();
    send();
  });
  pad.replaceChildren(paper);
  paper.querySelector("h2").focus();
}

// Everything that waits, first to last; one tab at a time, where the browser can say so.
async function send() {
  if (sending || asking || !board() || !navigator.onLine || !kept().length) return;
  sending = true;
  try {
    if (navigator.locks) await navigator.locks.request(name(), { ifAvailable: true }, (mine) => mine && sendAll());
    else await sendAll();
  } finally {
    sending = false;
  }
}

async function sendAll() {
  let sent = false;
  try {
    for (let items = kept(); items.length; items = kept()) {
      const [item] = items;
      const campaign = encodeURIComponent(document.body.dataset.campaign);
      const answer = await fetch(`/v1/campaigns/${campaign}/drafts/${board().dataset.draft}/answer`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "If-Match": "*", Accept: "application/json" },
        body: JSON.stringify({ answer: item.lines[0], then: item.lines.slice(1), number: item.number, revision: item.revision }),
      });
      const said = await answer.json().catch(() => ({}));
      if (answer.status >= 500 || answer.status === 429) return;
      if (!answer.ok) {
        ask(answer.status, said, item);
        return;
      }
      sent = true;
      const left = without(item.id);
      for (const later of left) later.revision = said.draft.revision;
      keep(left);
      if (said.question.shape !== "menu") break;  // its missing dice first
    }
    showQueue();
  } catch {
    showQueue();  // the network is gone again
  } finally {
    if (sent) document.dispatchEvent(new CustomEvent("board:sent"));
  }
}

// The battle was recorded or thrown away by somebody else. The board stays as it was, to be read, and takes no more
// taps; to lead away by itself would take the page from under somebody who is about to tap something.
function gone() {
  for (const part of board().querySelectorAll(".board-parts, .board-foot")) part.inert = true;
  if (kept().length) showQueue({
    words: "This battle was recorded or thrown away meanwhile, so what waits here was never sent. Write it down, or drop it.",
    answers: [["Drop all of it", () => { keep([]); gone(); }]],
  });
  else showQueue({
    words: "Somebody recorded this battle meanwhile, or threw it away.",
    answers: [["To the battles", () => location.assign(`/campaigns/${encodeURIComponent(document.body.dataset.campaign)}/battles`)]],
  });
  document.getElementById("queue").scrollIntoView({ block: "nearest" });
}

function ask(status, said, item) {
  if (status === 401) {
    showQueue({ words: "You are signed out. Nothing is lost: sign in again, and this is sent.", answers: [["Sign in again", "/sign-in"]] });
    return;
  }
  if (status === 404 || status === 410) { gone(); return; }
  asking = true;
  const change = (how) => () => {
    asking = false;
    const items = kept();
    how(items);
    keep(items);
    showQueue();
    document.dispatchEvent(new CustomEvent("board:sent"));
  };
  const drop = ["Drop it", change((items) => {
    const at = items.findIndex((one) => one.id === item.id);
    if (at >= 0) items.splice(at, 1);
    for (const later of items) if (later.number > item.number) later.number -= 1;
  })];
  if (status === 412) {
    const after = change((items) => {
      const now = board().dataset;
      items.forEach((later, at) => { later.number = Number(now.entries) + at + 1; later.revision = Number(now.revision); });
    });
    document.dispatchEvent(new CustomEvent("board:sent"));
    setTimeout(() => showQueue({
      words: "Somebody went on with this battle while you were away: see what happened below. Where does yours go?",
      answers: [["After it", after], drop],
    }), WAITED_MS);
    return;
  }
  showQueue({
    words: said.detail ?? "It cannot be entered so.",
    answers: item.lines.length > 1 ? [["Enter it without its dice", change((items) => { items[0].lines = [items[0].lines[0]]; })], drop] : [drop],
  });
}

return { gone, keepPage, showQueue, writeDown, send };
})();
