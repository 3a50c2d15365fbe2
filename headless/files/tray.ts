import { hasCode, toFailure } from '../errors.js';
import { createValue } from '../observable.js';
import type { MessageFile } from '../types.js';
import { fileNameOf } from './file-name.js';
import { toJpeg } from './heic.js';
import type { UploadOptions } from './upload.js';

/** The files of a message. */
export const MAX_FILES = 10;
/** The service takes four bodies of a visitor at a time, from all tabs. */
const AT_A_TIME = 2;

/** A file that a person has chosen. */
export interface Chosen {
  readonly key: number;
  readonly name: string;
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** Undefined after a reload: the page can't read it again. */
  readonly file?: File;
  /** An address that shows it on this page alone. */
  readonly preview?: string;
  readonly state: 'waiting' | 'uploading' | 'done' | 'failed';
  /** Bytes that have been sent. */
  readonly sent: number;
  /** Why it failed: a code of the service, or `empty`, `too_large`, `unsent`. */
  readonly code?: string;
  readonly uploaded?: MessageFile;
  /** The chat that it was uploaded into. */
  readonly chatId?: string;
}

type Kept = Pick<Chosen, 'name' | 'type' | 'size' | 'uploaded' | 'chatId'>;

let lastKey = 0;

/** Where the files of a draft go. */
export interface TrayPort {
  /** The chat that they're sent into now. */
  chatId(): string | undefined;
  /** That chat, which is opened if needed. @throws RequestError forbidden if it takes no files */
  open(): Promise<string>;
  /** @throws RequestError */
  upload(chatId: string, file: File, options: UploadOptions): Promise<MessageFile>;
  /** Removes an upload that isn't sent. */
  remove(id: string): Promise<unknown>;
  /** A file with a fresh address. @throws RequestError */
  renew(id: string): Promise<MessageFile>;
  /** Keeps the files over a reload, as a text; empty: none. */
  keep(kept: string): void;
}

/** The files of a draft. What was uploaded stays over a reload. */
export class Tray {
  readonly items = createValue<readonly Chosen[]>([]);
  readonly #port: TrayPort;
  readonly #cancels = new Map<number, AbortController>();
  #isClosed = false;

  /** @param kept what an earlier page kept */
  constructor(port: TrayPort, kept: string) {
    this.#port = port;
    this.items.set(readKept(kept));
    void this.#checkKept();
  }

  /** @param maxSize bytes. Returns how many weren't taken because there are ten. */
  add(files: readonly File[], maxSize: number): number {
    const room = MAX_FILES - this.items.value.length;
    const taken = files.slice(0, room).map((file) => toChosen(file, maxSize));
    this.#set([...this.items.value, ...taken]);
    this.#work();
    return Math.max(0, files.length - room);
  }

  remove(key: number): void {
    const item = this.#find(key);
    this.#cancels.get(key)?.abort();
    if (item?.uploaded) void this.#port.remove(item.uploaded.id).catch(() => undefined);
    if (item?.preview) URL.revokeObjectURL(item.preview);
    this.#set(this.items.value.filter((one) => one.key !== key));
  }

  retry(key: number): void {
    this.#change(key, { state: 'waiting', code: undefined, sent: 0 });
    this.#work();
  }

  /** Hands the uploaded files to the caller; undefined while an upload is unfinished or has failed. */
  take(): MessageFile[] | undefined {
    const here = this.#port.chatId();
    for (const { key, state, chatId, file } of this.items.value) {
      // Another chat was opened since.
      if (state === 'done' && chatId !== here && file) this.retry(key);
    }
    const files = this.items.value.map(({ uploaded, state }) => (state === 'done' ? uploaded : undefined));
    if (!files.every((file) => file !== undefined)) return undefined;
    this.#forget();
    return files;
  }

  /** Adds uploaded files that weren't sent after all. */
  putBack(files: readonly MessageFile[]): void {
    const chatId = this.#port.chatId();
    const back = files.map((uploaded): Chosen => {
      const { name, type, size } = uploaded;
      return { key: ++lastKey, name, type, size, sent: size, state: 'done', uploaded, chatId };
    });
    this.#set([...back, ...this.items.value]);
  }

  /** Cancels and forgets everything. */
  clear(): void {
    this.#cancel();
    this.#forget();
  }

  /** Cancels what is being uploaded. What is kept stays for the next page. */
  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  #cancel(): void {
    for (const cancel of this.#cancels.values()) cancel.abort();
  }

  #forget(): void {
    for (const { preview } of this.items.value) if (preview) URL.revokeObjectURL(preview);
    this.#set([]);
  }

  /** Uploads the waiting files, a few at a time. */
  #work(): void {
    if (this.#isClosed) return;
    for (const item of this.items.value) {
      if (this.#cancels.size >= AT_A_TIME) return;
      if (item.state === 'waiting' && !this.#cancels.has(item.key)) void this.#upload(item);
    }
  }

  async #upload({ key, file }: Chosen): Promise<void> {
    const cancel = new AbortController();
    const { signal } = cancel;
    this.#cancels.set(key, cancel);
    this.#change(key, { state: 'uploading' });
    try {
      const chatId = await this.#port.open();
      const given = await toJpeg(file!);
      // A canceled upload has no row.
      if (signal.aborted) return;
      this.#change(key, { name: fileNameOf(given.name), size: given.size, type: given.type });
      const onProgress = (sent: number) => this.#change(key, { sent });
      const uploaded = await this.#port.upload(chatId, given, { onProgress, signal });
      this.#change(key, { state: 'done', uploaded, chatId });
    } catch (error) {
      this.#change(key, { state: 'failed', code: toFailure(error).code });
    } finally {
      this.#cancels.delete(key);
      this.#work();
    }
  }

  /** What an earlier page uploaded may be removed by now, and its address has expired. */
  async #checkKept(): Promise<void> {
    for (const { key, uploaded } of this.items.value) {
      if (!uploaded) continue;
      try {
        this.#change(key, { uploaded: await this.#port.renew(uploaded.id) });
      } catch (error) {
        if (hasCode(error, 'not_found')) this.#change(key, { state: 'failed', code: 'unsent', uploaded: undefined });
      }
    }
  }

  #find(key: number): Chosen | undefined {
    return this.items.value.find((item) => item.key === key);
  }

  #change(key: number, change: Partial<Chosen>): void {
    this.#set(this.items.value.map((item) => (item.key === key ? { ...item, ...change } : item)));
  }

  #set(items: readonly Chosen[]): void {
    if (this.#isClosed) return;
    this.items.set(items);
    const kept = items.map(({ name, type, size, uploaded, chatId }): Kept => ({ name, type, size, uploaded, chatId }));
    this.#port.keep(kept[0] ? JSON.stringify(kept) : '');
  }
}

function toChosen(file: File, maxSize: number): Chosen {
  const { type, size } = file;
  const name = fileNameOf(file.name);
  const code = size === 0 ? 'empty' : size > maxSize ? 'too_large' : undefined;
  const preview = type.startsWith('image/') ? URL.createObjectURL(file) : undefined;
  return { key: ++lastKey, name, type, size, file, preview, sent: 0, state: code ? 'failed' : 'waiting', code };
}

function readKept(text: string): Chosen[] {
  try {
    const kept = JSON.parse(text || '[]') as Kept[];
    return kept.map((item) => ({
      ...item,
      key: ++lastKey,
      sent: item.uploaded ? item.size : 0,
      ...(item.uploaded ? { state: 'done' } : { state: 'failed', code: 'unsent' }),
    }));
  } catch {
    return [];
  }
}
