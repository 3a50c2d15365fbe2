import { RequestError } from '../errors.js';
import type { StartedUpload } from '../visitor-api.js';
import type { UploadOptions } from './upload.js';

/** A PUT without progress for this long is cut, in milliseconds: the connection may be dead. The service cuts slower ones itself. */
const STALL_MS = 60_000;

/**
 * Sends the bytes once, without a token.
 * @throws RequestError `unreachable` if the connection is lost; `unavailable` if the service can't take the bytes now; `forbidden` if
 *   the address no longer takes any; otherwise `not_uploaded`
 */
export async function put(started: StartedUpload, file: Blob, { onProgress, signal }: UploadOptions): Promise<void> {
  // A type would become a header, which a store's rules may not allow.
  const bytes = file.slice(0, file.size);
  const status = await (typeof XMLHttpRequest === 'undefined'
    ? putByFetch(started, bytes, signal)
    : putByRequest(started, bytes, { onProgress, signal }));
  if (status >= 200 && status < 300) return;
  throw new RequestError(codeOf(status), `status ${status}`);
}

function codeOf(status: number): string {
  if (status === 0) return 'unreachable';
  if (status >= 500 || status === 429 || status === 408) return 'unavailable';
  return status === 403 ? 'forbidden' : 'not_uploaded';
}

/** Returns the status, 0 without an answer. Only this kind of request reports its progress. */
function putByRequest(
  { method, url, headers }: StartedUpload,
  bytes: Blob,
  { onProgress, signal }: UploadOptions,
): Promise<number> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const cancel = () => request.abort();
    let timer: ReturnType<typeof setTimeout>;
    const watch = () => {
      clearTimeout(timer);
      timer = setTimeout(cancel, STALL_MS);
    };
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => {
      watch();
      onProgress?.(loaded, bytes.size);
    };
    request.onloadend = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      resolve(request.status);
    };
    signal?.addEventListener('abort', cancel);
    watch();
    request.send(bytes);
  });
}

async function putByFetch({ method, url, headers }: StartedUpload, body: Blob, signal?: AbortSignal): Promise<number> {
  try {
    return (await fetch(url, { method, headers, body, signal })).status;
  } catch {
    return 0;
  }
}
