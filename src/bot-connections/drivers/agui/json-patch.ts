import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../../../platform/lib/json.js';
import { isNestedDeeply, type Json } from '../wire-json.js';

/** A patch that doesn't apply. */
export class PatchError extends Error {}

/** A document, or what patches do with it, is too large. The message says what. */
export class TooLargeError extends PatchError {}

/** The most bytes of JSON that the copies of all patches of a document have together. */
const MAX_COPIED_BYTES = 1024 * 1024;

/** The most operations of all patches of a document. */
const MAX_OPERATIONS = 20_000;

const TOO_DEEP = 'nested too deeply';
const OPERATIONS = ['add', 'remove', 'replace', 'move', 'copy', 'test'];

/** Whether the operation is one of RFC 6902. */
export function isKnownOperation(operation: unknown): operation is Json {
  return isJsonObject(operation) && OPERATIONS.includes(operation.op as string);
}

/**
 * A JSON document of limited size that patches change (RFC 6902). A patch is applied completely or not at all. What it costs grows with the
 * patch, not with the document: it isn't copied, and a failed patch is taken back step by step.
 */
export class PatchedDocument {
  private bytes: number;
  private copiedBytes = 0;
  private operations = 0;
  private undo: (() => void)[] = [];

  /** @param value belongs to the document from now on @param maxBytes of its JSON @throws TooLargeError */
  constructor(
    public value: unknown,
    private readonly maxBytes: number,
  ) {
    const json = toJson(value);
    if (isNestedDeeply(json)) throw new TooLargeError(TOO_DEEP);
    this.bytes = Buffer.byteLength(json);
    this.checkSize();
  }

  /** @throws PatchError, TooLargeError */
  apply(operations: readonly Json[]): void {
    this.undo = [];
    this.operations += operations.length;
    if (this.operations > MAX_OPERATIONS) throw new TooLargeError(`more than ${MAX_OPERATIONS} operations`);
    try {
      for (const operation of operations) this.applyOne(operation);
    } catch (error) {
      for (const back of this.undo.toReversed()) back();
      throw error;
    }
  }

  private applyOne({ op, path, from, value }: Json): void {
    const at = tokensOf(path);
    switch (op) {
      case 'add':
        return this.add(at, given(value));
      case 'remove':
        return this.remove(at);
      case 'replace':
        if (at.length > 0) this.remove(at);
        return this.add(at, given(value));
      case 'move':
        return this.move(tokensOf(from), at);
      case 'copy':
        return this.add(at, this.copyOf(this.find(tokensOf(from))));
      default:
        if (!isDeepStrictEqual(this.find(at), given(value))) throw new PatchError('a test failed');
    }
  }

  private move(source: readonly string[], at: readonly string[]): void {
    if (source.length < at.length && source.every((token, n) => token === at[n]))
      throw new PatchError('moves into itself');
    this.put(at, this.take(source));
  }

  private copyOf(value: unknown): unknown {
    const json = toJson(value);
    this.copiedBytes += Buffer.byteLength(json);
    if (this.copiedBytes > MAX_COPIED_BYTES) throw new TooLargeError('copies of more than 1 MB');
    return JSON.parse(json);
  }

  private find(tokens: readonly string[]): unknown {
    let { value } = this;
    for (const token of tokens) {
      if (Array.isArray(value)) value = value[indexOf(token, value.length - 1)];
      else if (isJsonObject(value) && Object.hasOwn(value, token)) value = value[token];
      else throw new PatchError('a path leads nowhere');
    }
    return value;
  }

  private add(tokens: readonly string[], value: unknown): void {
    this.put(tokens, value);
    this.grow(bytesOf(value));
  }

  private remove(tokens: readonly string[]): void {
    this.grow(-bytesOf(this.take(tokens)));
  }

  private grow(bytes: number): void {
    this.bytes += bytes;
    this.undo.push(() => (this.bytes -= bytes));
    this.checkSize();
  }

  private checkSize(): void {
    if (this.bytes > this.maxBytes) throw new TooLargeError(`more than ${this.maxBytes / 1024} kB`);
  }

  private put(tokens: readonly string[], value: unknown): void {
    if (tokens.length === 0) {
      const before = this.value;
      this.grow(-bytesOf(before));
      this.undo.push(() => (this.value = before));
      this.value = value;
      return;
    }
    const parent = this.find(tokens.slice(0, -1));
    const last = tokens.at(-1)!;
    if (Array.isArray(parent)) {
      const index = last === '-' ? parent.length : indexOf(last, parent.length);
      parent.splice(index, 0, value);
      this.undo.push(() => parent.splice(index, 1));
    } else if (isJsonObject(parent)) this.setMember(parent, last, value);
    else throw new PatchError('a path leads nowhere');
  }

  private setMember(parent: Json, name: string, value: unknown): void {
    const hadBefore = Object.hasOwn(parent, name);
    const before = parent[name];
    if (hadBefore) this.grow(-bytesOf(before));
    this.undo.push(() => (hadBefore ? define(parent, name, before) : delete parent[name]));
    define(parent, name, value);
  }

  private take(tokens: readonly string[]): unknown {
    const taken = this.find(tokens);
    const last = tokens.at(-1);
    if (last === undefined) {
      this.undo.push(() => (this.value = taken));
      this.value = null;
      return taken;
    }
    const parent = this.find(tokens.slice(0, -1)) as unknown[] | Json;
    if (Array.isArray(parent)) {
      const index = indexOf(last, parent.length - 1);
      parent.splice(index, 1);
      this.undo.push(() => parent.splice(index, 0, taken));
    } else {
      delete parent[last];
      this.undo.push(() => define(parent, last, taken));
    }
    return taken;
  }
}

// Defined, so that a name like __proto__ is a member like any other.
function define(parent: Json, name: string, value: unknown): void {
  Object.defineProperty(parent, name, { value, writable: true, enumerable: true, configurable: true });
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(toJson(value));
}

/** @throws TooLargeError if it's nested so deeply that it has no JSON */
function toJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) throw new TooLargeError(TOO_DEEP);
    throw error;
  }
}

function given(value: unknown): unknown {
  if (value === undefined) throw new PatchError('an operation has no value');
  return value;
}

function tokensOf(pointer: unknown): string[] {
  if (pointer === '') return [];
  if (typeof pointer !== 'string' || !pointer.startsWith('/')) throw new PatchError('a path is no JSON Pointer');
  return pointer
    .slice(1)
    .split('/')
    .map((token) => {
      if (token.replaceAll('~0', '').replaceAll('~1', '').includes('~'))
        throw new PatchError('a path is no JSON Pointer');
      return token.replaceAll('~1', '/').replaceAll('~0', '~');
    });
}

function indexOf(token: string, max: number): number {
  const index = Number(token);
  if (String(index) !== token || !Number.isSafeInteger(index) || index < 0 || index > max)
    throw new PatchError('an index is out of range');
  return index;
}
