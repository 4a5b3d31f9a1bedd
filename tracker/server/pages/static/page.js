// What makes a page quicker to read; everything on it works without.
"use strict";

{
  const body = document.body;
  const banner = document.getElementById("banner");

  // Times in the reader's own zone, written as the dates of battles are. One format for all of them: each that is made costs a phone milliseconds.
  const inWords = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
  function localTimes(within) {
    for (const time of within.querySelectorAll("time[datetime]")) {
      const at = new Date(time.dateTime);
      if (time.dateTime.includes("T") && !time.title && !Number.isNaN(at.getTime())) {
        time.title = time.textContent;
        time.textContent = inWords.format(at);
      }
    }
  }
  localTimes(document);
  for (const shown of ["board:shown", "htmx:afterSettle"]) document.addEventListener(shown, () => localTimes(document));

  // The slider of the time form says where it stands.
  for (const range of document.querySelectorAll(".time input[type=range]")) {
    const output = range.form.querySelector("output");
    range.addEventListener("input", () => {
      output.textContent = range.value === range.max ? "now" : range.value;
    });
  }

  // Printing is the browser's own; its button is there where a script can ask for it.
  for (const button of document.querySelectorAll("[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => print());
  }

  function notice(id, words, link) {
    let line = document.getElementById(id);
    if (!line) {
      line = document.createElement("p");
      line.id = id;
      line.className = "notice";
      banner.append(line);
    }
    line.textContent = words;
    if (link) {
      const again = document.createElement("a");
      again.href = location.href;
      again.textContent = link;
      line.append(" ", again);
    }
  }

  // What people say and what is ruled arrives by itself: it holds no form that could be lost.
  const live = document.querySelectorAll("[data-live]");
  async function arrive() {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    const made = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of live) {
      const now = made.getElementById(part.id);
      if (!now) continue;
      localTimes(now);
      if (now.innerHTML !== part.innerHTML) part.replaceChildren(...now.childNodes);
    }
  }

  // The campaign is changed elsewhere: said, never done, so that no form is lost. Only while somebody looks.
  const { campaign, head } = body.dataset;
  if (campaign && head && "EventSource" in window) {
    let seen = Number(head);
    let source;
    const look = () => {
      if (document.visibilityState === "hidden") {
        source?.close();
        source = undefined;
      } else if (!source) {
        source = new EventSource(`/v1/campaigns/${encodeURIComponent(campaign)}/events?format=heads&after=${seen}`);
        source.addEventListener("message", (said) => {
          seen = Number(said.data);
          const more = seen - Number(head);
          const words = more === 1 ? "1 event" : `${more} events`;
          notice("moved", `This campaign has just been changed: ${words} since this page was made.`, "Load it again");
          if (live.length) arrive().catch(() => {});
        });
      }
    };
    document.addEventListener("visibilitychange", look);
    addEventListener("pagehide", () => { source?.close(); source = undefined; });
    addEventListener("pageshow", look);
    look();
  }

  // A gang's page that was seen once is there without a network.
  if ("serviceWorker" in navigator && campaign) navigator.serviceWorker.register("/sw.js").catch(() => {});
  const offline = () => {
    if (!navigator.onLine) notice("offline", "There is no network: this is the page as this browser last saw it.");
    else document.getElementById("offline")?.remove();
  };
  addEventListener("online", offline);
  addEventListener("offline", offline);
  offline();
}
