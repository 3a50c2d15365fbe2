/** A scanner, as FILE_SCAN_URL names it. */
export interface ScanUrl {
  isClamd: boolean;
  url: URL;
}

const SCAN_FORM = 'must be clamd://HOST:PORT or an http or https address';

/** @throws Error whose message says what's wrong, and never the value */
export function parseScanUrl(text: string): ScanUrl {
  if (!URL.canParse(text)) throw new Error(SCAN_FORM);
  const url = new URL(text);
  if (url.hostname === '' || url.hash !== '') throw new Error(SCAN_FORM);
  if (url.protocol === 'http:' || url.protocol === 'https:') return { isClamd: false, url };
  const isPlain = /^\/?$/.test(url.pathname) && url.search === '' && url.username === '' && url.password === '';
  if (url.protocol !== 'clamd:' || url.port === '' || !isPlain) throw new Error(SCAN_FORM);
  return { isClamd: true, url };
}

/** Says why a text isn't an http(s) address of a host alone; null if it is. */
export function findOriginFault(value: unknown): string | null {
  const form = 'must be an http or https address without user, path, query, and fragment';
  const text = String(value);
  if (!/^https?:\/\/[^/?#@]+\/?$/i.test(text) || !URL.canParse(text)) return form;
  return null;
}
