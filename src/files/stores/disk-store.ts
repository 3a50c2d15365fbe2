import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, link, mkdir, open, readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ByteRange } from '../../platform/http/responses/deliver-bytes.js';
import type { ByteSource, Piece } from '../inspect/index.js';
import {
  bytesOfPieces,
  checkKey,
  FileStore,
  MissingBytes,
  type OpenBytes,
  type StoredObject,
  StoreUnavailable,
} from './store.js';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const READ_BYTES = 262_144;
const DEFAULT_MIN_FREE = 1024 ** 3;
const DEFAULT_FREE_SHARE = 0.05;
const ID_FILE = 'store-id';
/** Has a file for each node that uses this folder, until the folder has an id. */
const NODES_FOLDER = 'store-nodes';

type NodeError = NodeJS.ErrnoException;

/** The folder `DATA_DIR/files`. Bodies are written beside their place and renamed, so no reader sees a part of one. */
export class DiskStore extends FileStore {
  readonly isShared = false;

  /** @param minFree the bytes that uploads leave free; undefined: 1 GB or 5 % of the disk, the smaller of the two */
  constructor(
    private readonly folder: string,
    private readonly minFree: number | undefined,
  ) {
    super();
  }

  uploadAddress(): Promise<null> {
    return Promise.resolve(null);
  }

  readAddress(): Promise<null> {
    return Promise.resolve(null);
  }

  put(key: string, body: Readable, size: number, mayStay?: () => Promise<boolean>): Promise<void> {
    return this.write(key, body, async (bytes) => bytes === size && (!mayStay || (await mayStay())));
  }

  async size(key: string): Promise<number | undefined> {
    return (await absent(stat(this.path(key))))?.size;
  }

  // Makes a hard link. A later body replaces the name `from`, and not these bytes.
  async copy(from: string, to: string): Promise<number | undefined> {
    await this.makeFolder(to);
    const [source, target] = [this.path(from), this.path(to)];
    const link_ = link(source, target).catch((error: NodeError) => {
      if (error.code === 'EEXIST') return rm(target).then(() => link(source, target));
      if (error.code === 'ENOENT') throw error;
      return copyFile(source, target);
    });
    if ((await absent(link_.then(() => true))) === undefined) return undefined;
    return this.size(to);
  }

  async open(key: string, size: number): Promise<OpenBytes> {
    const file = await absent(open(this.path(key), 'r'));
    if (!file) throw new MissingBytes('the file has no bytes');
    const read = async (offset: number, length: number) => {
      const { buffer, bytesRead } = await guarded(file.read(Buffer.alloc(length), 0, length, offset));
      return buffer.subarray(0, bytesRead);
    };
    return { size, read, close: () => file.close() };
  }

  rewrite(key: string, source: ByteSource, pieces: readonly Piece[]): Promise<void> {
    return this.write(key, Readable.from(bytesOfPieces(source, pieces)), () => Promise.resolve(true));
  }

  async sync(key: string): Promise<void> {
    for (const path of [this.path(key), dirname(this.path(key))]) {
      const handle = await guarded(open(path, 'r'));
      try {
        await guarded(handle.sync());
      } finally {
        await handle.close();
      }
    }
  }

  async read(key: string, { start, end }: ByteRange): Promise<Readable> {
    const file = await absent(open(this.path(key), 'r'));
    if (!file) throw new MissingBytes('the file has no bytes');
    return createReadStream('', { fd: file, start, end, highWaterMark: READ_BYTES });
  }

  async remove(key: string): Promise<void> {
    await guarded(rm(this.path(key), { force: true }));
  }

  async *list(): AsyncGenerator<StoredObject> {
    for await (const path of filesIn(this.folder)) {
      const found = await absent(stat(path));
      const key = relative(this.folder, path).split(sep).join('/');
      if (found && key !== ID_FILE && !key.startsWith(`${NODES_FOLDER}/`))
        yield { key, size: found.size, modifiedAt: found.mtime };
    }
  }

  async hasRoomFor(size: number): Promise<boolean> {
    await this.makeFolder(ID_FILE);
    const { bsize, bavail, blocks } = await guarded(statfs(this.folder));
    const least = this.minFree ?? Math.min(DEFAULT_MIN_FREE, blocks * bsize * DEFAULT_FREE_SHARE);
    return bavail * bsize - size >= least;
  }

  override async announce(node: string): Promise<void> {
    const key = `${NODES_FOLDER}/${node}`;
    await this.makeFolder(key);
    await guarded(writeFile(this.path(key), '', { mode: FILE_MODE }));
  }

  override async withdraw(node?: string): Promise<void> {
    const key = node === undefined ? NODES_FOLDER : `${NODES_FOLDER}/${node}`;
    await guarded(rm(this.path(key), { force: true, recursive: true }));
  }

  override async announced(): Promise<ReadonlySet<string>> {
    return new Set((await absent(readdir(this.path(NODES_FOLDER)))) ?? []);
  }

  async readId(): Promise<string | undefined> {
    return (await absent(readFile(this.path(ID_FILE), 'utf8')))?.trim();
  }

  async writeId(id: string, isForced = false): Promise<string> {
    await this.makeFolder(ID_FILE);
    const written = writeFile(this.path(ID_FILE), `${id}\n`, { mode: FILE_MODE, flag: isForced ? 'w' : 'wx' });
    await guarded(
      written.catch((error: NodeError) => {
        if (error.code !== 'EEXIST') throw error;
      }),
    );
    return (await this.readId()) ?? id;
  }

  private async write(key: string, body: Readable, isGood: (bytes: number) => Promise<boolean>): Promise<void> {
    await this.makeFolder(key);
    const part = this.path(`${key}.${randomBytes(8).toString('hex')}.part`);
    try {
      const file = createWriteStream(part, { mode: FILE_MODE, flags: 'wx' });
      // Only an error of the file means that the disk failed. The body has its own: the client disconnected, or was too slow.
      let fault: Error | undefined;
      file.once('error', (error) => (fault = error));
      await pipeline(body, file).catch((error: unknown) => {
        throw fault === error ? unavailable(fault) : (error as Error);
      });
      if (await isGood(file.bytesWritten)) await guarded(rename(part, this.path(key)));
      else await rm(part, { force: true });
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  }

  private async makeFolder(key: string): Promise<void> {
    await guarded(mkdir(dirname(this.path(key)), { recursive: true, mode: FOLDER_MODE }));
  }

  private path(key: string): string {
    checkKey(key);
    return join(this.folder, ...key.split('/'));
  }
}

async function* filesIn(folder: string): AsyncGenerator<string> {
  for (const entry of (await absent(readdir(folder, { withFileTypes: true }))) ?? []) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else yield path;
  }
}

function unavailable(error: unknown): StoreUnavailable {
  return new StoreUnavailable(`the disk failed: ${(error as NodeError).code ?? 'error'}`, { cause: error });
}

function guarded<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw unavailable(error);
  });
}

/** The result; undefined if the file or a folder doesn't exist. */
function absent<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: NodeError) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw unavailable(error);
  });
}
