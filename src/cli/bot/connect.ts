import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { usage } from '../errors.js';
import type { ItemClient } from '../verbs.js';

/** Files with what doesn't belong in a command line. `-` is standard input. */
export interface ConnectFiles {
  keyFile?: string;
  headerFile?: string;
  instructionsFile?: string;
  scriptFile?: string;
}

/** Connects a bot, and prints the connection. A new one has a secret. @throws CliError */
export async function connectBot({ service, path, show }: ItemClient, given: object, files: ConnectFiles) {
  const { keyFile, headerFile, instructionsFile, scriptFile } = files;
  if ([keyFile, headerFile, instructionsFile, scriptFile].filter((file) => file === '-').length > 1)
    throw usage('only one of the files can be standard input');
  const [key, headers, instructions, script] = [
    await read(keyFile, '--key-file'),
    await read(headerFile, '--header-file'),
    await read(instructionsFile, '--instructions-file'),
    await read(scriptFile, '--script-file'),
  ];
  const body = {
    ...given,
    ...(key !== null && { key: key.trim() }),
    ...(headers !== null && { headers: headersIn(headers) }),
    ...(instructions !== null && { instructions: instructions.trimEnd() }),
    ...(script !== null && { script: scriptIn(script) }),
  };
  show.item(await service.put(`${path}/connection`, body));
}

async function read(file: string | undefined, option: string): Promise<string | null> {
  if (file === undefined) return null;
  if (file === '-') return readAll(process.stdin);
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw usage(`${option}: ${file} cannot be read (${error.code ?? 'error'})`);
  });
}

function scriptIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw usage('--script-file must have JSON');
  }
}

function headersIn(text: string): Record<string, string> {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return Object.fromEntries(lines.map(headerIn));
}

// The line isn't in the message, because it may have a secret.
function headerIn(line: string, index: number): [string, string] {
  const colon = line.indexOf(':');
  if (colon < 1) throw usage(`line ${index + 1} of --header-file must be 'Name: value'`);
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
}
