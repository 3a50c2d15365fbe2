import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError, EXIT } from '../errors.js';
import { splitLines } from '../archive/archive.js';

/** A JSON value, and where it stands. */
export interface Placed {
  value: unknown;
  place: string;
}

/**
 * Reads JSON: a file with a value in each line, or a folder with such files (`.jsonl`) and with files of one value (`.json`). Lists are read as
 * their items. @throws CliError that names the file and the line
 */
export async function* readJson(path: string): AsyncGenerator<Placed> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw refused(`${path} doesn't exist`);
  if (!found.isDirectory()) return yield* readFileOf(path);
  const names = (await readdir(path)).filter((name) => /\.jsonl?$/.test(name)).toSorted();
  if (names.length === 0) throw refused(`${path} has no file that ends in .json or .jsonl`);
  for (const name of names) yield* readFileOf(join(path, name));
}

async function* readFileOf(path: string): AsyncGenerator<Placed> {
  if (path.endsWith('.json')) return yield* itemsOf(parse(await readFile(path, 'utf8'), path), path);
  let line = 0;
  for await (const text of splitLines(createReadStream(path) as AsyncIterable<Buffer>)) {
    const place = `${path}, line ${++line}`;
    if (text.trim() !== '') yield* itemsOf(parse(text, place), place);
  }
}

function* itemsOf(value: unknown, place: string): Generator<Placed> {
  if (Array.isArray(value)) for (const item of value) yield { value: item, place };
  else yield { value, place };
}

function parse(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refused(`${place} isn't JSON`);
  }
}

export function refused(message: string): CliError {
  return new CliError(EXIT.failed, message);
}
