import type { Kept, TabStorage } from '../../client/store.js';
import type { VisitorStorage } from '../../client/types.js';
import type { Host } from '../../types.js';
import { forgetWords, recall, remember } from './tab-storage.js';

/**
 * Returns the storage of a page's visitor. If the site names its visitors with `data-identity`, and this page names none, the visitor has
 * signed out of the site: the tab then has its own, and doesn't show the signed-in person's chat or words. That the site does so is kept
 * with the session, which subdomains may share.
 */
export function storageOf(host: Host): VisitorStorage | undefined {
  const { identity, widgetKey } = host;
  const key = `parley:${widgetKey}`;
  try {
    const storage = host.storage ?? localStorage;
    const kept = JSON.parse(storage.getItem(key) ?? '{}') as Kept & { isNamed?: boolean };
    if (identity) {
      const isNamed = document.querySelector<HTMLElement>('script[data-identity]')?.dataset.identity === identity;
      if (isNamed !== !!kept.isNamed) storage.setItem(key, JSON.stringify({ ...kept, isNamed }));
      remember('guest', '');
    } else if (identity === null) {
      // There is no session to end.
      if (!kept.token) host.identity = undefined;
    } else if (kept.isNamed && kept.sub) {
      if (!recall('guest')) forgetWords();
      remember('guest', '1');
      return guestStorage(host, key, storage);
    }
  } catch {
    // The browser stores nothing.
  }
  return host.storage;
}

/** The tab's storage, until the page signs out: what is read and removed next is the whole browser's. */
function guestStorage(host: Host, key: string, whole: VisitorStorage): VisitorStorage {
  const guest: Required<TabStorage> = {
    used: sessionStorage,
    getItem: (name) => guest.used.getItem(name),
    setItem: (name, value) => guest.used.setItem(name, value),
    removeItem(name) {
      guest.used.removeItem(name);
      if (name === key && host.identity === null) guest.used = whole;
    },
  };
  return guest;
}
