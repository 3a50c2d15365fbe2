import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { scanBytes } from '../../files/scan/scanner.js';
import type { FileStore } from '../../files/stores/store.js';
import { parseScanUrl } from '../../platform/config/files-url.js';
import { openStore } from '../files/files.js';
import { tryCors } from './files-cors.js';
import { attempt, type Check, failed, ok, warning, within } from './check.js';

const STORE = 'files';
const SCANNER = 'scanner';
/** The time limit of each check, in milliseconds. */
const TIMEOUT_MS = 15_000;
const SCAN_TIMEOUT_MS = 40_000;
const STORE_ADVICE = 'see docs/operate/files.md; until then files are 503, and everything else goes on';
const SCANNER_ADVICE = 'see that the scanner at FILE_SCAN_URL runs; until then no file is completed';
const HARMLESS = Buffer.from('A harmless file of parley doctor.\n');
/** The test file of every scanner, in two parts, so that none takes this program for it. */
const EICAR = Buffer.from(['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''));

/** Checks the store of files and the scanner, as far as this environment names them. */
export async function* checkFileStore(environment: NodeJS.ProcessEnv): AsyncGenerator<Check> {
  const { DATA_DIR, FILES_URL, FILE_SCAN_URL } = environment;
  if (FILES_URL || (DATA_DIR && existsSync(join(DATA_DIR, 'files')))) {
    const check = () => within(TIMEOUT_MS, 'the store did not answer', tryStore(environment));
    yield await attempt(STORE, STORE_ADVICE, check);
  }
  if (FILES_URL) {
    const advice = 'browsers upload to FILES_PUBLIC_URL, or to the host of FILES_URL: see that they reach it';
    yield await attempt('files from browsers', advice, () => tryCors(environment));
  }
  if (FILE_SCAN_URL) {
    const check = () => within(SCAN_TIMEOUT_MS, 'the scanner did not answer', tryScanner(FILE_SCAN_URL));
    yield await attempt(SCANNER, SCANNER_ADVICE, check);
  }
}

/** Writes, copies, reads, lists, and removes an object. */
async function tryStore(environment: NodeJS.ProcessEnv): Promise<Check> {
  const store = openStore(environment);
  // Under `incoming`, Parley itself removes what an interrupted doctor leaves.
  const [key, copy] = [1, 2].map(() => `doctor/incoming/${randomUUID()}`) as [string, string];
  try {
    await store.put(key, Readable.from([HARMLESS]), HARMLESS.length);
    if ((await store.copy(key, copy)) !== HARMLESS.length) return failed(STORE, 'a copy has other bytes', STORE_ADVICE);
    const bytes = await buffer(await store.read(copy, { start: 0, end: HARMLESS.length - 1 }));
    if (!bytes.equals(HARMLESS)) return failed(STORE, 'other bytes come back than were written', STORE_ADVICE);
    if (!(await lists(store))) return failed(STORE, 'the list of objects is empty', STORE_ADVICE);
    if (!(await store.hasRoomFor(0)))
      return warning(STORE, 'the disk is full: uploads are 503', 'make room, or see FILES_MIN_FREE');
    return ok(
      STORE,
      `${environment.FILES_URL ? 'the store' : 'the folder'} takes, copies, reads, lists, and removes bytes`,
    );
  } finally {
    await Promise.allSettled([store.remove(key), store.remove(copy)]);
    store.close();
  }
}

async function lists(store: FileStore): Promise<boolean> {
  for await (const _ of store.list()) return true;
  return false;
}

/** Scans a harmless file, and the one that every scanner must find. */
async function tryScanner(url: string): Promise<Check> {
  const isClean = (bytes: Buffer) => scanBytes(parseScanUrl(url), Readable.from([bytes]), bytes.length);
  if (!(await isClean(HARMLESS))) return failed(SCANNER, 'it refuses a harmless file', SCANNER_ADVICE);
  if (await isClean(EICAR)) return failed(SCANNER, "it doesn't find the EICAR test file", SCANNER_ADVICE);
  return ok(SCANNER, 'it takes a harmless file, and finds the EICAR test file');
}
