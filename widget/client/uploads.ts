import { COMPLETE_TIMEOUT_MS, type UploadApi, uploadNamed, type UploadOptions } from '../../headless/files/upload.js';
import type { CoreClient, Message, MessageFile, SendOptions, VisitorClient } from './types.js';

export type { UploadOptions } from '../../headless/files/upload.js';

/** The service takes four bodies of a visitor at a time, from all tabs. */
const AT_A_TIME = 2;

function apiOf({ post }: Pick<CoreClient, 'post'>): UploadApi {
  return {
    start: (body) => post('uploads', body),
    complete: async (id) =>
      (await post<{ file: MessageFile }>(`uploads/${id}/complete`, {}, undefined, COMPLETE_TIMEOUT_MS)).file,
    remove: (id) => post(`uploads/${id}`, undefined, 'DELETE'),
  };
}

/** Uploads a file into the visitor's chat. What the service refuses in a name becomes `_`. @throws RequestError */
export function uploadInto(
  client: Pick<CoreClient, 'post'>,
  chatId: string,
  file: Blob,
  options?: UploadOptions,
): Promise<MessageFile> {
  return uploadNamed(apiOf(client), chatId, file, options);
}

/** Removes an upload that no message has. @throws RequestError conflict if one has it */
export async function removeUpload(client: Pick<CoreClient, 'post'>, id: string): Promise<void> {
  await client.post(`uploads/${id}`, undefined, 'DELETE');
}

/** A file of the visitor's chats with a fresh `url`: an address is valid for an hour or two. Rejects with a VisitorError. */
export async function renewFile(client: Pick<CoreClient, 'post'>, id: string): Promise<MessageFile> {
  return (await client.post<{ file: MessageFile }>(`files/${encodeURIComponent(id)}`)).file;
}

/**
 * Uploads up to 10 files into the open chat, or into a new one, and sends them as one message. If one is refused, none is sent.
 * Rejects with a VisitorError.
 */
export async function sendFiles(
  client: VisitorClient,
  files: readonly Blob[],
  {
    content = '',
    onProgress,
    signal,
    ...options
  }: Omit<SendOptions, 'files'> & UploadOptions & { content?: string } = {},
): Promise<Message> {
  const { id } = client.chat.value ?? (await client.openChat());
  const ending = new AbortController();
  const end = () => ending.abort();
  signal?.addEventListener('abort', end);
  if (signal?.aborted) end();
  const sent = files.map(() => 0);
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const uploaded: MessageFile[] = [];
  const waiting = [...files.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, file] = next;
      const tell = (bytes: number) => {
        sent[index] = bytes;
        onProgress?.(
          sent.reduce((sum, part) => sum + part, 0),
          total,
        );
      };
      uploaded[index] = await client.upload(id, file, { onProgress: tell, signal: ending.signal });
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
  } catch (error) {
    end();
    for (const file of uploaded) if (file) void removeUpload(client, file.id).catch(() => undefined);
    throw error;
  } finally {
    signal?.removeEventListener('abort', end);
  }
  return client.send(content, { ...options, files: uploaded });
}
