/** The session cookie over https. Other hosts, sibling domains, and plain http can't set it. */
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

export function sessionCookie(token: string, expiresAt: Date, isSecure: boolean): string {
  return `${nameOf(isSecure)}=${token}; Expires=${expiresAt.toUTCString()}${attributes(isSecure)}`;
}

/** The `Set-Cookie` header that removes the session cookie. */
export function endedSessionCookie(isSecure: boolean): string {
  return sessionCookie('', new Date(0), isSecure);
}

function attributes(isSecure: boolean): string {
  return `; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
}
