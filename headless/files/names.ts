import type { Message } from '../types.js';

/** The names of a message's files, for where they aren't shown. */
export function namesOf({ files = [] }: Pick<Message, 'files'>): string {
  return files.map(({ name }) => name).join(', ');
}
