import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataRemoval } from '../../src/privacy/data-removal.js';
import { PNG } from '../files/support/files.js';
import { eventually } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { type ArrivedMail, MailServer } from './support/mail-server.js';
import { answer, beginChat, passTime, verify, type Writer } from './support/missing.js';
import { deliver, INBOUND, replyTo } from './support/replies.js';

describe('a reply by mail', () => {
  let server: MailServer;
  let parley: Parley;
  let tenant: Tenant;
  let ada: SignedInAgent;
  let count = 0;

  beforeAll(async () => {
    server = await MailServer.start();
    parley = await Parley.start({ ...server.environment, ...INBOUND, FILE_MAX_SIZE: '100000' });
    tenant = await parley.createTenant({ name: 'Acme' });
    await tenant.admin.patch('', { visitorUploads: true }).expect(200);
    ada = await parley.signInAgent(tenant, { role: 'ADMIN' });
  });

  afterAll(async () => {
    await parley.stop();
    await server.close();
  });

  /** A chat whose visitor was mailed a missed answer. */
  const mailed = async ({ isVerified = true, of = tenant } = {}): Promise<
    Writer & { email: string; mail: ArrivedMail }
  > => {
    const email = `vera${++count}@example.com`;
    const writer = await beginChat(parley, of, email);
    if (isVerified) await verify(parley, writer.visitorId);
    await answer(of, writer.chatId, 'the first line of an answer\nand its second line');
    await passTime(parley, writer.chatId);
    const [mail] = await server.arrived(email);
    return { ...writer, email, mail: mail! };
  };
  const messagesOf = async (chatId: string) =>
    (await tenant.bot.get(`/chats/${chatId}/messages`).expect(200)).body.messages as {
      content: string;
      sender: { type: string };
      files?: { name: string }[];
    }[];
  const ofVisitor = async (chatId: string) =>
    (await messagesOf(chatId)).filter(({ sender }) => sender.type === 'VISITOR').map(({ content }) => content);
  const detailOf = async (chatId: string) => (await ada.client.get(`/chats/${chatId}`).expect(200)).body;
  const arrived = async () => (await tenant.admin.get('/mails/arrived').expect(200)).body.mails as any[];

  it('becomes the message of the verified visitor once, without what it quotes', async () => {
    const { chatId, email, mail } = await mailed();
    const reply = replyTo(mail, { from: email, text: 'Yes, please.\r\nTomorrow?' });
    expect(await deliver(parley, reply)).toEqual({ status: 200, body: { status: 'stored' } });
    expect(await deliver(parley, reply)).toEqual({ status: 200, body: { status: 'duplicate' } });
    expect(await ofVisitor(chatId)).toEqual(['a question', 'Yes, please.\nTomorrow?']);
    const { messages } = (await ada.client.get(`/chats/${chatId}/messages`).expect(200)).body;
    expect(messages.at(-1).fullText).toContain('> and its second line');
    expect((await messagesOf(chatId)).at(-1)).not.toHaveProperty('fullText');
    expect((await arrived())[0]).toMatchObject({ status: 'STORED', from: email, chatId });
  });

  it('its whole text is removed with its message by retention', async () => {
    const other = await parley.createTenant({ name: 'Brief' });
    const { chatId, email, mail } = await mailed({ of: other });
    await deliver(parley, replyTo(mail, { from: email, text: 'only words' }));
    const grace = await parley.signInAgent(other, { role: 'ADMIN' });
    const newest = async () => (await grace.client.get(`/chats/${chatId}/messages`).expect(200)).body.messages.at(-1);
    const texts = () => parley.query("SELECT FROM inbound_mails WHERE chat_id = $1 AND full_text <> ''", [chatId]);
    expect((await newest()).fullText).toContain('only words');
    await parley.admin.patch(`/${other.id}`, { retentionDays: 30 }).expect(200);
    // A later message keeps the chat.
    await answer(other, chatId, 'a late answer');
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    await parley.query(
      `WITH moved AS (UPDATE messages SET created_at = $2 WHERE chat_id = $1 AND content = 'a late answer')
      UPDATE chats SET last_message_at = $2 WHERE id = $1`,
      [chatId, inDays(20)],
    );
    await parley.app.get(DataRemoval).run(inDays(31));
    expect(await texts()).toEqual([]);
    // Earlier releases left the texts of removed messages.
    await parley.query("UPDATE inbound_mails SET full_text = 'only words' WHERE chat_id = $1", [chatId]);
    const { messages } = (await grace.client.get(`/chats/${chatId}/messages`).expect(200)).body;
    expect(JSON.stringify(messages)).not.toContain('only words');
  });

  it('of two deliveries at a time, one is stored', async () => {
    const { chatId, email, mail } = await mailed();
    const reply = replyTo(mail, { from: email });
    const answers = await Promise.all([deliver(parley, reply), deliver(parley, reply), deliver(parley, reply)]);
    expect(answers.map(({ body }) => body.status as string).toSorted()).toEqual(['duplicate', 'duplicate', 'stored']);
    expect(await ofVisitor(chatId)).toEqual(['a question', 'an answer']);
  });

  it('finds its chat by a token in any case, by what the transport says, and by the mails that it refers to', async () => {
    const { chatId, email, mail } = await mailed();
    const to = mail.headers['reply-to']!;
    const send = (text: string, headers: Record<string, string | null>, query = '') =>
      deliver(parley, replyTo(mail, { from: email, text, headers }), { query });
    const plain = { To: 'support@parley.example', References: null, 'In-Reply-To': null };
    expect((await send('one', { ...plain, To: to.toUpperCase() })).body.status).toBe('stored');
    expect((await send('two', { ...plain, 'Delivered-To': to })).body.status).toBe('stored');
    expect((await send('three', plain, `?recipient=${encodeURIComponent(to)}`)).body.status).toBe('stored');
    expect((await send('four', { ...plain, References: mail.headers['message-id']! })).body.status).toBe('stored');
    expect((await send('five', plain)).body).toEqual({ status: 'refused', reason: 'unknown_token' });
    expect(await ofVisitor(chatId)).toEqual(['a question', 'one', 'two', 'three', 'four']);
  });

  it('reopens a chat that has ended', async () => {
    const { chatId, email, mail, token } = await mailed();
    await parley.visitor(token).post(`/chats/${chatId}/close`, {}).expect(200);
    expect((await deliver(parley, replyTo(mail, { from: email }))).body.status).toBe('stored');
    expect((await tenant.bot.get(`/chats/${chatId}`).expect(200)).body.status).toBe('ACTIVE');
  });

  it('its files are files of the message, and files that no chat takes are named', async () => {
    const { chatId, email, mail } = await mailed();
    const files = [
      { name: 'photo.png', type: 'image/png', content: PNG },
      { name: 'setup.exe', type: 'application/octet-stream', content: Buffer.from('MZ\0\0not for a chat') },
      { name: 'empty.txt', type: 'text/plain', content: Buffer.alloc(0) },
      { name: 'long.txt', type: 'text/plain', content: Buffer.alloc(100_001, 'a') },
    ];
    expect((await deliver(parley, replyTo(mail, { from: email, text: 'See this', files }))).body.status).toBe('stored');
    const stored = (await messagesOf(chatId)).at(-1)!;
    expect(stored.files).toEqual([expect.objectContaining({ name: 'photo.png', type: 'image/png', width: 3 })]);
    expect(stored.content).toBe('See this\n\n📎 setup.exe\n📎 empty.txt\n📎 long.txt');
  });

  it('the message has no token of ours, even where its words quote one', async () => {
    const { chatId, email, mail } = await mailed();
    const [link] = /https:\S+#prl_vln_\w+/.exec(mail.text)!;
    const unsubscribe = /https:\S+\/unsubscribe\/\w+/.exec(mail.text)![0];
    const checked = `https://eur01.safelinks.protection.outlook.com/?url=${encodeURIComponent(unsubscribe)}`;
    const text = `Is this your link? ${link} Or this? ${checked} And this your address? ${mail.headers['reply-to']}`;
    await deliver(parley, replyTo(mail, { from: email, text }));
    const { messages } = (await ada.client.get(`/chats/${chatId}/messages`).expect(200)).body;
    const token = mail.headers['reply-to']!.slice('support+'.length, -'@parley.example'.length);
    for (const secret of ['prl_vln_', token]) expect(JSON.stringify(messages.at(-1))).not.toContain(secret);
    expect(messages.at(-1).content).toContain('Is this your link?');
  });

  describe('that nothing proves', () => {
    const UNPROVEN: [string, (email: string) => Parameters<typeof replyTo>[1]][] = [
      ['from another address', () => ({ from: 'mallory@evil.example' })],
      ['without proof', (email) => ({ from: email, isProven: false })],
      [
        'with proof by a server that we do not know',
        (email) => ({
          from: email,
          headers: { 'Authentication-Results': 'evil.example; dmarc=pass header.from=example.com' },
        }),
      ],
      [
        'from an address in a comment',
        (email) => ({
          from: 'mallory@example.com',
          headers: { From: `a (b) <${email}>) mallory@example.com` },
        }),
      ],
      [
        'whose proof the sender wrote into a comment',
        (email) => ({
          from: email,
          headers: {
            'Authentication-Results':
              'mx.parley.example; spf=pass (domain of "x); dmarc=pass header.from=example.com; y=z ("@evil.example); dmarc=none header.from=example.com',
          },
        }),
      ],
      [
        'with two results of DMARC',
        (email) => ({
          from: email,
          headers: {
            'Authentication-Results':
              'mx.parley.example; dmarc=pass header.from=example.com; dmarc=none header.from=example.com',
          },
        }),
      ],
      ['by a mailing list', (email) => ({ from: email, headers: { 'List-Id': '<list.example.com>' } })],
    ];

    it.each(UNPROVEN)('%s waits for an agent, and bots and the visitor get nothing of it', async (_, reply) => {
      const { chatId, email, mail, token } = await mailed();
      const before = (await detailOf(chatId)).rev as number;
      const given = reply(email)!;
      const { body } = await deliver(parley, replyTo(mail, { ...given, text: 'secret words' }));
      expect(body).toEqual({ status: 'to_check' });
      const detail = await detailOf(chatId);
      expect(detail).toMatchObject({
        mailsToCheck: 1,
        mails: [{ from: given.headers?.From ? null : given.from, text: 'secret words', files: [] }],
      });
      expect(detail.rev).toBeGreaterThan(before);
      expect(await ofVisitor(chatId)).toEqual(['a question']);
      const seen = await parley.visitor(token).get(`/chats/${chatId}/messages`).expect(200);
      expect(JSON.stringify(seen.body)).not.toContain('secret');
      expect(JSON.stringify((await tenant.bot.get(`/chats/${chatId}`).expect(200)).body)).not.toContain('secret');
    });

    it('administrators see that it waits while a bot has the chat', async () => {
      const other = await parley.createTenant();
      const grace = await parley.signInAgent(other, { role: 'ADMIN' });
      const { chatId, mail } = await mailed({ of: other });
      const found = async () => (await other.admin.get('/health').expect(200)).body.troubles as { kind: string }[];
      await deliver(parley, replyTo(mail, { from: 'mallory@evil.example', text: 'let me in' }));
      const [trouble] = await eventually(found, ({ length }) => length > 0);
      expect(trouble).toEqual({ kind: 'mail_to_check', id: chatId, name: null, since: expect.any(String), count: 1 });
      // A person who has the chat sees it there.
      await grace.client.post(`/chats/${chatId}/claim`, { force: true }).expect(200);
      await eventually(found, ({ length }) => length === 0);
      const [{ id }] = (await grace.client.get(`/chats/${chatId}`).expect(200)).body.mails;
      await grace.client.delete(`/chats/${chatId}/mails/${id}`).expect(204);
      await eventually(found, ({ length }) => length === 0);
    });

    it('waits if the address was never verified', async () => {
      const { chatId, email, mail } = await mailed({ isVerified: false });
      expect((await deliver(parley, replyTo(mail, { from: email }))).body.status).toBe('to_check');
      const { chats } = (await ada.client.get(`/chats/search?search=${chatId}`).expect(200)).body;
      expect(chats[0].mailsToCheck).toBe(1);
    });

    it("a mail becomes the visitor's message once an agent accepts it, with its files, and only once", async () => {
      const { chatId, mail, email } = await mailed({ isVerified: false });
      const files = [{ name: 'photo.png', type: 'image/png', content: PNG }];
      await deliver(parley, replyTo(mail, { from: email, text: 'It is me', files }));
      const { mails } = await detailOf(chatId);
      expect(mails[0].files).toEqual([expect.objectContaining({ name: 'photo.png', url: expect.any(String) })]);
      const path = `/chats/${chatId}/mails/${mails[0].id}`;
      const other = await parley.createTenant();
      const eve = await parley.signInAgent(other, { role: 'ADMIN' });
      await eve.client.post(`${path}/accept`, {}).expect(404);
      const accepted = await Promise.all([1, 2].map(() => ada.client.post(`${path}/accept`, {})));
      expect(accepted.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
      await ada.client.delete(path).expect(404);
      const last = (await messagesOf(chatId)).at(-1)!;
      expect(last).toMatchObject({ content: 'It is me', sender: { type: 'VISITOR' }, files: [{ name: 'photo.png' }] });
      expect(await detailOf(chatId)).toMatchObject({ mailsToCheck: 0, mails: [] });
      const audit = (await tenant.admin.get('/audit?action=mail.accepted').expect(200)).body.entries;
      expect(audit[0]).toMatchObject({ target: mails[0].id, actor: { type: 'AGENT' } });
      // The next one waits again.
      expect((await deliver(parley, replyTo(mail, { from: email, text: 'Me again' }))).body.status).toBe('to_check');
    });

    it('a dropped mail is removed with its files', async () => {
      const { chatId, mail } = await mailed();
      const files = [{ name: 'photo.png', type: 'image/png', content: PNG }];
      await deliver(parley, replyTo(mail, { from: 'mallory@evil.example', files }));
      const { mails } = await detailOf(chatId);
      await ada.client.delete(`/chats/${chatId}/mails/${mails[0].id}`).expect(204);
      await ada.client.delete(`/chats/${chatId}/mails/${mails[0].id}`).expect(404);
      expect(await detailOf(chatId)).toMatchObject({ mailsToCheck: 0, mails: [] });
      const { pathname, search } = new URL(mails[0].files[0].url);
      expect((await fetch(parley.url + pathname + search)).status).toBe(404);
      expect(await ofVisitor(chatId)).toEqual(['a question']);
    });

    it('reopens an ended chat for the agents of its group, and not for the bots', async () => {
      const { chatId, mail, token } = await mailed();
      await parley.visitor(token).post(`/chats/${chatId}/close`, {}).expect(200);
      await deliver(parley, replyTo(mail, { from: 'mallory@evil.example' }));
      expect((await detailOf(chatId)).owner).toBe('QUEUE');
    });

    it("a forged mail with the same Message-ID doesn't keep the visitor's own mail out", async () => {
      const { chatId, email, mail } = await mailed();
      const headers = { 'Message-ID': '<known@example.com>' };
      await deliver(parley, replyTo(mail, { from: email, isProven: false, headers, text: 'forged' }));
      const { body } = await deliver(parley, replyTo(mail, { from: email, headers, text: 'real' }));
      expect(body.status).toBe('stored');
      expect(await ofVisitor(chatId)).toEqual(['a question', 'real']);
    });
  });
});
