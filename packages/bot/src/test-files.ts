import type { File } from './bot-api.js';

/** A visitor's file in a test. */
export interface TestFile {
  name: string;
  /** Such as `image/png`. */
  type: string;
  data: Uint8Array;
}

interface Stored {
  file: File;
  bytes: Uint8Array;
}

/** The files of one test chat, in memory. */
export class TestFiles {
  private readonly stored = new Map<string, Stored>();

  constructor(private readonly number: number) {}

  add({ name, type, data }: TestFile): File {
    const id = `upl_test${this.number}_${this.stored.size + 1}`;
    const file = { id, name, size: data.length, type, url: `http://parley.invalid/api/bot/files/${id}` };
    this.stored.set(id, { file, bytes: data });
    return { ...file };
  }

  get(id: string): Stored | undefined {
    return this.stored.get(id);
  }

  /** The files of a message; undefined: it has none. */
  of(ids: readonly string[] | undefined): File[] | undefined {
    return ids?.map((id) => ({ ...this.stored.get(id)!.file }));
  }

  /** An upload whose bytes are still to come. */
  begin(name: string): object {
    const { id } = this.add({ name, type: 'application/octet-stream', data: new Uint8Array() });
    const url = `http://parley.invalid/uploads/${id}?signature=test`;
    return { id, method: 'PUT', url, headers: {}, expiresAt: new Date(Date.now() + 900_000).toISOString() };
  }

  /** Takes the bytes of an upload. */
  async put(id: string, body: RequestInit['body']): Promise<void> {
    const stored = this.stored.get(id)!;
    stored.bytes = await bytesOf(body);
    stored.file.size = stored.bytes.length;
  }

  /** An upload in one request. */
  async send(name: string, body: RequestInit['body']): Promise<File> {
    return this.add({ name, type: 'application/octet-stream', data: await bytesOf(body) });
  }
}

async function bytesOf(body: RequestInit['body']): Promise<Uint8Array> {
  return new Uint8Array(await new Response(body).arrayBuffer());
}
