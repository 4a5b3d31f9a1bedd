// What makes a page quicker to read; everything on it works without.
"use strict";

// Times in the reader's own zone.
for (const time of document.querySelectorAll("time[datetime]")) {
  const at = new Date(time.dateTime);
  if (time.dateTime.includes("T") && !Number.isNaN(at.getTime())) {
    time.title = time.textContent;
    time.textContent = at.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  }
}
