import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cli } from '../support/cli.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Chatwoot } from './support/chatwoot.js';
import { addBusyAccount, BUSY_TEXTS, busyApi } from './support/chatwoot-history.js';
import { busyIntercom, INTERCOM_TEXTS } from './support/intercom-history.js';

describe('parley import --from, with everything that the other systems store', () => {
  let parley: Parley;
  let folder: string;
  let chatwoot: Chatwoot;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-import-'));
    parley = await Parley.start();
    chatwoot = await Chatwoot.create();
    await addBusyAccount(chatwoot);
  });
  afterAll(async () => {
    await chatwoot.drop();
    await parley.stop();
    await rm(folder, { recursive: true });
  });

  const cli = () => new Cli({ DATABASE_URL: parley.databaseUrl });
  const take = (tenant: Tenant, from: string, path: string, ...more: string[]) =>
    cli().json('import', path, '--from', from, '--org', tenant.id, ...more);
  // All messages and notes by the conversation's id there, each as its sender and its text.
  const textsOf = async (tenant: Tenant) => {
    const rows = await parley.query<{ id: string; kind: string; name: string | null; content: string }>(
      `SELECT c.metadata #>> '{imported,id}' AS id, s.kind, s.name, s.content FROM chats c JOIN (
         SELECT chat_id, sender_type AS kind, CASE WHEN sender_type <> 'VISITOR' THEN sender_name END AS name, content, seq, 0 AS note FROM messages WHERE organization_id = $1
         UNION ALL SELECT chat_id, 'NOTE', author_name, content, after_seq, 1 FROM notes WHERE organization_id = $1
       ) s ON s.chat_id = c.id WHERE c.organization_id = $1 AND c.metadata::jsonb ? 'imported' ORDER BY c.created_at, s.seq, s.note`,
      [tenant.id],
    );
    const texts: Record<string, string[]> = {};
    for (const { id, kind, name, content } of rows) (texts[id] ??= []).push(`${kind} ${name ?? '–'}: ${content}`);
    return texts;
  };

  it('takes every kind of message of a Chatwoot database, and twice as once', async () => {
    const tenant = await parley.createTenant();
    const counts = await take(tenant, 'chatwoot', chatwoot.url, '--account', '1');
    expect(await textsOf(tenant)).toEqual(BUSY_TEXTS);
    const all = Object.values(BUSY_TEXTS).flat();
    const notes = all.filter((text) => text.startsWith('NOTE')).length;
    expect(counts).toEqual({ chats: 7, messages: all.length - notes, notes, skipped: 1 });
    expect(await take(tenant, 'chatwoot', chatwoot.url, '--account', '1')).toMatchObject({
      chats: 0,
      messages: 0,
      notes: 0,
    });
    const chats = await parley.query(
      `SELECT c.metadata -> 'imported' -> 'labels' AS labels, v.name, v.email, v.external_id FROM chats c JOIN visitors v ON v.id = c.visitor_id
       WHERE c.organization_id = $1 AND c.metadata::jsonb ? 'imported' ORDER BY (c.metadata #>> '{imported,id}')::integer`,
      [tenant.id],
    );
    expect(chats.slice(0, 3)).toEqual([
      { labels: ['billing', 'vip'], name: 'Zoë Müller', email: 'zoe@example.com', external_id: 'customer-7' },
      { labels: ['old'], name: 'Merged Person', email: null, external_id: null },
      { labels: null, name: null, email: null, external_id: null },
    ]);
    expect(await take(tenant, 'chatwoot', chatwoot.url, '--account', '2')).toMatchObject({ chats: 1, messages: 1 });
  });

  it("takes the same from Chatwoot's API, and finds agents in the list beside the conversations", async () => {
    const tenant = await parley.createTenant();
    const ada = await parley.signInAgent(tenant, { name: 'Ada', email: 'ada@acme.example', role: 'AGENT' });
    const path = join(folder, 'api.jsonl');
    await writeFile(
      path,
      busyApi()
        .map((value) => JSON.stringify(value))
        .join('\n'),
    );
    const counts = await take(tenant, 'chatwoot', path);
    const withoutAddresses = (texts: readonly string[] | undefined) =>
      texts?.map((text) => text.replaceAll(/(\[file: [^,\]]+), https:\/\/cw\.example[^\]]*/g, '$1'));
    expect(withoutAddresses((await textsOf(tenant))['1'])).toEqual(BUSY_TEXTS['1']);
    const [own] = await parley.query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM messages WHERE organization_id = $1 AND sender_id = $2',
      [tenant.id, ada.id],
    );
    expect(own!.count).toBe(1);
    const fromDatabase = await take(tenant, 'chatwoot', chatwoot.url, '--account', '1');
    expect(fromDatabase).toMatchObject({ chats: 7 - counts.chats });
    expect(withoutAddresses((await textsOf(tenant))['1'])).toEqual(BUSY_TEXTS['1']);
  });

  it('names the row that it cannot read', async () => {
    const tenant = await parley.createTenant();
    const broken = await Chatwoot.create();
    await addBusyAccount(broken);
    const refused = async (expected: string) => {
      const args = ['import', broken.url, '--from', 'chatwoot', '--account', '1', '--org', tenant.id];
      expect(await cli().run(...args)).toMatchObject({ code: 1, stderr: `parley: ${expected}\n` });
    };
    await broken.query(`UPDATE messages SET content_attributes = to_json('{"deleted": tr'::text) WHERE id = 3`);
    await refused("message 3: content_attributes isn't JSON");
    await broken.query(`UPDATE messages SET content_attributes = '{}', created_at = '-infinity' WHERE id = 3`);
    await refused("Chatwoot's database, message 3: created_at must be a time");
    await broken.query(
      `DELETE FROM messages WHERE id = 3; UPDATE conversations SET created_at = '1969-07-20' WHERE id = 2`,
    );
    await refused("Chatwoot's database, conversation 2: created_at must be a time");
    await broken.drop();
  });

  it('takes a message that stands on two pages once, and refuses a time in milliseconds', async () => {
    const tenant = await parley.createTenant();
    const path = join(folder, 'pages.jsonl');
    const sender = { id: 7, type: 'contact', name: 'Zoe' };
    const message = { id: 1, message_type: 0, content: 'Hi', created_at: 1_700_000_000, sender };
    const conversation = { id: 1, account_id: 1, created_at: 1_700_000_000, labels: [], meta: { sender } };
    await writeFile(path, JSON.stringify({ ...conversation, messages: [message, message] }));
    expect(await take(tenant, 'chatwoot', path)).toMatchObject({ chats: 1, messages: 1 });
    await writeFile(
      path,
      JSON.stringify({ ...conversation, id: 2, created_at: 1_700_000_000_000, messages: [message] }),
    );
    const { code, stderr } = await cli().run('import', path, '--from', 'chatwoot', '--org', tenant.id);
    expect([code, stderr]).toEqual([1, expect.stringContaining('created_at must be a time')]);
    await rm(path);
  });

  it('takes every kind of part of Intercom, with its contacts, and twice as once', async () => {
    const tenant = await parley.createTenant();
    for (const [name, value] of Object.entries(busyIntercom()))
      await writeFile(join(folder, name), JSON.stringify(value));
    await rm(join(folder, 'api.jsonl'), { force: true });
    const args = ['import', folder, '--from', 'intercom', '--org', tenant.id, '--json'];
    const { code, stdout, stderr } = await cli().run(...args);
    expect([code, stderr]).toEqual([
      0,
      'conversation 502 has 512 parts, and the answer 1: Intercom gives the last 500 only\n',
    ]);
    expect(await textsOf(tenant)).toEqual(INTERCOM_TEXTS);
    expect(JSON.parse(stdout)).toMatchObject({ chats: 3, skipped: 0 });
    const people = await parley.query(
      `SELECT v.name, v.email, v.external_id, v.metadata ->> 'phone' AS phone FROM chats c JOIN visitors v ON v.id = c.visitor_id
       WHERE c.organization_id = $1 AND c.metadata::jsonb ? 'imported' ORDER BY c.created_at`,
      [tenant.id],
    );
    expect(people).toEqual([
      { name: 'Zoë', email: 'zoe@example.com', external_id: 'customer-9', phone: '+353871234567' },
      { name: 'Silent Lead', email: 'lead@example.com', external_id: null, phone: null },
      { name: null, email: null, external_id: null, phone: null },
    ]);
    expect(await take(tenant, 'intercom', folder)).toMatchObject({ chats: 0, messages: 0, notes: 0 });
  });
});
