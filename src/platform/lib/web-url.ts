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

const PICTURE_PATH = /\/files\/(upl_[0-9a-z]{26})\/picture$/;

/** The id of the file in the address of a picture that Parley serves, under any origin; null for another address. */
export function pictureIdOf(address: string): string | null {
  return PICTURE_PATH.exec(address)?.[1] ?? null;
}
