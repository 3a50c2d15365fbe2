import type * as api from '../bot-api.js';
import { aNumber, type Checks, checkOptions } from '../lib/check.js';
import { ArgumentError } from '../lib/stack.js';
import type { Api } from '../transport/api.js';

/** The most bytes that `bytes()` reads by default: 25 MB. */
const MAX_BYTES = 26_214_400;

/** What a file needs to fetch its bytes. */
export interface Connection {
  api: Api;
  /** Aborts when the bot has stopped. */
  stopped: AbortSignal;
}

const OPTIONS: Checks<{ maxSize?: number }> = { maxSize: aNumber(1) };

/** A file of a message. Its bytes are fetched from the address of the bot's own connection, with its token. */
export class ReceivedFile implements api.File {
  /** `upl_…` */
  readonly id!: string;
  /** As the sender named it. */
  readonly name!: string;
  /** Bytes. */
  readonly size!: number;
  /** What the bytes are, such as `image/png`: Parley has checked it. */
  readonly type!: string;
  /** Pixels of a picture, as shown. */
  readonly width?: number;
  readonly height?: number;
  /** Of audio and video, if the file says it. */
  readonly durationSeconds?: number;
  /** The public address of the bytes, which needs the bot's token. */
  readonly url!: string;
  // Private to the runtime too: code that logs a file must not log the bot's token.
  readonly #connection: Connection;

  constructor(file: api.File, connection: Connection) {
    Object.assign(this, file);
    this.#connection = connection;
  }

  /**
   * All bytes of the file.
   * @param options `maxSize`: the most bytes that are read. Default: 26,214,400 (25 MB)
   * @throws TypeError if the file is larger; ParleyError `not_found` if it was removed
   */
  async bytes(options: { maxSize?: number } = {}): Promise<Uint8Array> {
    checkOptions(options, OPTIONS);
    const maxSize = options.maxSize ?? MAX_BYTES;
    if (this.size > maxSize) {
      const [size, most] = [this.size, maxSize].map((number) => number.toLocaleString('en'));
      throw new ArgumentError(`${this.name} has ${size} bytes, more than maxSize (${most}): use stream()`);
    }
    return this.#get(async (response) => new Uint8Array(await response.arrayBuffer()));
  }

  /** The bytes as they arrive. It isn't retried once the first bytes have arrived. */
  stream(): ReadableStream<Uint8Array> {
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          reader ??= (await this.#get((response) => Promise.resolve(response.body!))).getReader();
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: (reason) => reader?.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  async #get<T>(read: (response: Response) => Promise<T>): Promise<T> {
    const { api: service, stopped: signal } = this.#connection;
    const path = `/files/${encodeURIComponent(this.id)}`;
    return (await service.call<T>('GET', path, { read, size: this.size, signal })).body;
  }
}

/** Lets the files of messages be read: replaces them in place. */
export function receiveFiles<M extends { files?: api.File[] }>(messages: readonly M[], connection: Connection): void {
  for (const message of messages)
    if (message.files) message.files = message.files.map((file) => new ReceivedFile(file, connection));
}
