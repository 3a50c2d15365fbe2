// Every list ends with an id that this service made.
const OWN_ID = /^[a-z]{3}_[0-9a-z]{26}$/;

/** The opaque form of the last id of a page. */
export function encodeCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/** The id in a cursor; undefined when this service did not make the cursor. */
export function decodeCursor(cursor: string): string | undefined {
  const id = Buffer.from(cursor, 'base64url').toString();
  return OWN_ID.test(id) && encodeCursor(id) === cursor ? id : undefined;
}
