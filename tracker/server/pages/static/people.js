// Copies and shares a link that was made, and sends a form that makes something once. All works without, by hand.
"use strict";

{
  const said = document.querySelector("[data-copied]");

  for (const button of document.querySelectorAll("[data-copy]")) {
    const field = document.getElementById(button.dataset.copy);
    button.hidden = false;
    button.addEventListener("click", async () => {
      field.select();
      let done = false;
      try {
        await navigator.clipboard.writeText(field.value);
        done = true;
      } catch {
        done = document.execCommand("copy"); // where the browser gives no clipboard to pages
      }
      said.textContent = done ? "Copied." : "Selected: copy it by hand.";
    });
  }

  for (const button of document.querySelectorAll("[data-share]")) {
    if (!navigator.share) continue;
    const field = document.getElementById(button.dataset.share);
    button.hidden = false;
    button.addEventListener("click", () => {
      navigator.share({ title: button.dataset.words, text: button.dataset.words, url: field.value }).catch(() => {});
    });
  }

  // A second tap while the first is on its way makes no second link and no second campaign.
  for (const form of document.querySelectorAll("form[data-once]")) {
    let sent = false;
    form.addEventListener("submit", (event) => {
      if (sent) event.preventDefault();
      sent = true;
    });
    addEventListener("pageshow", () => { sent = false; });
  }
}
