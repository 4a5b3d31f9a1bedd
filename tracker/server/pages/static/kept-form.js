// What a form keeps to that is sent by itself as it is filled in: only pages with such a form load it, before htmx.
"use strict";

{
  // A page that a browser took from its memory shows what stood there once: what is kept there by itself is asked for again.
  addEventListener("pageshow", (event) => {
    if (event.persisted && document.querySelector("form[hx-replace-url]")) location.reload();
  });

  // A form that was sent by its button leads to another page: nothing of it is sent once more by itself, for what it is about may be done.
  document.addEventListener("submit", (event) => { if (!event.defaultPrevented) event.target.dataset.sent = ""; });
  addEventListener("pageshow", () => { for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent; });
  document.addEventListener("htmx:before:request", (event) => {
    if ("sent" in (event.detail.ctx.sourceElement.dataset ?? {})) event.preventDefault();
  });

  // What waited for another answer names the draft that this one began.
  document.addEventListener("htmx:before:request", (event) => {
    const { request, sourceElement } = event.detail.ctx;
    for (const field of sourceElement.querySelectorAll?.("[name=draft], [name=revision]") ?? []) request.body?.set(field.name, field.value);
  });

  // On a slow line people type before the scripts are there: what they typed counts as typed now. What a browser filled in again after
  // "back" or a reload is left alone.
  const asServed = (field) => {
    if (field.type === "checkbox" || field.type === "radio") return field.checked === field.defaultChecked;
    if (!field.options) return field.value === field.defaultValue;
    const options = [...field.options];
    return !options.some((option) => option.defaultSelected) || options.every((option) => option.selected === option.defaultSelected);
  };
  document.addEventListener("htmx:after:process", () => {
    if (performance.getEntriesByType("navigation")[0]?.type !== "navigate") return;
    for (const form of document.querySelectorAll("form[hx-trigger^=change]")) {
      [...form.querySelectorAll("input, select, textarea")].find((field) => !asServed(field))?.dispatchEvent(new Event("change", { bubbles: true }));
    }
  }, { once: true });

  // What is refused has no address of its own.
  document.addEventListener("htmx:before:history:update", (event) => {
    if (event.detail.response?.status >= 400) event.preventDefault();
  });

  // Chromium 156 closes the tab when rows are moved with moveBefore and the field with the focus goes with them, as where an emptied
  // row leaves one field less than there was. Without it rows are moved the older way.
  delete Element.prototype.moveBefore;
}
