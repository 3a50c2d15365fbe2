/** Whether a text is a URL with one of these protocols, such as `https:`, and without a user name or a password. */
export function isWebUrl(text: string, ...protocols: string[]): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return protocols.includes(protocol) && username === '' && password === '';
}

/** An address or a path without the slashes at its end. Takes linear time. */
export function withoutTrailingSlashes(address: string): string {
  return address.replace(/(?<!\/)\/+$/, '');
}
