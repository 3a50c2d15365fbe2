import type { EntityManager } from 'typeorm';
import type { Viewer } from '../../chats/model/chat-rights.js';
import type { StoredFile } from '../../files/file.js';
import { removeFiles } from '../../files/removals.queries.js';
import { useFiles } from '../../files/used-files.js';

const FIND =
  'SELECT note.files FROM notes note WHERE note.organization_id = $1 AND note.chat_id = $2 AND note.id = $3 FOR NO KEY UPDATE';
const SET = 'UPDATE notes SET files = $4 WHERE organization_id = $1 AND chat_id = $2 AND id = $3';

/**
 * Gives a note exactly these files, in the transaction `tx`, which has locked its chat. Its other files are
 * removed (CONTRACT: Uploads).
 * @throws Problem validation_failed at `/files/{index}`
 */
export async function setNoteFiles(
  tx: EntityManager,
  { organizationId, agentId }: Viewer,
  chatId: string,
  id: string,
  fileIds: readonly string[],
): Promise<void> {
  const [note]: { files: StoredFile[] | null }[] = await tx.query(FIND, [organizationId, chatId, id]);
  const own = new Map((note?.files ?? []).map((file) => [file.id, file]));
  const files: StoredFile[] = [];
  const sender = { organizationId, type: 'AGENT', id: agentId } as const;
  for (const [index, fileId] of fileIds.entries())
    files.push(own.get(fileId) ?? (await useFiles(tx, sender, chatId, [fileId], id, index))[0]!);
  if ([...own.keys()].some((fileId) => !fileIds.includes(fileId)))
    await removeFiles(tx, organizationId, { ofNote: id, chatId, except: fileIds });
  await tx.query(SET, [organizationId, chatId, id, files.length === 0 ? null : JSON.stringify(files)]);
}
