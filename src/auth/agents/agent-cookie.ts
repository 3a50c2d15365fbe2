/** The cookie of a session over https: no other host, no sibling domain and no plain http can set it. */
const SECURE_NAME = '__Host-parley';
const PLAIN_NAME = 'parley';

function nameOf(isSecure: boolean): string {
  return isSecure ? SECURE_NAME : PLAIN_NAME;
}

/** The token in a `Cookie` header; null without one. Over https, only `__Host-parley` is read. */
export function readSessionCookie(header: string | undefined, isSecure: boolean): string | null {
  const start = `${nameOf(isSecure)}=`;
  const cookie = header?.split(';').find((part) => part.trimStart().startsWith(start));
  return cookie?.trim().slice(start.length) ?? null;
}

/** The `Set-Cookie` of a session. */
export function sessionCookie(token: string, expiresAt: Date, isSecure: boolean): string {
  return `${nameOf(isSecure)}=${token}; Expires=${expiresAt.toUTCString()}${attributes(isSecure)}`;
}

/** The `Set-Cookie` that removes the cookie of a session. */
export function endedSessionCookie(isSecure: boolean): string {
  return sessionCookie('', new Date(0), isSecure);
}

function attributes(isSecure: boolean): string {
  return `; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
}
