import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { MissedAnswers } from '../../src/mail/kinds/missed.service.js';
import { Parley, type Tenant } from '../support/parley.js';
import { MailServer, Refusal } from './support/mail-server.js';
import { hasten, listMails, untilMail } from './support/mails.js';
import { answer, beginChat, verify, type Writer } from './support/missing.js';

describe('transcripts', () => {
  let server: MailServer;
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    server = await MailServer.start();
    parley = await Parley.start(server.environment);
    tenant = await parley.createTenant({ name: 'Acme' });
    await tenant.admin.patch('', { timeZone: 'Europe/Berlin' }).expect(200);
  });

  afterAll(async () => {
    await parley.stop();
    await server.close();
  });

  const begin = async (email: string) => {
    const writer = await beginChat(parley, tenant, email);
    await verify(parley, writer.visitorId);
    await answer(tenant, writer.chatId, 'first <b>answer</b>');
    return writer;
  };
  const ask = ({ token, chatId }: Writer) => parley.visitor(token).post(`/chats/${chatId}/transcript`, {});
  const signIn = () => parley.signInAgent(tenant, { role: 'ADMIN' });
  const transcriptsTo = async (to: string) =>
    (await listMails(tenant)).filter((mail) => mail.to === to && mail.kind === 'transcript');
  const close = ({ chatId }: Writer) => tenant.admin.patch(`/chats/${chatId}`, { status: 'CLOSED' }).expect(200);
  const queueOfEnded = () => parley.app.get(MissedAnswers).run();
  const set = (mail: object) => tenant.admin.patch('', { mail }).expect(200);

  it('a transcript that a visitor asks for has what everyone wrote, when, and the link', async () => {
    const writer = await begin('asks@example.com');
    const ada = await signIn();
    await ada.client.post(`/chats/${writer.chatId}/claim`, {}).expect(200);
    await ada.client.post(`/chats/${writer.chatId}/messages`, { content: 'from Ada' }).expect(201);
    await ada.client.post(`/chats/${writer.chatId}/notes`, { content: 'a secret note' }).expect(201);
    const asked = await ask(writer);
    expect([asked.status, asked.text]).toEqual([202, '']);
    const [mail] = await server.arrived('asks@example.com');
    expect(mail!.text).toMatch(
      /Europe\/Berlin[^]*You · .+\d{4}.+:\na question\n\nBot · AI · .+:\nfirst <b>answer<\/b>\n\nAda · .+:\nfrom Ada/,
    );
    expect(mail!.text).toMatch(/\/continue#prl_vln_/);
    expect(mail!.source).not.toMatch(/secret note|joined the chat/);
    expect(mail!.html).toContain('first &lt;b&gt;answer&lt;/b&gt;');
    expect(mail!.headers).not.toHaveProperty('auto-submitted');
    expect(mail!.headers).not.toHaveProperty('list-unsubscribe');
  });

  it('a transcript has the newest 500 messages and 200,000 characters, and says so', async () => {
    const writer = await begin('long@example.com');
    await parley.query(
      `INSERT INTO messages (organization_id, chat_id, seq, id, type, content, sender_type, sender_id, sender_name, created_at)
      SELECT organization_id, chat_id, n, 'msg_' || n, 'TEXT', 'line ' || n || '. ' || repeat('x', 390), 'BOT', 'bot_1', 'Bot', now()
      FROM messages, generate_series(10, 700) AS n WHERE chat_id = $1 AND seq = 1`,
      [writer.chatId],
    );
    await ask(writer).expect(202);
    const [mail] = await server.arrived('long@example.com');
    expect(mail!.text).toContain('Earlier messages are in the chat.');
    expect(mail!.text).toContain('line 700.');
    expect(mail!.text.match(/line \d+\./g)!.length).toBeGreaterThan(490);
    expect(mail!.text.match(/line \d+\./g)!.length).toBeLessThanOrEqual(500);
  });

  it('a transcript to an address that a stranger typed has nothing that anyone wrote', async () => {
    const writer = await beginChat(parley, tenant, 'typed@example.com', 'EVIL NAME');
    await answer(tenant, writer.chatId, 'EVIL ANSWER');
    await ask(writer).expect(202);
    const [mail] = await server.arrived('typed@example.com');
    expect(mail!.source).not.toMatch(/EVIL|a question/);
    expect(mail!.text).toContain("This isn't me");
    await ask(writer).expect(202);
    await parley.untilRow("SELECT FROM mails WHERE recipient = 'typed@example.com' AND status = 'TOO_MANY'");
    expect(await transcriptsTo('typed@example.com')).toHaveLength(1);
  });

  it('a transcript is refused without mail, an address, a chat of one’s own, or beyond five an hour', async () => {
    const writer = await begin('refused@example.com');
    const stranger = await begin('stranger@example.com');
    await ask({ ...writer, token: stranger.token }).expect(404);
    const ada = await signIn();
    await ada.client.post(`/chats/${stranger.visitorId.replace('vis', 'cht')}/transcript`, {}).expect(404);
    await set({ transcript: 'NEVER' });
    expect((await ask(writer).expect(409)).body.code).toBe('mail_off');
    await set({ transcript: 'ON_REQUEST' });
    const { body: nameless } = await parley.beginSession(tenant, { visitor: {} }).expect(201);
    const { body: opened } = await parley.visitor(nameless.token).post('/chats', {}).expect(201);
    const withoutAddress = { visitorId: nameless.visitor.id, token: nameless.token, chatId: opened.chat.id };
    expect((await ask(withoutAddress).expect(409)).body.code).toBe('no_address');
    const answers = await Promise.all(Array.from({ length: 7 }, () => ask(writer)));
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
    expect([count(202), count(429)]).toEqual([5, 2]);
    expect(answers.find(({ status }) => status === 429)!.headers['retry-after']).toBe('3600');
    await untilMail(tenant, 'refused@example.com', ({ status }) => status === 'SENT');
  });

  it('a transcript is refused to a visitor who asked for ten in an hour, in any chat', async () => {
    const writer = await begin('many@example.com');
    const asked = async () => {
      const { body } = await parley.visitor(writer.token).post('/chats', { isNew: true }).expect(201);
      const chatId = body.chat.id as string;
      await parley.visitor(writer.token).post(`/chats/${chatId}/messages`, { content: 'hello' }).expect(201);
      return (await ask({ ...writer, chatId })).status;
    };
    const statuses: number[] = [];
    for (let nth = 0; nth < 11; nth++) statuses.push(await asked());
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 202));
    expect(statuses[10]).toBe(429);
  });

  it('a transcript reaches who unsubscribed if they ask, not if an agent does', async () => {
    const writer = await begin('ended@example.com');
    const mark = (status: string) =>
      parley.query('UPDATE mail_addresses SET status = $1 WHERE organization_id = $2', [status, tenant.id]);
    await set({ transcript: 'ALWAYS' });
    await close(writer);
    await queueOfEnded();
    const [mail] = await server.arrived('ended@example.com');
    const { pathname } = new URL(mail!.headers['list-unsubscribe']!.slice(1, -1));
    await request(parley.url).post(pathname).expect(200);
    const ada = await signIn();
    const send = () => ada.client.post(`/chats/${writer.chatId}/transcript`, {});
    expect((await send().expect(409)).body).toMatchObject({
      code: 'no_address',
      detail: 'The visitor unsubscribed from e-mails',
    });
    await ask(writer).expect(202);
    await server.arrived('ended@example.com', 2);
    await mark('BOUNCED');
    expect((await ask(writer).expect(409)).body.code).toBe('no_address');
    await set({ transcript: 'ON_REQUEST' });
  });

  it('a transcript goes once each time a chat ends, from the setting on, and not if the chat goes on', async () => {
    const early = await begin('early@example.com');
    await close(early);
    await set({ transcript: 'ALWAYS' });
    const writer = await begin('always@example.com');
    await close(writer);
    const other = await Parley.start(server.environment, parley.databaseUrl);
    try {
      await Promise.all([parley, other].map((node) => node.app.get(MissedAnswers).run()));
      await queueOfEnded();
      await server.arrived('always@example.com');
      expect(await transcriptsTo('always@example.com')).toHaveLength(1);
      expect(await transcriptsTo('early@example.com')).toEqual([]);
    } finally {
      await other.stop();
    }
    server.behaviour = { onSender: () => new Refusal(451, '4.3.0 later') };
    const reopened = await begin('reopened@example.com');
    await close(reopened);
    await queueOfEnded();
    await untilMail(tenant, 'reopened@example.com', ({ attempts }) => attempts === 1);
    await parley.visitor(reopened.token).post(`/chats/${reopened.chatId}/messages`, { content: 'wait' }).expect(201);
    server.behaviour = {};
    await hasten(parley);
    const lapsed = await untilMail(tenant, 'reopened@example.com', ({ status }) => status === 'LAPSED');
    expect(lapsed.lastError).toBe('the chat goes on');
    await set({ transcript: 'ON_REQUEST' });
  });
});
