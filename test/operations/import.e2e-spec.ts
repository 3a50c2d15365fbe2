import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MissedAnswers } from '../../src/mail/kinds/missed.service.js';
import { MailServer } from '../mail/support/mail-server.js';
import { search } from '../search/support/searching.js';
import { Cli } from '../support/cli.js';
import { signIdentity } from '../support/identity.js';
import { Parley, type Tenant } from '../support/parley.js';
import { closedPort } from '../support/ports.mjs';
import { readSeqs, upTo } from '../support/traces.js';
import { addShortAccount, Chatwoot } from './support/chatwoot.js';

const CONVERSATION = {
  id: 12,
  created_at: 1_740_823_200,
  status: 'resolved',
  labels: ['refund'],
  meta: { sender: { id: 5, name: 'Zoë', email: 'zoe@example.com', phone_number: null, identifier: null } },
  messages: [
    {
      id: 2,
      content: 'Hello, Zoë',
      message_type: 1,
      created_at: 1_740_823_202,
      private: false,
      sender: { id: 1, name: 'Ada', type: 'user' },
    },
    {
      id: 1,
      content: 'Hello',
      message_type: 0,
      created_at: 1_740_823_201,
      private: false,
      sender: { id: 5, name: 'Zoë', type: 'contact' },
    },
    {
      id: 3,
      content: null,
      message_type: 0,
      created_at: 1_740_823_203,
      private: false,
      attachments: [{ file_type: 'image', data_url: 'https://cw.example/a/b%20c.png' }],
    },
    { id: 4, content: 'Resolved by Ada', message_type: 2, created_at: 1_740_823_204, private: false },
  ],
};
const INTERCOM = {
  type: 'conversation',
  id: '147',
  created_at: 1_740_823_200,
  state: 'closed',
  source: {
    id: '9',
    body: '<p>Hi &amp; hello,</p><p>my <b>order</b> is late</p>',
    author: { type: 'user', id: 'u1', name: 'Zoë', email: 'zoe@example.com' },
    attachments: [],
  },
  contacts: { contacts: [{ type: 'contact', id: 'u1', external_id: 'customer-9' }] },
  tags: { tags: [{ name: 'late' }] },
  conversation_parts: {
    conversation_parts: [
      {
        id: '20',
        part_type: 'comment',
        body: '<p>Sorry!<br>It comes <a href="https://acme.example/t">tomorrow</a></p>',
        created_at: 1_740_823_300,
        author: { type: 'admin', id: '3', name: 'Ada', email: 'ada@acme.example' },
        attachments: [{ name: 'label.pdf', url: 'https://files.example/label.pdf' }],
      },
      {
        id: '21',
        part_type: 'note',
        body: '<p>a regular</p>',
        created_at: 1_740_823_301,
        author: { type: 'admin', id: '3', name: 'Ada' },
      },
      {
        id: '22',
        part_type: 'close',
        body: null,
        created_at: 1_740_823_302,
        author: { type: 'admin', id: '3', name: 'Ada' },
      },
      {
        id: '23',
        part_type: 'comment',
        body: '<p>Rate us</p>',
        created_at: 1_740_823_303,
        author: { type: 'bot', id: '8', name: 'Fin' },
      },
    ],
  },
};

