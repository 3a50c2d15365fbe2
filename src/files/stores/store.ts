import type { ByteRange } from '../../platform/http/responses/deliver-bytes.js';
import type { Readable } from 'node:stream';
import type { ByteSource, Piece } from '../inspect/index.js';

/** Where a body goes: `method` PUT with these headers. */
export interface UploadAddress {
  url: string;
  headers: Record<string, string>;
}

/** A stored object. */
export interface StoredObject {
  key: string;
  size: number;
  modifiedAt: Date;
}

/** Bytes of a store that's down, slow, or full: 503 for clients. */
export class StoreUnavailable extends Error {}

/**
 * Where the bytes of files are (CONTRACT: File storage). Keys are `{org}/incoming/{upload}`, and `{org}/files/{upload}.{random}` after
 * `complete`. All methods may be repeated. @throws StoreUnavailable
 */
export abstract class FileStore {
  /** The presigned address of a body; null: the service takes it itself. */
  abstract uploadAddress(key: string, size: number): Promise<UploadAddress | null>;
  /** A presigned address of bytes for an hour; null: the service streams them itself. */
  abstract readAddress(key: string, headers: Record<string, string>): Promise<string | null>;
  /** Stores a whole body. If it fails or isn't as long, nothing stays. @param mayStay asked before it becomes visible */
  abstract put(key: string, body: Readable, size: number, mayStay?: () => Promise<boolean>): Promise<void>;
  /** The size of an object; undefined if there's none. */
  abstract size(key: string): Promise<number | undefined>;
  /** Copies an object. Returns the size of the copy; undefined if there's no object. */
  abstract copy(from: string, to: string): Promise<number | undefined>;
  /** Reads an object at any place. */
  abstract open(key: string, size: number): Promise<OpenBytes>;
  /** Replaces an object by pieces of itself. */
  abstract rewrite(key: string, source: ByteSource, pieces: readonly Piece[]): Promise<void>;
  /** Makes sure that an object survives a crash of the machine. */
  abstract sync(key: string): Promise<void>;
  /** Streams a range. @throws MissingBytes */
  abstract read(key: string, range: ByteRange): Promise<Readable>;
  abstract remove(key: string): Promise<void>;
  /** All objects, in no order. */
  abstract list(): AsyncIterable<StoredObject>;
  /** Free bytes after an upload of this size; undefined if the store doesn't say. */
  abstract hasRoomFor(size: number): Promise<boolean>;
  /** Whether all nodes that name it use the same bytes. */
  abstract readonly isShared: boolean;
  /** Leaves a sign of a node, so that others see that it uses this store too. Only for stores that aren't shared by nature. */
  announce(_node: string): Promise<void> {
    return Promise.resolve();
  }
  /** Removes the sign of a node, or of all. */
  withdraw(_node?: string): Promise<void> {
    return Promise.resolve();
  }
  /** The nodes that have left a sign. */
  announced(): Promise<ReadonlySet<string>> {
    return Promise.resolve(new Set());
  }
  /** Closes its connections. */
  close(): void {
    return undefined;
  }
  abstract readId(): Promise<string | undefined>;
  /** Stores the id, unless there's one. Returns the one that's there. @param isForced replaces another one */
  abstract writeId(id: string, isForced?: boolean): Promise<string>;
}

/** An object that's open for reading. */
export interface OpenBytes extends ByteSource {
  close(): Promise<void>;
}

/** A row has no bytes: they were lost. */
export class MissingBytes extends StoreUnavailable {}

/** The size of pieces. */
export function sizeOfPieces(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + ('bytes' in piece ? piece.bytes.length : piece.length), 0);
}

/** The most bytes of a piece in memory. */
const CHUNK_BYTES = 1_048_576;

/** The bytes of pieces, in order. */
export async function* bytesOfPieces(source: ByteSource, pieces: readonly Piece[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if ('bytes' in piece) yield piece.bytes;
    else
      for (let at = 0; at < piece.length; at += CHUNK_BYTES)
        yield await source.read(piece.offset + at, Math.min(CHUNK_BYTES, piece.length - at));
  }
}
