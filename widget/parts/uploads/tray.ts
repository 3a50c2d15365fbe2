import { removeUpload, renewFile, uploadInto } from '../../client/uploads.js';
import type { CoreClient, MessageFile } from '../../client/types.js';
import { fileNameOf } from '../../../headless/files/file-name.js';
import { hasCode, RequestError, toFailure } from '../../../headless/errors.js';
import { createValue } from '../../../headless/observable.js';
import { recall, remember } from '../../panel/lib/tab-storage.js';
import { toJpeg } from './heic.js';

/** The files of a message. */
export const MAX_FILES = 10;
/** The service takes four bodies of a visitor at a time, from all tabs. */
const AT_A_TIME = 2;

/** Sends the files with a text; false if they aren't uploaded yet: then the form is submitted again when they are. */
export type Submit = (text: string) => boolean;

/** A file that the visitor has chosen. */
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
const trays = new WeakMap<CoreClient, Tray>();

/** The files of the draft. They stay when the composer is hidden, and what was uploaded over a reload too. */
export function trayOf(client: CoreClient): Tray {
  const known = trays.get(client);
  // The panel forgets what another person wrote.
  if (known && (recall('files') || !known.items.value[0])) return known;
  known?.clear();
  const made = new Tray(client);
  trays.set(client, made);
  return made;
}

export class Tray {
  readonly items = createValue<readonly Chosen[]>([]);
  readonly #client: CoreClient;
  readonly #cancels = new Map<number, AbortController>();

  constructor(client: CoreClient) {
    this.#client = client;
    this.items.set(readKept());
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
    if (item?.uploaded) void removeUpload(this.#client, item.uploaded.id).catch(() => undefined);
    if (item?.preview) URL.revokeObjectURL(item.preview);
    this.#set(this.items.value.filter((one) => one.key !== key));
  }

  retry(key: number): void {
    this.#change(key, { state: 'waiting', code: undefined, sent: 0 });
    this.#work();
  }

  /** The uploaded files, which are the caller's then; undefined while one isn't, or has failed. */
  take(): MessageFile[] | undefined {
    const here = this.#client.chat.value?.id;
    for (const { key, state, chatId, file } of this.items.value) {
      // The visitor has opened another chat since.
      if (state === 'done' && chatId !== here && file) this.retry(key);
    }
    const files = this.items.value.map(({ uploaded, state }) => (state === 'done' ? uploaded : undefined));
    if (!files.every((file) => file !== undefined)) return undefined;
    this.#forget();
    return files;
  }

  /** Cancels and forgets everything. */
  clear(): void {
    for (const cancel of this.#cancels.values()) cancel.abort();
    this.#forget();
  }

  #forget(): void {
    for (const { preview } of this.items.value) if (preview) URL.revokeObjectURL(preview);
    this.#set([]);
  }

  /** Uploads what waits, a few at a time. */
  #work(): void {
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
      const chat = this.#client.chat.value ?? (await this.#client.openChat());
      if (!chat.visitorUploads) throw new RequestError('forbidden', '');
      const given = await toJpeg(file!);
      // A canceled one has no row.
      if (signal.aborted) return;
      this.#change(key, { name: fileNameOf(given.name), size: given.size, type: given.type });
      const onProgress = (sent: number) => this.#change(key, { sent });
      const uploaded = await uploadInto(this.#client, chat.id, given, { onProgress, signal });
      this.#change(key, { state: 'done', uploaded, chatId: chat.id });
    } catch (error) {
      this.#change(key, { state: 'failed', code: toFailure(error).code });
    } finally {
      this.#cancels.delete(key);
      this.#work();
    }
  }

  /** What an earlier page uploaded may be gone by now, and its address is over. */
  async #checkKept(): Promise<void> {
    for (const { key, uploaded } of this.items.value) {
      if (!uploaded) continue;
      try {
        this.#change(key, { uploaded: await renewFile(this.#client, uploaded.id) });
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
    this.items.set(items);
    const kept = items.map(({ name, type, size, uploaded, chatId }): Kept => ({ name, type, size, uploaded, chatId }));
    remember('files', kept[0] ? JSON.stringify(kept) : '');
  }
}

function toChosen(file: File, maxSize: number): Chosen {
  const { type, size } = file;
  const name = fileNameOf(file.name);
  const code = size === 0 ? 'empty' : size > maxSize ? 'too_large' : undefined;
  const preview = type.startsWith('image/') ? URL.createObjectURL(file) : undefined;
  return { key: ++lastKey, name, type, size, file, preview, sent: 0, state: code ? 'failed' : 'waiting', code };
}

function readKept(): Chosen[] {
  try {
    const kept = JSON.parse(recall('files') || '[]') as Kept[];
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
