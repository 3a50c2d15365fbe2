import type { VisitorStorage } from '../../client/types.js';
import type { Host } from '../../types.js';

/**
 * Returns the storage of a page's visitor. If the site names its visitors with `data-identity`, and this page names none, the visitor has
 * signed out of the site: the tab then has its own, and doesn't show the signed-in person's chat.
 */
export function storageOf({ identity, storage, widgetKey }: Host): VisitorStorage | undefined {
  const key = `parley:${widgetKey}`;
  try {
    const script = document.querySelector<HTMLElement>('script[data-identity]');
    if (identity && script?.dataset.identity === identity) localStorage.setItem(`${key}:named`, '1');
    else if (identity) localStorage.removeItem(`${key}:named`);
    else if (localStorage.getItem(`${key}:named`) && localStorage.getItem(key)!.includes('"sub"'))
      return sessionStorage;
  } catch {
    // The browser stores nothing.
  }
  return storage;
}
