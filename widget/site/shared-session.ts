import type { Kept } from '../client/store.js';
import type { VisitorStorage } from '../client/types.js';
import { forgetWords } from '../panel/lib/tab-storage.js';

/** As long as a session. */
const MAX_AGE_SECONDS = 30 * 24 * 60 * 60;
/** The cookie's value after a sign-out. Without it, another subdomain would continue the session in its own storage. */
const SIGNED_OUT = '-';

/**
 * `localStorage`, with a copy of the session in a cookie that all subdomains of the domain share. A change by another subdomain
 * becomes a `storage` event, as if another tab had made it.
 * @param key the session's; other keys stay on their own subdomain
 */
export function shareSession(domain: string, key: string): VisitorStorage {
  const name = key.replace(':', '-');
  const read = () => {
    const found = document.cookie.split('; ').find((cookie) => cookie.startsWith(`${name}=`));
    return found && decodeURIComponent(found.slice(name.length + 1));
  };
  const write = (value: string, seconds: number) => {
    const secure = location.protocol === 'https:' ? ';secure' : '';
    document.cookie = `${name}=${encodeURIComponent(value)};domain=${domain};path=/;max-age=${seconds};samesite=lax${secure}`;
  };
  const copy = (value: string) => {
    write(value, MAX_AGE_SECONDS);
    // The browser refused it: without a cookie, each subdomain has its own session; with an old one, this page would lose its own.
    if (read() !== value) write('', 0);
  };
  /** Takes over what another subdomain has written. */
  const adopt = () => {
    const shared = read();
    const before = localStorage.getItem(key);
    if (shared === undefined || shared === before) return;
    if (shared === SIGNED_OUT) localStorage.removeItem(key);
    else localStorage.setItem(key, shared);
    if (before === null) return;
    const { sub } = parse(before);
    if (shared === SIGNED_OUT || (sub && sub !== parse(shared).sub)) forget(key);
    const newValue = shared === SIGNED_OUT ? null : shared;
    setTimeout(() => dispatchEvent(new StorageEvent('storage', { key, oldValue: before, newValue })));
  };
  adopt();
  const own = localStorage.getItem(key);
  if (own !== null) copy(own);
  watch(adopt);
  return {
    getItem(wanted) {
      if (wanted === key) adopt();
      return localStorage.getItem(wanted);
    },
    setItem(wanted, value) {
      if (wanted === key) copy(value);
      localStorage.setItem(wanted, value);
    },
    removeItem(wanted) {
      if (wanted === key) copy(SIGNED_OUT);
      localStorage.removeItem(wanted);
    },
  };
}

// A page without https has no `cookieStore`, and neither has an older browser: it checks when the visitor comes back to it.
function watch(adopt: () => void): void {
  const { cookieStore } = globalThis as { cookieStore?: EventTarget };
  cookieStore?.addEventListener('change', adopt);
  document.addEventListener('visibilitychange', adopt);
}

/** What a person wrote on this subdomain isn't for the next one. */
function forget(key: string): void {
  for (const name of [`${key}:outbox`, 'parley:emitted']) localStorage.removeItem(name);
  forgetWords();
}

function parse(text: string): Kept {
  try {
    return (JSON.parse(text) as Kept | null) ?? {};
  } catch {
    return {};
  }
}
