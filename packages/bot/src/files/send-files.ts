import type * as api from '../bot-api.js';
import { ParleyError } from '../errors.js';
import type { Api, Call } from '../transport/api.js';
import { type FileInput, ONE_REQUEST_BYTES, openFile, type OutgoingFile } from './file-input.js';

/** Until `complete` is answered, in milliseconds: the service takes up to 45 s. */
const COMPLETE_MS = 50_000;

type Shared = Pick<Call, 'signal' | 'traceparent'>;

/** Uploads files into a chat, one after the other. @returns their ids @throws TypeError or ParleyError that names the file */
export async function sendFiles(
  service: Api,
  chatId: string,
  files: readonly FileInput[],
  shared: Shared,
): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, input] of files.entries()) {
    const file = await openFile(input, `files[${index}]`);
    try {
      ids.push(await sendFile(service, chatId, file, shared));
    } catch (error) {
      if (error instanceof ParleyError) error.message = `files[${index}] (${file.name}): ${error.message}`;
      throw error;
    }
  }
  return ids;
}

async function sendFile(service: Api, chatId: string, file: OutgoingFile, shared: Shared): Promise<string> {
  const { name, size, body } = file;
  if (size <= ONE_REQUEST_BYTES) {
    const query = new URLSearchParams({ chatId, name });
    const call = { ...shared, bytes: body, size, patience: COMPLETE_MS };
    return (await service.call<api.CompletedFile>('POST', `/uploads?${query.toString()}`, call)).body.file.id;
  }
  const upload = { body: { chatId, name, size }, ...shared };
  const { body: started } = await service.call<api.StartedUpload>('POST', '/uploads', upload);
  await service.put(started, body, size, shared.signal);
  const path = `/uploads/${encodeURIComponent(started.id)}/complete`;
  await service.call('POST', path, { ...shared, body: {}, patience: COMPLETE_MS });
  return started.id;
}
