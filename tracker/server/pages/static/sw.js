// Keeps the pages of gangs and of battles under way that were seen, for a table without a network. The network always comes first;
// signing out, or no longer being let in, takes everything away.
"use strict";

const PAGES = "gangs-1";
const FILES = "files-1";
const GANG = /^\/campaigns\/[^/]+\/(gangs\/[^/]+|record\/[^/]+\/board)$/;

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name !== PAGES && name !== FILES) await caches.delete(name);
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== self.location.origin) return;
  if (url.pathname === "/sign-out") event.waitUntil(caches.delete(PAGES));
  else if (request.method !== "GET") return;
  else if (url.pathname.startsWith("/static/")) event.respondWith(file(request));
  else if (request.mode === "navigate" && GANG.test(url.pathname) && !url.search) event.respondWith(page(request));
});

async function file(request) {
  const kept = await caches.open(FILES);
  const known = await kept.match(request, { ignoreVary: true });
  if (known) return known;
  const answer = await fetch(request);
  if (answer.ok) await kept.put(request, answer.clone());
  return answer;
}

async function page(request) {
  const kept = await caches.open(PAGES);
  let answer;
  try {
    answer = await fetch(request);
  } catch (lost) {
    const known = await kept.match(request, { ignoreVary: true });
    if (known) return known;
    throw lost;
  }
  if (answer.ok && !answer.redirected) await kept.put(request, answer.clone());
  else if ([401, 403, 404, 410].includes(answer.status)) await caches.delete(PAGES);
  return answer;
}
