import { randomUUID } from 'node:crypto';
import { openStore } from '../files/files.js';
import { type Check, ok, warning } from './check.js';

const CORS = 'files from browsers';
const TIMEOUT_MS = 10_000;
/** A page of any organization: which sites embed the widget is no setting of the store. */
const SITE = 'https://site.example';

/** Asks the store whether browsers may upload from any site, as they ask before an upload. Nothing is stored. */
export async function tryCors(environment: NodeJS.ProcessEnv): Promise<Check> {
  const store = openStore(environment);
  try {
    const address = (await store.uploadAddress(`doctor/incoming/${randomUUID()}`, 1))!;
    // Browsers add the type of what they send.
    const names = [...new Set(['content-type', ...Object.keys(address.headers).map((name) => name.toLowerCase())])];
    const missing = missingIn(await ask(address.url, names), names);
    if (missing.length === 0) return ok(CORS, 'the store lets browsers upload from any site');
    return warning(
      CORS,
      `the store's CORS rules lack ${missing.join(', ')}`,
      'allow PUT, GET, and HEAD from * with all headers (docs/operate/files.md); until then visitors and agents can not upload',
    );
  } finally {
    store.close();
  }
}

function ask(url: string, headers: readonly string[]): Promise<Response> {
  const wanted = { 'Access-Control-Request-Method': 'PUT', 'Access-Control-Request-Headers': headers.join(',') };
  return fetch(url, {
    method: 'OPTIONS',
    headers: { Origin: SITE, ...wanted },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

/** What an answer to a preflight request lacks. */
function missingIn({ ok: isOk, headers }: Response, names: readonly string[]): string[] {
  const listOf = (name: string) =>
    (headers.get(name) ?? '')
      .toLowerCase()
      .split(',')
      .map((one) => one.trim());
  const origin = headers.get('access-control-allow-origin');
  const [methods, allowed] = [listOf('access-control-allow-methods'), listOf('access-control-allow-headers')];
  const has = (list: readonly string[], name: string) => list.includes('*') || list.includes(name);
  return [
    ...(isOk && (origin === '*' || origin === SITE) ? [] : ['the origin *']),
    ...(has(methods, 'put') ? [] : ['the method PUT']),
    ...names.filter((name) => !has(allowed, name)).map((name) => `the header ${name}`),
  ];
}
