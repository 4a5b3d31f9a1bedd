// How many of a list are ticked is told beside it before it is sent; without scripts the server says so.
"use strict";

document.addEventListener("submit", (event) => {
  if (event.submitter?.name) return;  // a button with an answer of its own
  for (const list of event.target.querySelectorAll("[data-least]")) {
    const picked = [...list.querySelectorAll("input[type=checkbox]:checked")].length
      + [...list.querySelectorAll("select")].filter((one) => one.value).length;
    const least = Number(list.dataset.least);
    const most = Number(list.dataset.most || Infinity);
    const said = list.querySelector("[role=alert]") ?? list.appendChild(document.createElement("p"));
    said.setAttribute("role", "alert");
    said.className = "fault";
    const wanted = least === most ? `Tick ${least}` : picked < least ? `Tick ${least} at least` : `Tick ${most} at most`;
    const wrong = picked < least || picked > most;
    said.textContent = wrong ? `${wanted}: ${picked || "none"} so far.` : "";
    if (wrong) {
      event.preventDefault();
      event.stopImmediatePropagation();
      said.scrollIntoView({ block: "nearest" });
      return;
    }
  }
}, { capture: true });
