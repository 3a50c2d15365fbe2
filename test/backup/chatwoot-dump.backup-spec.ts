import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { addBusyAccount, BUSY_TEXTS } from '../operations/support/chatwoot-history.js';
import { Chatwoot } from '../operations/support/chatwoot.js';
import { Cli } from '../support/cli.js';
import { createDatabase } from '../support/database.js';
import { Parley } from '../support/parley.js';

const run = promisify(execFile);
const program = (name: string) => join(process.env.PG_BIN!, name);
const MESSAGES = Object.values(BUSY_TEXTS).flat();

let parley: Parley;
let chatwoot: Chatwoot;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-chatwoot-'));
  parley = await Parley.start();
  chatwoot = await Chatwoot.create();
  await addBusyAccount(chatwoot);
});
afterAll(async () => {
  await chatwoot.drop();
  await parley.stop();
  await rm(folder, { recursive: true });
});

// Each as docs/operate/moving.md says it.
it.each([
  ['plain', 'psql', ['--file']],
  ['custom', 'pg_restore', ['--no-owner']],
])('imports a %s dump of Chatwoot that was restored with %s', async (format, restore, args) => {
  const path = join(folder, format);
  await run(program('pg_dump'), ['--no-owner', '--format', format, '--file', path, chatwoot.url]);
  const copy = await createDatabase({ isMigrated: false });
  await run(program(restore), ['--dbname', copy.url, ...args, path]);
  const { id } = await parley.createTenant();
  const cli = new Cli({ DATABASE_URL: parley.databaseUrl });
  const take = () => cli.json('import', copy.url, '--from', 'chatwoot', '--account', '1', '--org', id);
  const notes = MESSAGES.filter((text) => text.startsWith('NOTE')).length;
  expect(await take()).toEqual({ chats: 7, messages: MESSAGES.length - notes, notes, skipped: 1 });
  expect(await take()).toEqual({ chats: 0, messages: 0, notes: 0, skipped: 1 });
  await copy.drop();
});
