// A battle as a table: taps are sent without loading the page again, and what others tap arrives.
"use strict";

{
const { gone, keepPage, send: sendKept, showQueue, writeDown } = boardOffline;
const PAUSE_MS = 4000;
const LEAVING_MS = 30000;
let busy = false;
let leaving = false;  // the battle is on its way into the log: the answer says where it stands

const board = () => document.getElementById("board");
const opened = () => document.querySelector('#crews details[open]')?.closest(".combatant")?.id;

async function page(url, how) {
  const answer = await fetch(url, { headers: { Accept: "text/html" }, ...how });
  const text = await answer.text();
  const made = new DOMParser().parseFromString(text, "text/html");
  const found = made.getElementById("board");
  if (found && answer.ok) keepPage(text);
  return { answer, made: found };
}

function show(made, { focus = true } = {}) {
  const asked = document.getElementById("queue")?.querySelector("[role=alert]") ? document.getElementById("queue") : null;
  const open = opened();
  board().replaceWith(made);
  document.dispatchEvent(new Event("board:shown"));
  if (asked) document.getElementById("queue").replaceWith(asked);
  else showQueue();
  if (!focus && open) document.querySelector(`#${CSS.escape(open)} details`)?.setAttribute("open", "");
  if (focus) {
    const words = document.getElementById("pad-words");
    words?.focus({ preventScroll: true });
    document.getElementById("pad")?.scrollIntoView({ block: "nearest" });
  }
}

async function send(form, submitter) {
  if (busy) return;
  busy = true;
  board().setAttribute("aria-busy", "true");
  const fields = new URLSearchParams(new FormData(form, submitter));
  try {
    const { answer, made } = await page(form.action, { method: "POST", body: fields });
    if (made) show(made);
    else if (answer.redirected) location.assign(answer.url);
    else {  // signed out, or a failure: its own page says so, with what was tapped
      if (submitter?.name) form.append(Object.assign(document.createElement("input"), { type: "hidden", name: submitter.name, value: submitter.value }));
      form.submit();
    }
  } catch {
    board().removeAttribute("aria-busy");
    writeDown(form, fields);
  } finally {
    busy = false;
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement)) return;
  if (!("board" in form.dataset)) {
    if (!event.defaultPrevented && form.method === "post") {
      leaving = true;
      setTimeout(() => { leaving = false; }, LEAVING_MS);
    }
    return;
  }
  event.preventDefault();
  send(form, event.submitter);
});

// A die that lies on the table may be typed.
document.addEventListener("keydown", (event) => {
  if (event.target.closest?.("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!/^[1-9]$/.test(event.key)) return;
  const face = document.querySelector(`.faces button[value="${event.key}"]`);
  if (face) { event.preventDefault(); face.click(); }
});

// A gang whose fighters are ticked fights; ticking it anew ticks them all.
document.addEventListener("change", (event) => {
  const box = event.target.closest?.(".crew-to-tick input");
  if (!box) return;
  const crew = box.closest(".crew-to-tick");
  const gang = crew.querySelector("legend input");
  const fighters = [...crew.querySelectorAll("input:not([name=gang]):not(:disabled)")];
  if (box === gang && gang.checked && !fighters.some((one) => one.checked)) for (const one of fighters) one.checked = true;
});

// What somebody else answered meanwhile.
async function look() {
  const now = board();
  if (document.activeElement?.closest(".step-form")) return;  // what is half filled in there would be lost
  if (!now || busy || leaving || document.visibilityState === "hidden" || !navigator.onLine) return;
  const campaign = document.body.dataset.campaign;
  const answer = await fetch(`/v1/campaigns/${encodeURIComponent(campaign)}/drafts`, { headers: { Accept: "application/json" } });
  if (!answer.ok || busy || leaving || board() !== now) return;
  const { drafts } = await answer.json();
  const there = drafts.find((one) => one.draft === now.dataset.draft);
  if (!there) { gone(); return; }
  const answered = String(there.revision) !== now.dataset.revision;
  if (!answered && !now.dataset.waits) return;
  const { made } = await page(now.dataset.path);
  if (!answered && made?.dataset.waits === now.dataset.waits) return;  // nobody added or revealed words
  if (!made || busy || board() !== now) return;
  show(made, { focus: false });
}
async function renew() {
  const { made } = await page(board().dataset.path);
  if (made) show(made, { focus: false });
}
if (board()) {
  setInterval(() => look().catch(() => {}), PAUSE_MS);
  setInterval(() => { if (board().dataset.asks === "menu") sendKept(); }, PAUSE_MS);
  // Back on this page by the Back button, or from another tab where somebody signed in.
  addEventListener("pageshow", (event) => { if (event.persisted) look().catch(() => {}); });
  document.addEventListener("visibilitychange", () => { look().catch(() => {}); sendKept(); });
  addEventListener("storage", () => showQueue());
  addEventListener("online", () => sendKept());
  addEventListener("offline", () => showQueue());
  document.addEventListener("board:sent", () => renew().catch(() => {}));
  showQueue();
  sendKept();
}
}
