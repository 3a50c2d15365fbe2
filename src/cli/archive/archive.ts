import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform, type TransformCallback } from 'node:stream';
import { CliError, EXIT } from '../errors.js';

/** The version of this format. A release refuses the archives of a newer one. */
export const FORMAT = 1;
export const MANIFEST = 'manifest.json';
/** The list of files, and the folder with their bytes. */
export const FILE_LIST = 'files.list.jsonl';
export const FILES = 'files';

/** How many lines a part of the archive has, and the SHA-256 of its bytes. */
export interface Part {
  lines: number;
  sha256: string;
}

/** What an archive of an organization is (docs/operate/moving.md). It's written last: without it, an export didn't end. */
export interface Manifest {
  format: number;
  organization: { id: string; name: string };
  /** The commit or version that wrote it, and the newest migration of its database. */
  parley: string;
  schema: string;
  exportedAt: string;
  /** Shows whether a SECRET_KEY is the one that encrypted the secrets, in base64. */
  keyCheck: string;
  /** By table. */
  tables: Record<string, Part>;
  files: FilesPart;
}

/** The list of files. */
export interface FilesPart extends Part {
  bytes: number;
  /** How many files have a row, and no bytes in the store. */
  missing: number;
}

/** A line of the list of files. */
export interface FileLine {
  id: string;
  size: number;
  sha256: string;
}

/** Passes bytes on, and computes their SHA-256. */
export class Hashing extends Transform {
  private readonly hash = createHash('sha256');

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.hash.update(chunk);
    done(null, chunk);
  }

  /** Call this once, after the end. */
  get sha256(): string {
    return this.hash.digest('hex');
  }
}

/** @throws CliError if there's no archive of this format in the folder */
export async function readManifest(folder: string): Promise<Manifest> {
  let text: string;
  try {
    text = await readFile(join(folder, MANIFEST), 'utf8');
  } catch {
    throw refused(`${folder} has no ${MANIFEST}: it isn't an archive, or its export didn't end`);
  }
  const manifest = parseManifest(text);
  if (!manifest) throw refused(`${join(folder, MANIFEST)} isn't the manifest of an archive`);
  if (manifest.format !== FORMAT)
    throw refused(
      `the archive has format ${manifest.format}, and this release reads format ${FORMAT}: use its release`,
    );
  return manifest;
}

function parseManifest(text: string): Manifest | undefined {
  try {
    const found = JSON.parse(text) as Partial<Manifest>;
    const isWhole =
      typeof found.organization?.id === 'string' &&
      typeof found.schema === 'string' &&
      typeof found.tables === 'object' &&
      typeof found.files === 'object';
    return isWhole ? (found as Manifest) : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the lines of a part, and compares it with the manifest at the end. @throws CliError if it's another one */
export async function* linesOfPart(folder: string, name: string, part: Part): AsyncGenerator<string> {
  const hash = createHash('sha256');
  let lines = 0;
  for await (const line of splitLines(readPart(folder, name, hash))) {
    lines++;
    yield line;
  }
  if (lines !== part.lines) throw refused(`${name} has ${lines} lines, and ${part.lines} were exported`);
  if (hash.digest('hex') !== part.sha256) throw refused(`${name} was changed since the export: its SHA-256 differs`);
}

/** Splits at line feeds alone: other line breaks are part of a text. The last line may have none. */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; from = end + 1, end = chunk.indexOf('\n', from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, end)]).toString();
      rest = [];
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  }
  if (rest.length > 0) yield Buffer.concat(rest).toString();
}

async function* readPart(folder: string, name: string, hash: Hash): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(join(folder, name)) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      yield chunk;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw refused(`the archive has no ${name}`);
    throw error;
  }
}

export function refused(message: string): CliError {
  return new CliError(EXIT.failed, message);
}
