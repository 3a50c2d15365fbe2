/** What a page reports while someone works in it. */
export type Entry = Typed | Asked;

/** Characters that a field took. */
export interface Typed {
  type: 'typed';
  words: string;
  place: Place;
}

/** A request that changes something. */
export interface Asked {
  type: 'asked';
  method: string;
  path: string;
  /** For how long the page has shown each chat, or had shown it when it left, in milliseconds, by the visitor's name. */
  shown: Record<string, number>;
  /** For how long the page has shown each offer, in milliseconds, by its id. */
  offered: Record<string, number>;
}

/** Where words belong: the chat, by its visitor's name, and what they become. */
export interface Place {
  name: string;
  kind: 'message' | 'note' | 'title';
}

/** The words of the tests are in these letters, so that each piece of one is found again. */
export const LETTERS = /[\uac00-\ud7a3]/g;

/** Runs in the page before its own scripts, and calls `record`, which the test provides. */
export const RECORDER = `(() => {
  const nameOf = () => document.querySelector('.chat-head h1')?.textContent ?? '';
  const kindOf = (field) => {
    if (field?.matches?.('input.chat-title')) return 'title';
    const form = field?.matches?.('textarea') && field.closest('.composer');
    return form ? (form.classList.contains('is-note') ? 'note' : 'message') : null;
  };
  window.lookAround = () => {
    const kind = kindOf(document.activeElement);
    const hasDialog = document.querySelector('dialog[open]') !== null;
    const told = [...document.querySelectorAll('.notice')].map(({ textContent }) => textContent);
    const chosen = [...document.querySelectorAll('.row-check:checked')].map((box) => box.getAttribute('aria-label').replace('Select ', ''));
    return { name: nameOf(), kind, hasDialog, told, chosen };
  };
  addEventListener('input', ({ data, target }) => {
    if (!/[\\uac00-\\ud7a3]/.test(data ?? '')) return;
    record({ type: 'typed', words: data, place: { name: nameOf(), kind: kindOf(target) } });
  }, true);

  const shown = new Map();
  let current = { name: '', state: '', since: performance.now() };
  const offers = new Map();
  const watch = () => {
    const offer = document.querySelector('.offer .words')?.id.replace('about-', '');
    if (offer && !offers.has(offer)) offers.set(offer, performance.now());
    const name = nameOf();
    const state = name + (document.querySelector('.chat-head .status')?.textContent ?? '');
    if (state === current.state) return;
    const now = performance.now();
    if (current.name) shown.set(current.name, now - current.since);
    current = { name, state, since: now };
  };
  const begin = () => new MutationObserver(watch).observe(document.documentElement, {
    subtree: true, childList: true, characterData: true,
  });
  document.documentElement ? begin() : addEventListener('DOMContentLoaded', begin);
  const { fetch: send } = window;
  window.fetch = (url, options = {}) => {
    const { method = 'GET' } = options;
    if (method !== 'GET') {
      watch();
      const all = { ...Object.fromEntries(shown), [current.name]: performance.now() - current.since };
      const offered = Object.fromEntries([...offers].map(([id, since]) => [id, performance.now() - since]));
      record({ type: 'asked', method, path: new URL(url, location.href).pathname, shown: all, offered });
    }
    return send(url, options);
  };
})()`;
