import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { botConnection } from '../connection.js';
import { CliError, EXIT, usage } from '../errors.js';
import { type Item, reasonOf, Service } from '../service.js';
import { out } from '../show.js';
import { toJson } from '../text.js';

/** The service takes up to 45 s to check the bytes (CONTRACT: Uploads). */
const COMPLETE_TIMEOUT_MS = 50_000;

interface Started {
  id: string;
  method: string;
  url: string;
  headers: Record<string, string>;
}

interface Options {
  url?: string;
  json?: boolean;
}

/** Sends a file into a chat as a bot's message, and prints the message's id. @throws CliError */
export async function sendFile(
  environment: NodeJS.ProcessEnv,
  path: string,
  { chat: chatId, url, json }: Options & { chat: string },
): Promise<void> {
  const service = new Service(botConnection(environment, url), '/api/bot');
  const size = await sizeOf(path);
  const started = await service.post<Started & Item>('/uploads', { chatId, name: basename(path), size });
  if (started.method !== 'PUT')
    throw new CliError(EXIT.failed, `the service wants ${started.method}, which this release of parley does not know`);
  await service.upload(started.url, started.headers, createReadStream(path), size);
  await service.post(`/uploads/${encodeURIComponent(started.id)}/complete`, {}, COMPLETE_TIMEOUT_MS);
  const message = await service.post('/messages', { chatId, files: [started.id] });
  out(json ? toJson(message) : String(message.id));
}

/** Writes the bytes of a file to a path, as a whole or not at all, or to standard output. @throws CliError */
export async function getFile(
  environment: NodeJS.ProcessEnv,
  id: string,
  { output, url }: Options & { output?: string },
): Promise<void> {
  const service = new Service(botConnection(environment, url), '/api/bot');
  if (output === undefined && process.stdout.isTTY)
    throw usage('add --output <path>, or lead standard output into a file');
  const bytes = Readable.from(service.downloadBytes(`/files/${encodeURIComponent(id)}`), { objectMode: false });
  if (output === undefined) return pipeline(bytes, process.stdout, { end: false });
  const unfinished = `${output}.part`;
  try {
    await pipeline(bytes, createWriteStream(unfinished));
    await rename(unfinished, output);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    if (error instanceof CliError) throw error;
    throw new CliError(EXIT.failed, `${output} cannot be written: ${reasonOf(error)}`);
  }
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch((error: unknown) => {
    throw usage(`${path} cannot be read: ${reasonOf(error)}`);
  });
  if (!found.isFile()) throw usage(`${path} is no file`);
  return found.size;
}
