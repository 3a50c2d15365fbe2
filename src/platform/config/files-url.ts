/** A store that speaks the S3 API, as FILES_URL names it. */
export interface FilesUrl {
  key: string;
  secret: string;
  /** The host, with its port if one was given. */
  host: string;
  bucket: string;
  region: string;
  /** Whether the bucket is part of the host. */
  isVirtual: boolean;
  protocol: 'https:' | 'http:';
}

const FORM = 'must be s3://KEY:SECRET@HOST[:PORT]/BUCKET[?region=…&style=path|virtual&tls=1|0]';
const BUCKET = /^\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/?$/;
const PARAMETERS: Record<string, RegExp> = {
  region: /^[A-Za-z0-9-]{1,64}$/,
  style: /^(?:path|virtual)$/,
  tls: /^[01]$/,
};

/** @throws Error whose message says what's wrong, and never the value */
export function parseFilesUrl(text: string): FilesUrl {
  if (!/^s3:\/\//i.test(text) || !URL.canParse(text)) throw new Error(FORM);
  const { username, password, host, pathname, searchParams, hash } = new URL(text);
  const bucket = BUCKET.exec(pathname)?.[1];
  if (username === '' || password === '' || host === '' || bucket === undefined || hash !== '') throw new Error(FORM);
  for (const [name, value] of searchParams) checkParameter(name, value, searchParams);
  return {
    key: decoded(username),
    secret: decoded(password),
    host,
    bucket,
    region: searchParams.get('region') ?? 'us-east-1',
    isVirtual: searchParams.get('style') === 'virtual',
    protocol: searchParams.get('tls') === '0' ? 'http:' : 'https:',
  };
}

function checkParameter(name: string, value: string, all: URLSearchParams): void {
  const form = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name] : undefined;
  if (!form) throw new Error('may have the parameters region, style, and tls only');
  if (!form.test(value) || all.getAll(name).length > 1) throw new Error(`has a wrong value of ${name}`);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error('must have KEY and SECRET in percent-encoding');
  }
}

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
