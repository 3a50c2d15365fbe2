import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../../../platform/lib/json.js';
import type { Json } from '../wire-json.js';

/** A patch that doesn't apply. */
export class PatchError extends Error {}

const OPERATIONS = ['add', 'remove', 'replace', 'move', 'copy', 'test'];

/** Whether the operation is one of RFC 6902. */
export function isKnownOperation(operation: unknown): operation is Json {
  return isJsonObject(operation) && OPERATIONS.includes(operation.op as string);
}

/** Applies a patch (RFC 6902) to a copy of a document: all of it or nothing. @throws PatchError */
export function patched(document: unknown, operations: readonly Json[]): unknown {
  const root = { value: structuredClone(document) };
  for (const operation of operations) apply(root, operation);
  return root.value;
}

interface Root {
  value: unknown;
}

function apply(root: Root, { op, path, from, value }: Json): void {
  const at = tokensOf(path);
  switch (op) {
    case 'add':
      return add(root, at, given(value));
    case 'remove':
      return void remove(root, at);
    case 'replace':
      if (at.length > 0) remove(root, at);
      return add(root, at, given(value));
    case 'move': {
      const source = tokensOf(from);
      if (source.length < at.length && source.every((token, n) => token === at[n]))
        throw new PatchError('moves into itself');
      return add(root, at, remove(root, source));
    }
    case 'copy':
      return add(root, at, structuredClone(find(root, tokensOf(from))));
    default:
      if (!isDeepStrictEqual(find(root, at), given(value))) throw new PatchError('a test failed');
  }
}

function given(value: unknown): unknown {
  if (value === undefined) throw new PatchError('an operation has no value');
  return structuredClone(value);
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

function find(root: Root, tokens: readonly string[]): unknown {
  let value = root.value;
  for (const token of tokens) {
    if (Array.isArray(value)) value = value[indexOf(token, value.length - 1)];
    else if (isJsonObject(value) && Object.hasOwn(value, token)) value = value[token];
    else throw new PatchError('a path leads nowhere');
  }
  return value;
}

function add(root: Root, tokens: readonly string[], value: unknown): void {
  if (tokens.length === 0) {
    root.value = value;
    return;
  }
  const parent = find(root, tokens.slice(0, -1));
  const last = tokens.at(-1)!;
  if (Array.isArray(parent)) parent.splice(last === '-' ? parent.length : indexOf(last, parent.length), 0, value);
  // Defined, so that a name like __proto__ is a member like any other.
  else if (isJsonObject(parent))
    Object.defineProperty(parent, last, { value, writable: true, enumerable: true, configurable: true });
  else throw new PatchError('a path leads nowhere');
}

function remove(root: Root, tokens: readonly string[]): unknown {
  const removed = find(root, tokens);
  if (tokens.length === 0) {
    root.value = null;
    return removed;
  }
  const parent = find(root, tokens.slice(0, -1)) as unknown[] | Json;
  const last = tokens.at(-1)!;
  if (Array.isArray(parent)) parent.splice(indexOf(last, parent.length - 1), 1);
  else delete parent[last];
  return removed;
}

function indexOf(token: string, max: number): number {
  const index = Number(token);
  if (String(index) !== token || !Number.isSafeInteger(index) || index < 0 || index > max)
    throw new PatchError('an index is out of range');
  return index;
}
