// Passkeys: the service's challenge to the browser, and the browser's answer back.
"use strict";

{
  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  const text = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

  const post = async (path, body) => {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify(body),
    });
    const said = await answer.json();
    if (!answer.ok) throw new Error(said.detail);
    return said;
  };

  const register = async () => {
    const options = await post("/account/passkeys/begin", {});
    options.challenge = bytes(options.challenge);
    options.user.id = bytes(options.user.id);
    options.excludeCredentials = (options.excludeCredentials ?? []).map((key) => ({ ...key, id: bytes(key.id) }));
    const made = await navigator.credentials.create({ publicKey: options });
    await post("/account/passkeys/finish", {
      credential: {
        id: made.id,
        rawId: text(made.rawId),
        type: made.type,
        response: {
          clientDataJSON: text(made.response.clientDataJSON),
          attestationObject: text(made.response.attestationObject),
          transports: made.response.getTransports?.() ?? [],
        },
      },
    });
    location.reload();
  };

  const signIn = async () => {
    const options = await post("/sign-in/passkey/begin", {});
    options.challenge = bytes(options.challenge);
    options.allowCredentials = [];
    const given = await navigator.credentials.get({ publicKey: options });
    await post("/sign-in/passkey/finish", {
      credential: {
        id: given.id,
        rawId: text(given.rawId),
        type: given.type,
        response: {
          clientDataJSON: text(given.response.clientDataJSON),
          authenticatorData: text(given.response.authenticatorData),
          signature: text(given.response.signature),
          userHandle: given.response.userHandle ? text(given.response.userHandle) : null,
        },
      },
    });
    location.assign("/");
  };

  // What a browser says when somebody closed its dialogue is no fault of theirs, and tells them nothing.
  const words = (wrong) =>
    ({
      NotAllowedError: "The passkey was not given. Try again when you are ready.",
      InvalidStateError: "This device has a passkey for you here already. Sign in with it.",
      SecurityError: "This address keeps no passkeys. Open the service under its own name.",
    })[wrong.name] ?? wrong.message;

  for (const place of document.querySelectorAll("[data-passkey]")) {
    const button = place.querySelector("button");
    const refused = document.querySelector("[data-passkey-refused]");
    place.hidden = !window.PublicKeyCredential;
    button.addEventListener("click", async () => {
      button.disabled = true;
      refused.hidden = true;
      try {
        await (place.dataset.passkey === "register" ? register() : signIn());
      } catch (wrong) {
        refused.textContent = words(wrong);
        refused.hidden = false;
      } finally {
        button.disabled = false;
      }
    });
  }
}
