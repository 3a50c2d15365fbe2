import { backoff, jitter } from '../backoff.js';
import { hasCode, RequestError } from '../errors.js';
import type { MessageFile } from '../types.js';
import type { StartedUpload, StartUploadRequest } from '../visitor-api.js';
import { fileNameOf } from './file-name.js';
import { put } from './put.js';

/** The service answers `complete` within 45 s. */
export const COMPLETE_TIMEOUT_MS = 60_000;
/** A PUT may start this long after the upload's own start, in milliseconds (CONTRACT: Uploads). */
const WINDOW_MS = 15 * 60_000;
/** How often a request is repeated after an error response. A lost connection is retried until the window ends. */
const MAX_REPEATS = 6;
const REPEATED = ['unavailable', 'rate_limited', 'internal_error'];
const CANCELLED = new RequestError('interrupted', 'The upload was canceled');

/** The requests of an upload. Each rejects with a RequestError. */
export interface UploadApi {
  start(body: StartUploadRequest): Promise<StartedUpload>;
  complete(id: string): Promise<MessageFile>;
  remove(id: string): Promise<unknown>;
}

export interface UploadOptions {
  /** Called with the number of bytes that have been sent, and of all bytes. After a lost connection, it begins at 0 again. */
  onProgress?: (sent: number, total: number) => void;
  /** Cancels the upload: it rejects with `interrupted`, and its bytes are removed. */
  signal?: AbortSignal;
}

/**
 * Uploads the bytes of a file for a message of this chat. A lost connection is retried for up to 15 minutes.
 * @throws RequestError the service's, or `interrupted`, `unreachable`, `unreadable` (the file can't be read)
 */
async function uploadFile(
  api: UploadApi,
  { file, ...request }: Omit<StartUploadRequest, 'size'> & { file: Blob },
  options: UploadOptions = {},
): Promise<MessageFile> {
  const { signal } = options;
  const repeat = <T>(work: () => Promise<T>) => repeating(work, Date.now() + WINDOW_MS, signal);
  await checkReadable(file);
  const started = await repeat(() => api.start({ ...request, size: file.size }));
  try {
    if ((started.method as string) !== 'PUT')
      throw new RequestError('unknown_method', `The service wants uploads by ${String(started.method)}`);
    await repeat(() => put(started, file, options).catch((error: unknown) => afterPut(error, file)));
    return await repeat(() => api.complete(started.id));
  } catch (error) {
    // The service removes it after a day; until then it would count.
    void api.remove(started.id).catch(() => undefined);
    throw error;
  }
}

/** Uploads a file under its own name. What the service refuses in a name becomes `_`. @throws RequestError as `uploadFile` */
export function uploadNamed(api: UploadApi, chatId: string, file: Blob, options?: UploadOptions): Promise<MessageFile> {
  const name = fileNameOf(file instanceof File ? file.name : 'file');
  return uploadFile(api, { chatId, name, type: file.type.slice(0, 255), file }, options);
}

/** A file that was moved or changed on the disk fails as if the connection was lost. */
async function afterPut(error: unknown, file: Blob): Promise<void> {
  if (hasCode(error, 'unreachable')) await checkReadable(file);
  // 403 has many reasons. The bytes may even have arrived: `complete` says what's wrong.
  if (!hasCode(error, 'forbidden')) throw error;
}

/** @throws RequestError unreadable for a folder, or a file that was moved or changed */
async function checkReadable(file: Blob): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch (error) {
    throw new RequestError('unreadable', String((error as Error).message));
  }
}

async function repeating<T>(work: () => Promise<T>, until: number, signal?: AbortSignal): Promise<T> {
  for (let failures = 0; ; failures++) {
    if (signal?.aborted) throw CANCELLED;
    try {
      return await work();
    } catch (error) {
      if (signal?.aborted) throw CANCELLED;
      const isLost = hasCode(error, 'unreachable') && Date.now() < until;
      const isBusy = failures < MAX_REPEATS && REPEATED.some((code) => hasCode(error, code));
      if (!isLost && !isBusy) throw error;
      await wait(jitter(backoff(failures)), signal);
    }
  }
}

/** Ends early when the browser is online again, or the upload is canceled. */
function wait(delay: number, signal?: AbortSignal): Promise<void> {
  const target = globalThis as Partial<Pick<Window, 'addEventListener' | 'removeEventListener'>>;
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      target.removeEventListener?.('online', end);
      resolve();
    };
    const timer = setTimeout(end, delay);
    signal?.addEventListener('abort', end);
    target.addEventListener?.('online', end);
  });
}
