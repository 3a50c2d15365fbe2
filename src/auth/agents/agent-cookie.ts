/** What a session cookie depends on. */
export interface CookieScope {
  /** Whether the client uses https. */
  isSecure: boolean;
  /** The path of PUBLIC_URL; empty without one. */
  basePath: string;
}

/**
 * The name of the session cookie. Over https, other hosts, sibling domains, and plain http can't set it. Below a path, sibling domains
 * can, because `__Host-` requires `Path=/`. The name then has the path, so that a Parley at `/a/b` doesn't read the cookie of one at `/a`.
 */
export function cookieName({ isSecure, basePath }: CookieScope): string {
  const name = `parley${basePath.replaceAll('/', '+')}`;
  if (!isSecure) return name;
  return basePath === '' ? `__Host-${name}` : `__Secure-${name}`;
}

/** The token in a `Cookie` header; null without one. Only the cookie of this scope is read. */
export function readSessionCookie(header: string | undefined, scope: CookieScope): string | null {
  const start = `${cookieName(scope)}=`;
  const cookie = header?.split(';').find((part) => part.trimStart().startsWith(start));
  return cookie?.trim().slice(start.length) ?? null;
}

export function sessionCookie(token: string, expiresAt: Date, scope: CookieScope): string {
  return `${cookieName(scope)}=${token}; Expires=${expiresAt.toUTCString()}${attributes(scope)}`;
}

/** The `Set-Cookie` header that removes the session cookie. */
export function endedSessionCookie(scope: CookieScope): string {
  return sessionCookie('', new Date(0), scope);
}

function attributes({ isSecure, basePath }: CookieScope): string {
  return `; Path=${basePath}/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
}
