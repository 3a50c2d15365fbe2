import { ArgumentError } from '../lib/stack.js';

/** Bytes, or a stream of them. */
export type FileData = Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** A file to send, with its name. */
export interface NamedFile {
  /** 1 to 255 characters. */
  name: string;
  data: FileData;
  /** The bytes of a stream. Without it, the stream is read into memory, up to 8 MB. */
  size?: number;
}

/** A file to send: its path (not on platforms without files), its bytes, a stream, or one of these with a name. */
export type FileInput = string | FileData | NamedFile;

/** The bytes of a request. */
export type Body = Blob | ReadableStream<Uint8Array>;

/** A file that's ready to be sent. */
export interface OutgoingFile {
  name: string;
  size: number;
  body: Body;
}

/** The most bytes of a file in one request, and of a stream in memory: 8 MB. */
export const ONE_REQUEST_BYTES = 8_388_608;
const MAX_FILES = 10;
const UNNAMED = 'file';
const MEMBERS: readonly string[] = ['name', 'data', 'size'];
const TAKEN = 'a path, bytes, a Blob, a stream, or { name, data }';

/** @throws TypeError that names the wrong file, before anything is sent */
export function checkFiles(files: unknown): void {
  if (!Array.isArray(files) || files.length > MAX_FILES)
    throw new ArgumentError(`files must be an array of at most ${MAX_FILES} files`);
  for (const [index, file] of files.entries()) {
    const fault = findFault(file);
    if (fault !== null) throw new ArgumentError(`files[${index}]${fault}`);
  }
}

function findFault(file: unknown): string | null {
  if (typeof file === 'string') return file === '' ? ' must not be an empty path' : null;
  if (isData(file)) return null;
  if (!isNamed(file)) return ` must be ${TAKEN}`;
  const { name, data, size } = file as unknown as Record<string, unknown>;
  const unknown = Object.keys(file).find((member) => !MEMBERS.includes(member));
  if (unknown !== undefined) return ` has no option ${unknown}: there are ${MEMBERS.join(', ')}`;
  if (typeof name !== 'string' || name === '') return '.name must be a text';
  if (!isData(data)) return '.data must be bytes, a Blob, or a stream';
  const isSize = Number.isSafeInteger(size) && (size as number) > 0;
  return size == null || isSize ? null : '.size must be a positive integer';
}

/**
 * Opens a file.
 * @param at its place among the files of the call, for errors
 * @throws TypeError if there's no such file, it's empty, or a stream without `size` has more than 8 MB
 */
export async function openFile(file: FileInput, at: string): Promise<OutgoingFile> {
  const named = typeof file === 'string' ? await openPath(file, at) : isNamed(file) ? file : unnamed(file);
  const { name, data, size } = named;
  const body = await toBody(data, size, at);
  if (body instanceof ReadableStream) return { name, size: size!, body };
  if (body.size === 0) throw new ArgumentError(`${at} is empty`);
  return { name, size: body.size, body };
}

type FileSystem = Pick<typeof import('node:fs'), 'openAsBlob' | 'promises'>;

async function openPath(path: string, at: string): Promise<NamedFile> {
  // Not an import, which other platforms couldn't load.
  const files = globalThis.process?.getBuiltinModule?.('node:fs') as FileSystem | undefined;
  if (!files) throw new ArgumentError(`${at} must not be a path: this platform has no files`);
  const name = baseName(path);
  try {
    if (!(await files.promises.stat(path)).isFile()) throw new Error('it is not a file');
    // Reads the file piece by piece. Older versions of other runtimes don't have it.
    if ('openAsBlob' in files) return { name, data: await files.openAsBlob(path) };
    return { name, data: await (files as FileSystem).promises.readFile(path) };
  } catch (error) {
    const { code = (error as Error).message } = error as { code?: string };
    throw new ArgumentError(`${at}: ${path} can't be read: ${code}`);
  }
}

function unnamed(data: FileData): NamedFile {
  // The name of a File, or the path of a stream of Node.
  const { name, path } = data as { name?: unknown; path?: unknown };
  const given = [name, path].find((one): one is string => typeof one === 'string' && one !== '');
  return { name: given === undefined ? UNNAMED : baseName(given), data };
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

async function toBody(data: FileData, size: number | undefined, at: string): Promise<Body> {
  if (data instanceof Blob) return data;
  if (data instanceof Uint8Array || data instanceof ArrayBuffer) return new Blob([data as Uint8Array<ArrayBuffer>]);
  const chunks = chunksOf(data, size ?? ONE_REQUEST_BYTES, at, size);
  if (size !== undefined && size > ONE_REQUEST_BYTES) return toStream(chunks);
  // In memory, a request can be repeated.
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of chunks) parts.push(chunk as Uint8Array<ArrayBuffer>);
  return new Blob(parts);
}

async function* chunksOf(
  data: AsyncIterable<unknown> | ReadableStream,
  most: number,
  at: string,
  size: number | undefined,
): AsyncGenerator<Uint8Array, void> {
  let count = 0;
  for await (const given of data as AsyncIterable<unknown>) {
    const chunk = typeof given === 'string' ? new TextEncoder().encode(given) : given;
    if (!(chunk instanceof Uint8Array)) throw new ArgumentError(`${at}: a part of the stream is not bytes`);
    count += chunk.length;
    if (count > most) {
      const hint = size === undefined ? 'has more than 8 MB: name its size in bytes' : `has more than ${size} bytes`;
      throw new ArgumentError(`${at}.size: the stream ${hint}`);
    }
    yield chunk;
  }
  if (size !== undefined && count < size)
    throw new ArgumentError(`${at}.size: the stream has ${count} bytes, not ${size}`);
}

function toStream(chunks: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await chunks.return()),
  });
}

function isData(value: unknown): value is FileData {
  if (typeof value !== 'object' || value === null) return false;
  const isBytes = value instanceof Uint8Array || value instanceof ArrayBuffer || value instanceof Blob;
  return isBytes || Symbol.asyncIterator in value;
}

function isNamed(value: unknown): value is NamedFile {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isData(value);
}