describe('parley import --from', () => {
  let parley: Parley;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-import-'));
    parley = await Parley.start();
  });
  afterAll(async () => {
    await parley.stop();
    await rm(folder, { recursive: true });
  });

  const cli = () => new Cli({ DATABASE_URL: parley.databaseUrl });
  const take = (tenant: Tenant, from: string, path: string, ...more: string[]) =>
    cli().json('import', path, '--from', from, '--org', tenant.id, ...more);
  const fileOf = async (name: string, ...values: unknown[]) => {
    const path = join(folder, name);
    await writeFile(
      path,
      values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n'),
    );
    return path;
  };
  const importedOf = async ({ id }: Tenant) => {
    const rows = await parley.query<{ id: string }>(
      `SELECT id FROM chats WHERE organization_id = $1 AND metadata::text LIKE '%imported%' ORDER BY created_at`,
      [id],
    );
    return rows.map((row) => row.id);
  };
  const messagesOf = async ({ bot }: Tenant, chatId: string) => {
    const { messages } = (await bot.get(`/chats/${chatId}/messages`).expect(200)).body;
    return messages.map(({ sender, content }: any) => [sender.type, sender.name, content]);
  };
  const restored = async () => {
    const chatwoot = await Chatwoot.create();
    await addShortAccount(chatwoot);
    return chatwoot;
  };

  it('no visitor gets an e-mail about what happened before the import', async () => {
    const server = await MailServer.start();
    const mailing = await Parley.start(server.environment, parley.databaseUrl);
    try {
      const tenant = await mailing.createTenant();
      await tenant.admin.patch('', { mail: { transcript: 'ALWAYS' } }).expect(200);
      const now = Math.floor(Date.now() / 1000) - 1_000;
      const messages = CONVERSATION.messages.map((message, at) => ({
        ...message,
        created_at: now + (at === 0 ? 9 : at),
      }));
      const recent = { ...CONVERSATION, created_at: now, messages };
      await take(tenant, 'chatwoot', await fileOf('recent.json', recent));
      await mailing.app.get(MissedAnswers).run();
      expect((await tenant.admin.get('/mails').expect(200)).body.mails).toEqual([]);
      const { chats } = (await tenant.admin.get('/chats').expect(200)).body;
      expect(chats).toContainEqual(expect.objectContaining({ status: 'CLOSED', messageCount: 3 }));
    } finally {
      await mailing.stop();
      await server.close();
    }
  });

  it('takes the conversations of a restored Chatwoot dump, twice as once', async () => {
    const tenant = await parley.createTenant();
    const ada = await parley.signInAgent(tenant, { name: 'Ada', email: 'ada@acme.example', role: 'ADMIN' });
    const chatwoot = await restored();
    const counts = await take(tenant, 'chatwoot', chatwoot.url);
    expect(counts).toEqual({ chats: 2, messages: 7, notes: 1, skipped: 1 });
    const [first, second] = await importedOf(tenant);
    expect(await messagesOf(tenant, first!)).toEqual([
      ['VISITOR', null, 'Where is INV-2026/0815?'],
      ['BOT', 'Helper', 'I am a bot'],
      ['AGENT', 'Ada', 'It is on its way'],
      ['VISITOR', null, '[file: receipt.pdf]'],
      ['BOT', null, 'Give us a rating'],
    ]);
    expect(await messagesOf(tenant, second!)).toEqual([
      ['VISITOR', null, 'hello?'],
      ['AGENT', 'Gone Agent', 'yes'],
    ]);
    const { body: chat } = await tenant.bot.get(`/chats/${first}`).expect(200);
    expect(chat).toMatchObject({
      status: 'CLOSED',
      createdAt: '2025-03-01T10:00:00.000Z',
      metadata: { imported: { from: 'chatwoot', id: '1', labels: ['refund', 'vip'] } },
      visitor: { name: 'Zoë Müller', externalId: 'customer-7', email: 'zoe@example.com' },
    });
    const { body: seen } = await ada.client.get(`/chats/${first}`).expect(200);
    expect(seen).toMatchObject({ messageCount: 5 });
    const { notes } = (await ada.client.get(`/chats/${first}/notes`).expect(200)).body;
    expect(notes).toEqual([
      expect.objectContaining({ content: 'she called before', author: expect.objectContaining({ id: ada.id }) }),
    ]);
    expect(await take(tenant, 'chatwoot', chatwoot.url)).toEqual({ chats: 0, messages: 0, notes: 0, skipped: 1 });
    await chatwoot.say(1, '2025-03-05 09:00:00', {
      content: 'thanks',
      message_type: 0,
      sender_type: 'Contact',
      sender_id: 1,
    });
    expect(await take(tenant, 'chatwoot', chatwoot.url)).toMatchObject({ chats: 0, messages: 1 });
    expect(await readSeqs(parley, tenant.id, first!)).toEqual({ seqs: upTo(6), messageCount: 6 });
    await chatwoot.drop();
  });

  it('a note that a later import brings is found', async () => {
    const tenant = await parley.createTenant();
    const sue = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    const found = async () => (await search(parley, tenant, sue, { q: 'binturong' })).results;
    await take(tenant, 'chatwoot', await fileOf('without-note.json', CONVERSATION));
    expect(await found()).toEqual([]);
    const note = { ...CONVERSATION.messages[0], id: 9, content: 'binturong', private: true };
    const messages = [...CONVERSATION.messages, note];
    const counts = await take(tenant, 'chatwoot', await fileOf('with-note.json', { ...CONVERSATION, messages }));
    expect(counts).toMatchObject({ messages: 0, notes: 1 });
    expect(await found()).toHaveLength(1);
  });

  it('refuses the visitor of another installation, who has the same number', async () => {
    const tenant = await parley.createTenant();
    const of = (sender: object) => ({
      ...CONVERSATION,
      meta: { sender: { ...CONVERSATION.meta.sender, ...sender } },
    });
    await take(tenant, 'chatwoot', await fileOf('first.json', of({ identifier: 'customer-1' })));
    await take(tenant, 'chatwoot', await fileOf('moved.json', of({ email: 'zoe@moved.example' })));
    for (const sender of [{ identifier: 'customer-2' }, { name: 'Max', email: 'max@example.com' }]) {
      const path = await fileOf('other.json', of(sender));
      const result = await cli().run('import', path, '--from', 'chatwoot', '--org', tenant.id);
      expect(result).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/visitor vis_\w+ is customer-1 here, and /),
      });
    }
  });

  it('gives a signed visitor the history that was imported', async () => {
    const tenant = await parley.createTenant();
    await take(tenant, 'intercom', await fileOf('signed.jsonl', INTERCOM));
    const [chatId] = await importedOf(tenant);
    const identity = await signIdentity(tenant, { sub: 'customer-9' });
    const { token } = (await parley.beginSession(tenant, { identity }).expect(201)).body;
    const { chats } = (await parley.visitor(token).get('/chats').expect(200)).body;
    expect(chats).toContainEqual(expect.objectContaining({ id: chatId, status: 'CLOSED' }));
    expect(await take(tenant, 'intercom', join(folder, 'signed.jsonl'))).toMatchObject({ chats: 0, messages: 0 });
  });

  it("takes what Chatwoot's API answers, in the order of time, without what is no message", async () => {
    const tenant = await parley.createTenant();
    expect(await take(tenant, 'chatwoot', await fileOf('chatwoot.json', [CONVERSATION]))).toEqual({
      chats: 1,
      messages: 3,
      notes: 0,
      skipped: 0,
    });
    const [chatId] = await importedOf(tenant);
    expect(await messagesOf(tenant, chatId!)).toEqual([
      ['VISITOR', 'Zoë', 'Hello'],
      ['AGENT', 'Ada', 'Hello, Zoë'],
      ['VISITOR', null, '[file: b c.png, https://cw.example/a/b%20c.png]'],
    ]);
  });

  it("keeps the order of a second's messages in Chatwoot's API, whose pages have the newest first", async () => {
    const tenant = await parley.createTenant();
    const ids = [110, 100, 99, 9];
    const messages = ids.map((id) => ({ id, content: `message ${id}`, message_type: 0, created_at: 1_740_823_201 }));
    await take(tenant, 'chatwoot', await fileOf('second.json', { ...CONVERSATION, messages }));
    const [chatId] = await importedOf(tenant);
    const contents = (await messagesOf(tenant, chatId!)).map(([, , content]: string[]) => content);
    expect(contents).toEqual(ids.toReversed().map((id) => `message ${id}`));
  });

  it('adds an entry with its source and its counts to the audit log of the installation', async () => {
    const tenant = await parley.createTenant();
    await take(tenant, 'chatwoot', await fileOf('audited.json', CONVERSATION));
    const entries = await parley.query(
      'SELECT actor_type, action, target_name, details FROM installation_entries WHERE target = $1 ORDER BY at DESC LIMIT 1',
      [tenant.id],
    );
    const details = { from: 'chatwoot', chats: 1, messages: 3, notes: 0, skipped: 0 };
    const [actor_type, action, target_name] = ['SYSTEM', 'organization.imported', 'Acme'];
    expect(entries).toEqual([{ actor_type, action, target_name, details }]);
  });

  it('adds an entry of what was stored before a failure', async () => {
    const tenant = await parley.createTenant();
    const short = { ...INTERCOM, conversation_parts: { conversation_parts: [] } };
    const lines = Array.from({ length: 60 }, (_, n) =>
      JSON.stringify({ ...short, id: `conversation-${n}`, source: { ...short.source, id: `source-${n}` } }),
    );
    const path = join(folder, 'broken.jsonl');
    await writeFile(path, `${lines.join('\n')}\n{"type":"conversation","id":"x"}\n`);
    const { code } = await cli().run('import', path, '--from', 'intercom', '--org', tenant.id);
    expect(code).toBe(1);
    const stored = await importedOf(tenant);
    expect(stored).toHaveLength(50);
    const [entry] = await parley.query<{ details: object }>(
      'SELECT details FROM installation_entries WHERE target = $1 ORDER BY at DESC LIMIT 1',
      [tenant.id],
    );
    expect(entry!.details).toMatchObject({ from: 'intercom', chats: 50, isComplete: false });
  });

  it("takes Intercom's conversations as text", async () => {
    const tenant = await parley.createTenant();
    expect(await take(tenant, 'intercom', await fileOf('intercom.jsonl', INTERCOM))).toEqual({
      chats: 1,
      messages: 3,
      notes: 1,
      skipped: 0,
    });
    const [chatId] = await importedOf(tenant);
    expect(await messagesOf(tenant, chatId!)).toEqual([
      ['VISITOR', 'Zoë', 'Hi & hello,\n\nmy order is late'],
      [
        'AGENT',
        'Ada',
        'Sorry!\nIt comes tomorrow [https://acme.example/t]\n[file: label.pdf, https://files.example/label.pdf]',
      ],
      ['BOT', 'Fin', 'Rate us'],
    ]);
  });

  it('keeps long and odd texts', async () => {
    const tenant = await parley.createTenant();
    const long = `${'word '.repeat(1_500)}end`;
    const texts = [long, '\u0000 \ud800x\u2028y \u{1f600}', '   ', '<b>not html here</b>'];
    const messages = texts.map((content, at) => ({ id: at, content, message_type: 0, created_at: 1_740_823_201 + at }));
    const odd = { ...CONVERSATION, meta: { sender: { id: 6, name: 'x'.repeat(500), email: 'no address' } }, messages };
    expect(await take(tenant, 'chatwoot', await fileOf('odd.jsonl', odd))).toMatchObject({ chats: 1, messages: 4 });
    const [chatId] = await importedOf(tenant);
    const contents = (await messagesOf(tenant, chatId!)).map(([, , content]: string[]) => content);
    expect(contents.slice(0, 2).join(' ')).toBe(long);
    expect(contents.slice(2)).toEqual(['\ufffdx\u2028y \u{1f600}', '<b>not html here</b>']);
    const { body } = await tenant.bot.get(`/chats/${chatId}`).expect(200);
    expect(body.visitor).toMatchObject({ name: 'x'.repeat(200), email: null });
  });

  it('takes names, ids, and labels without what PostgreSQL cannot store', async () => {
    const tenant = await parley.createTenant();
    const sender = { id: 7, name: 'Z\u0000oë', email: 'zoe\ud800@example.com', identifier: 'customer\u0000-7' };
    const odd = { ...CONVERSATION, id: '12\u0000', labels: ['re\u0000fund'], meta: { sender } };
    expect(await take(tenant, 'chatwoot', await fileOf('unstorable.jsonl', odd))).toMatchObject({ chats: 1 });
    const [chatId] = await importedOf(tenant);
    const { body } = await tenant.bot.get(`/chats/${chatId}`).expect(200);
    expect(body.visitor).toMatchObject({ name: 'Zoë', externalId: 'customer-7' });
    expect(body.metadata.imported).toMatchObject({ id: '12', labels: ['refund'] });
  });

  it('an error names the place of what is wrong', async () => {
    const tenant = await parley.createTenant();
    const refuses = async (stderr: string, from: string, path: string, ...more: string[]) => {
      const { code, stderr: said } = await cli().run('import', path, '--from', from, '--org', tenant.id, ...more);
      expect([code, said]).toEqual([expect.any(Number), `parley: ${stderr}\n`]);
      expect(code).toBeGreaterThan(0);
    };
    const path = await fileOf('broken.jsonl', CONVERSATION, '{');
    await refuses(`${path}, line 2 isn't JSON`, 'chatwoot', path);
    const other = await fileOf('other.jsonl', INTERCOM);
    await refuses(
      `${other}, line 1 isn't a conversation with meta.sender and messages, as Chatwoot's API answers`,
      'chatwoot',
      other,
    );
    const [message] = CONVERSATION.messages;
    const timeless = await fileOf('time.jsonl', { ...CONVERSATION, messages: [{ ...message, created_at: 'soon' }] });
    await refuses(`${timeless}, line 1: messages[0]: created_at must be a time`, 'chatwoot', timeless);
    await refuses(`${folder}/none doesn't exist`, 'intercom', `${folder}/none`);
    await refuses('--from must be chatwoot or intercom', 'zendesk', path);
    await refuses(`organization ${tenant.id} has no group grp_none`, 'chatwoot', path, '--group', 'grp_none');
    const chatwoot = await restored();
    await chatwoot.add('accounts', { name: 'Other' });
    await refuses(
      `Chatwoot's database has several accounts: name one with --account: 1 (Acme), 2 (Other)`,
      'chatwoot',
      chatwoot.url,
    );
    expect(await take(tenant, 'chatwoot', chatwoot.url, '--account', '2')).toMatchObject({ chats: 0 });
    for (let id = 3; id <= 25; id++) await chatwoot.add('accounts', { name: `Other ${id}` });
    expect(await take(tenant, 'chatwoot', chatwoot.url, '--account', '25')).toMatchObject({ chats: 0 });
    const args = ['import', chatwoot.url, '--from', 'chatwoot', '--org', tenant.id, '--account', '26'];
    const unknown = await cli().run(...args);
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('has no account 26: it has 1 (Acme), ') });
    const away = `postgres://127.0.0.1:${await closedPort()}/chatwoot_copy`;
    const unreachable = await cli().run('import', away, '--from', 'chatwoot', '--org', tenant.id);
    expect(unreachable).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^parley: Chatwoot's database \(127\.0\.0\.1:\d+\/chatwoot_copy\) said: connection refused/,
      ),
    });
    await chatwoot.drop();
  });

  it('warns if retention will remove what is imported', async () => {
    const tenant = await parley.createTenant();
    await tenant.admin.patch('', { retentionDays: 30 }).expect(200);
    const path = await fileOf('kept.jsonl', CONVERSATION);
    const { code, stdout, stderr } = await cli().run('import', path, '--from', 'chatwoot', '--org', tenant.id);
    expect([code, stdout]).toEqual([
      0,
      `imported into organization ${tenant.id} (Acme): 1 chats, 3 messages, 0 notes; 0 conversations were skipped\n`,
    ]);
    expect(stderr).toBe('the organization keeps messages for 30 days: the next run of retention removes older ones\n');
  });
});
