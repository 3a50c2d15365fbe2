/** Longer origins aren't shown: they're no host names. */
const MAX_ORIGIN_LENGTH = 300;

export function isRedirect(status: number | null): boolean {
  return status !== null && status >= 300 && status < 400;
}

/**
 * Describes a 3xx response in plain text. Of its `Location`, only the origin is shown, because the rest may contain secrets.
 * @param url the address of the request, which a relative `Location` is resolved against
 */
export function describeRedirect(status: number, url: string, location: string | null): string {
  const target = originOf(location, url);
  if (target === null) return `answered ${status}: redirects aren't followed`;
  const where = target === new URL(url).origin ? `within ${target}` : `to ${target}`;
  return `answered ${status}: a redirect ${where}, which isn't followed`;
}

function originOf(location: string | null, base: string): string | null {
  if (location === null || !URL.canParse(location, base)) return null;
  const { protocol, origin } = new URL(location, base);
  const isHttp = protocol === 'http:' || protocol === 'https:';
  return isHttp && origin.length <= MAX_ORIGIN_LENGTH ? origin : null;
}
