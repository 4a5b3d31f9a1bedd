// Witnessing in a browser: a key that never leaves it, the last head that it saw, and a signature on the next.
// Notes, keys and signatures are read by verify.js, the script of verify.html.
"use strict";

{
  const NAME = /^[^\s+/\\:]{1,60}$/u;
  const place = document.querySelector("[data-witness]");
  const part = (name) => place.querySelector(`[data-${name}]`);
  const say = (name, text) => {
    const at = part(name);
    at.textContent = text;
    at.hidden = !text;
  };
  const api = `/v1/campaigns/${encodeURIComponent(document.body.dataset.campaign)}/audit`;

  // What this browser keeps: its key, which no script can read, and the last head of each log that it saw.
  const kept = (mode, work) =>
    new Promise((done, failed) => {
      const opening = indexedDB.open("arbitrator-witness", 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore("kept");
      opening.onerror = () => failed(opening.error);
      opening.onsuccess = () => {
        const asked = work(opening.result.transaction("kept", mode).objectStore("kept"));
        asked.onsuccess = () => done(asked.result);
        asked.onerror = () => failed(asked.error);
      };
    });
  const get = (name) => kept("readonly", (store) => store.get(name));
  const put = (name, value) => kept("readwrite", (store) => store.put(value, name));

  const ask = async (path, accept = "application/json") => {
    const answer = await fetch(api + path, { headers: { Accept: accept }, cache: "no-store" });
    if (!answer.ok) throw new Error((await answer.json()).detail);
    return accept === "text/plain" ? answer.text() : answer.json();
  };

  const publicHalf = async (pair) => new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
  const wordOf = async (mine) => {
    const material = joined(Uint8Array.of(WITNESS), await publicHalf(mine.pair));
    const id = (await sha256(utf8.encode(mine.name + "\n"), material)).slice(0, 4);
    return { id, word: `${mine.name}+${hex(id)}+${base64(material)}` };
  };

  async function myKey() {
    const known = await get("key");
    if (known) return known;
    const name = part("name").value.trim();
    if (!NAME.test(name)) throw new Error("Give your key a name: one word, without + and slashes.");
    const pair = await crypto.subtle.generateKey({ name: "Ed25519" }, false, ["sign", "verify"]);
    await put("key", { name, pair });
    return { name, pair };
  }

  // RFC 9162, 2.1.4.2: whether the log under one head begins with the log under another.
  async function continues(old, oldRoot, size, root, path) {
    if (old === size) return path.length === 0 && same(oldRoot, root);
    const steps = (old & (old - 1)) === 0 ? [oldRoot, ...path] : [...path];
    if (!steps.length) return false;
    let fn = old - 1, sn = size - 1;
    while (fn & 1) { fn >>= 1; sn >>= 1; }
    let fr = steps[0], sr = steps[0];
    const node = (left, right) => sha256(Uint8Array.of(1), left, right);
    for (const step of steps.slice(1)) {
      if (sn === 0) return false;
      if (fn & 1 || fn === sn) {
        fr = await node(step, fr);
        sr = await node(step, sr);
        while (!(fn & 1) && fn !== 0) { fn >>= 1; sn >>= 1; }
      } else sr = await node(sr, step);
      fn >>= 1;
      sn >>= 1;
    }
    return sn === 0 && same(fr, oldRoot) && same(sr, root);
  }

  class Diverged extends Error {
    constructor(message, notes) { super(message); this.notes = notes; }
  }

  async function checked(note, head) {
    const statements = (await ask("/key")).keys.map((key) => ({ kind: "key", note: key.statement }));
    const campaign = fields(readNote(statements[0].note), "campaign-tracker/key/1").campaign[0];
    const keys = await chainOfKeys(statements, campaign);
    const given = part("vkey").value.trim(), seen = await get(`seen:${head.origin}`);
    const pinned = given ? await readKey(given) : seen ? await readKey(seen.vkey) : keys[0].key;
    const signer = await signerOf(head, keys);
    if (!trustedKeys(keys, [pinned]).has(signer)) throw new Error("It is not signed with the key that you know. Ask the Arbitrator.");
    if (!seen) return signer;
    const before = readHead(readNote(seen.note)), both = [seen.note, note.written];
    if (head.size < before.size) throw new Diverged(`You have seen a head over ${before.size} events, and this covers ${head.size}: the end was cut off, or a backup was put back.`, both);
    let path = [];
    if (head.size > before.size) {
      const proof = (await ask(`/consistency?from=${before.size}&to=${head.size}`, "text/plain")).trim().split("\n");
      if (proof[1] !== `old ${before.size}` || proof[2] !== `new ${head.size}`) throw new Error("That is no proof that the log continues what you have seen.");
      path = proof.slice(3).map(exact);
    }
    if (!await continues(before.size, before.root, head.size, head.root, path)) throw new Diverged(`This log does not begin with what you have seen: ${before.size} events then, ${head.size} now. Keep both notes.`, both);
    return signer;
  }

  async function witness() {
    const newest = (await ask("/heads")).heads.at(-1);
    if (!newest) throw new Error("No head was signed yet. The Arbitrator signs one.");
    const note = readNote(newest.note), head = readHead(note);
    const mine = await myKey(), { id, word } = await wordOf(mine);
    say("key", word);
    const vkey = await checked(note, head);
    const time = new Uint8Array(8), seconds = Math.floor(Date.now() / 1000);
    new DataView(time.buffer).setBigUint64(0, BigInt(seconds));
    const message = utf8.encode(`cosignature/v1\ntime ${seconds}\n${note.text}`);
    const given = new Uint8Array(await crypto.subtle.sign({ name: "Ed25519" }, mine.pair.privateKey, message));
    const line = `\u2014 ${mine.name} ${base64(joined(id, time, given))}\n`;
    await put(`seen:${head.origin}`, { vkey, note: note.written }); // before anybody has the signature
    const answer = await fetch(`${api}/cosignatures`, {
      method: "POST",
      headers: { "Content-Type": "text/plain", Accept: "application/json" },
      body: note.written + line,
    });
    const said = await answer.json();
    if (!answer.ok) throw new Error(said.detail);
    return `Witnessed: ${head.size} events, by ${said.witnesses.length} of ${said.wanted} wanted witnesses.`;
  }

  if (place && window.isSecureContext) {
    place.hidden = false;
    const button = place.querySelector("button");
    get("key").then(async (mine) => {
      if (!mine) return;
      part("name").value = mine.name;
      part("name").readOnly = true;
      say("key", (await wordOf(mine)).word);
    });
    button.addEventListener("click", async () => {
      button.disabled = true;
      for (const name of ["done", "refused", "evidence"]) say(name, "");
      try {
        say("done", await witness());
      } catch (wrong) {
        say("refused", wrong.message);
        say("evidence", (wrong.notes ?? []).join("\n"));
      } finally {
        button.disabled = false;
      }
    });
  }
}
