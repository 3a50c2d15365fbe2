import type { IncomingMessage } from 'node:http';

/** How the service is reached. */
interface ServiceAddress {
  publicUrl: string | undefined;
  /** Whether the client uses https. */
  isSecure: boolean;
}

/**
 * Whether a browser reports that a request comes from our own origin (CONTRACT: Signing in): `Sec-Fetch-Site` is `same-origin`,
 * and `Origin` has the request's host or is the origin of PUBLIC_URL. If both headers are sent, both must hold. A page with our host
 * but another scheme is another origin, which `Sec-Fetch-Site` detects if the browser sends it.
 * @returns null without either header, because the client isn't a browser
 */
export function isOwnOrigin({ headers }: IncomingMessage, { publicUrl, isSecure }: ServiceAddress): boolean | null {
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  if (site === undefined && origin === undefined) return null;
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin === undefined) return true;
  // Browsers send a serialized origin, which has no user name and no path.
  if (!URL.canParse(origin) || new URL(origin).origin !== origin) return false;
  const from = new URL(origin);
  if (publicUrl !== undefined && from.origin === new URL(publicUrl).origin) return true;
  const isSameScheme = from.protocol === (isSecure ? 'https:' : 'http:');
  return from.host === headers.host && (isSameScheme || site !== undefined);
}
