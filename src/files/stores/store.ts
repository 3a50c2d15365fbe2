import type { ByteRange } from '../../platform/http/responses/deliver-bytes.js';
import type { Readable } from 'node:stream';
import { type ByteSource, type Piece, readWhole } from '../inspect/index.js';

/** Where clients send a body: with PUT, and these headers. */
export interface UploadAddress {
  url: string;
  headers: Record<string, string>;
}

export interface StoredObject {
  key: string;
  size: number;
  modifiedAt: Date;
}

/** The store is down, slow, or full. Clients get 503. */
export class StoreUnavailable extends Error {}

/**
 * Where the bytes of files are (CONTRACT: File storage). Keys are `{org}/incoming/{upload}`, and `{org}/files/{upload}.{random}` after
 * `complete`. All methods may be repeated, and may throw StoreUnavailable.
 */
export abstract class FileStore {
  /** The presigned address that clients send a body to; null if they send it to this service. */
  abstract uploadAddress(key: string, size: number): Promise<UploadAddress | null>;
  /** A presigned address of an object, valid for an hour; null if this service streams the bytes itself. */
  abstract readAddress(key: string, headers: Record<string, string>): Promise<string | null>;
  /**
   * Stores a whole body. If that fails, or the body has another size, nothing is kept.
   * @param mayStay called before the body becomes visible; false discards it. Only the disk calls it
   */
  abstract put(key: string, body: Readable, size: number, mayStay?: () => Promise<boolean>): Promise<void>;
  /** The size of an object; undefined if there's none. */
  abstract size(key: string): Promise<number | undefined>;
  /** Copies an object. Returns the size of the copy; undefined if there's no object. */
  abstract copy(from: string, to: string): Promise<number | undefined>;
  /** Opens an object for reading at any offset. Close it. */
  abstract open(key: string, size: number): Promise<OpenBytes>;
  /** Replaces an object with these pieces. */
  abstract rewrite(key: string, source: ByteSource, pieces: readonly Piece[]): Promise<void>;
  /** Makes sure that an object survives a crash of the machine. */
  abstract sync(key: string): Promise<void>;
  /** Streams a range. @throws MissingBytes */
  abstract read(key: string, range: ByteRange): Promise<Readable>;
  abstract remove(key: string): Promise<void>;
  /** All objects, in no order. */
  abstract list(): AsyncIterable<StoredObject>;
  /** Whether enough space stays free after an upload of this size; true if the store doesn't report its space. */
  abstract hasRoomFor(size: number): Promise<boolean>;
  /** Whether nodes with the same settings always have the same bytes. False for a disk: each node may have its own. */
  abstract readonly isShared: boolean;
  /** Records in the store that a node uses it, so that other nodes see that they share it. Does nothing if `isShared`. */
  announce(_node: string): Promise<void> {
    return Promise.resolve();
  }
  /** Removes the record of a node, or of all nodes. */
  withdraw(_node?: string): Promise<void> {
    return Promise.resolve();
  }
  /** The nodes that have announced themselves. */
  announced(): Promise<ReadonlySet<string>> {
    return Promise.resolve(new Set());
  }
  /** Closes its connections. */
  close(): void {
    return undefined;
  }
  abstract readId(): Promise<string | undefined>;
  /** Stores the id, unless the store has one. Returns the id that it has then. @param isForced replaces another id */
  abstract writeId(id: string, isForced?: boolean): Promise<string>;
}

/** An object that's open for reading. */
export interface OpenBytes extends ByteSource {
  close(): Promise<void>;
}

/** A key that isn't one of Parley's. It would lead out of the organization's folder, so no store uses it. */
export class WrongKey extends Error {}

/** Whether a key leads to an object below where it begins. */
export function isKey(key: string): boolean {
  return key.split('/').every((part) => !['', '.', '..'].includes(part));
}

/** @throws WrongKey */
export function checkKey(key: string): void {
  if (!isKey(key)) throw new WrongKey('the key has an empty part, or one of dots');
}

/** A row has no bytes: they were lost. */
export class MissingBytes extends StoreUnavailable {}

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
        yield await readWhole(source, piece.offset + at, Math.min(CHUNK_BYTES, piece.length - at));
  }
}
