import type { EntityManager } from 'typeorm';
import { invalid } from '../platform/errors/problem.js';
import type { StoredFile, Uploader } from './file.js';
import { isShownInline } from './inspect/index.js';
import { claimFiles } from './uploads.queries.js';

type Sender = Pick<Uploader, 'organizationId' | 'type' | 'id'>;

/**
 * Gives files to a message or note, in its transaction, which has locked the chat. Of two that name the same file, one gets it.
 * @param firstIndex the place of the first of them in the request
 * @returns the files in the given order
 * @throws Problem validation_failed at `/files/{index}` for a file that isn't complete, the sender's, of this chat, and unused
 */
export async function useFiles(
  tx: EntityManager,
  sender: Sender,
  chatId: string,
  ids: readonly string[],
  usedBy: string,
  firstIndex = 0,
): Promise<StoredFile[]> {
  const claimed = new Map((await claimFiles(tx, sender, chatId, ids, usedBy)).map((file) => [file.id, file]));
  return ids.map((id, index) => {
    const file = claimed.get(id);
    if (!file)
      throw invalid(`/files/${firstIndex + index}`, 'must be the ID of a completed, unused file of yours in this chat');
    return file;
  });
}

/** @throws Problem validation_failed at `/files` for a message of type IMAGE without a picture that's shown inline */
export function requirePicture(files: readonly StoredFile[]): void {
  if (files.some(({ type }) => type.startsWith('image/') && isShownInline(type))) return;
  throw invalid('/files', 'must have a picture that is shown inline, for a message of type IMAGE');
}
