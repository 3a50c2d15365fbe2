/** The longest origin, in characters: a scheme, the longest host name and a port are shorter. */
export const MAX_ORIGIN_LENGTH = 300;

/** Whether a value is the origin of a web page, as browsers send it. */
export function isOrigin(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MAX_ORIGIN_LENGTH) return false;
  return /^https?:/.test(value) && URL.canParse(value) && new URL(value).origin === value;
}
