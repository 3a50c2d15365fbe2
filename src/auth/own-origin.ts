import type { IncomingMessage } from 'node:http';

/**
 * Whether a browser says that a request comes from a page of our own origin (CONTRACT section 7): `Sec-Fetch-Site` is
 * `same-origin`, and `Origin` has the host of the request or is the origin of PUBLIC_URL. When both are there, both must
 * hold.
 * @returns null when neither header is there: the client is no browser
 */
export function isOwnOrigin({ headers }: IncomingMessage, publicUrl: string | undefined): boolean | null {
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  if (site === undefined && origin === undefined) return null;
  return (
    (site === undefined || site === 'same-origin') && (origin === undefined || isOwn(origin, headers.host, publicUrl))
  );
}

function isOwn(origin: string, host: string | undefined, publicUrl: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const { host: from, origin: full } = new URL(origin);
  if (from === '') return false;
  return from === host || (publicUrl !== undefined && full === new URL(publicUrl).origin);
}
