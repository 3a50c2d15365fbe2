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

/** A store that speaks the S3 API, as FILES_URL names it (CONTRACT: File storage). */
export interface StoreUrl {
  key: string;
  secret: string;
  bucket: string;
  region: string;
  /** Where requests go: the origin, with the bucket in its host if `isVirtual`. */
  origin: string;
  isVirtual: boolean;
}

const STORE_FORM = 'must be s3://KEY:SECRET@HOST[:PORT]/BUCKET[?region=REGION&style=path|virtual&tls=1|0]';
const BUCKET = /^\/[\w.-]{1,255}\/?$/;
const REGION = /^[\w-]{1,64}$/;
const STORE_PARAMETERS: Record<string, (value: string) => boolean> = {
  region: (value) => REGION.test(value),
  style: (value) => value === 'path' || value === 'virtual',
  tls: (value) => value === '1' || value === '0',
};

/** @throws Error whose message says what's wrong, and never the value */
export function parseStoreUrl(text: string): StoreUrl {
  if (!URL.canParse(text)) throw new Error(STORE_FORM);
  const url = new URL(text);
  const { searchParams: given } = url;
  const hasParts = url.hostname !== '' && url.username !== '' && url.password !== '' && BUCKET.test(url.pathname);
  if (url.protocol !== 's3:' || url.hash !== '' || !hasParts) throw new Error(STORE_FORM);
  const wrong = [...given].find(([name, value]) => !STORE_PARAMETERS[name]?.(value) || given.getAll(name).length > 1);
  if (wrong) throw new Error(STORE_FORM);
  const bucket = url.pathname.replaceAll('/', '');
  const isVirtual = given.get('style') === 'virtual';
  const scheme = given.get('tls') === '0' ? 'http' : 'https';
  return {
    key: decoded(url.username),
    secret: decoded(url.password),
    bucket,
    region: given.get('region') ?? 'us-east-1',
    origin: `${scheme}://${isVirtual ? `${bucket}.` : ''}${url.host}`,
    isVirtual,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error(STORE_FORM);
  }
}
