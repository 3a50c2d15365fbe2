import type { IncomingMessage } from 'node:http';

/** How the service is reached. */
interface ServiceAddress {
  publicUrl: string | undefined;
  /** Whether the client came by https. */
  isSecure: boolean;
}

/**
 * Whether a browser says that a request comes from a page of our own origin (CONTRACT section 7): `Sec-Fetch-Site` is
 * `same-origin`, and `Origin` has the host of the request or is the origin of PUBLIC_URL. When both are there, both must
 * hold. Over https a page of http with our host is another origin; `Sec-Fetch-Site`, where it is sent, has decided that.
 * @returns null when neither header is there: the client is no browser
 */
export function isOwnOrigin({ headers }: IncomingMessage, { publicUrl, isSecure }: ServiceAddress): boolean | null {
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  if (site === undefined && origin === undefined) return null;
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  if (publicUrl !== undefined && from.origin === new URL(publicUrl).origin) return true;
  const needsHttps = isSecure && site === undefined;
  return from.host !== '' && from.host === headers.host && (!needsHttps || from.protocol === 'https:');
}
