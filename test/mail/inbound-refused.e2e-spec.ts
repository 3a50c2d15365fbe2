import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InboundRetention } from '../../src/mail/receiving/inbound-retention.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { type ArrivedMail, MailServer } from './support/mail-server.js';
import { listMails } from './support/mails.js';
import { answer, beginChat, passTime, verify, type Writer } from './support/missing.js';
import { deliver, INBOUND, type Reply, replyTo } from './support/replies.js';

describe('mail that arrives and is no answer', () => {
  let server: MailServer;
  let parley: Parley;
  let tenant: Tenant;
  let ada: SignedInAgent;
  let count = 0;

  beforeAll(async () => {
    server = await MailServer.start();
    parley = await Parley.start({ ...server.environment, ...INBOUND });
    tenant = await parley.createTenant({ name: 'Acme' });
    ada = await parley.signInAgent(tenant, { role: 'ADMIN' });
  });

  afterAll(async () => {
    await parley.stop();
    await server.close();
  });

  const mailed = async (
    email = `walter${++count}@example.com`,
  ): Promise<Writer & { email: string; mail: ArrivedMail }> => {
    const nth = server.to(email).length + 1;
    const writer = await beginChat(parley, tenant, email);
    await verify(parley, writer.visitorId);
    await answer(tenant, writer.chatId, 'an answer of the bot');
    await passTime(parley, writer.chatId);
    const mails = await server.arrived(email, nth);
    return { ...writer, email, mail: mails.at(-1)! };
  };
  const ofVisitor = async (chatId: string) => {
    const { messages } = (await tenant.bot.get(`/chats/${chatId}/messages`).expect(200)).body;
    return messages.filter(({ sender }: any) => sender.type === 'VISITOR').map(({ content }: any) => content as string);
  };
  const newest = async () => (await tenant.admin.get('/mails/arrived?limit=1').expect(200)).body.mails[0];

  const REFUSED: [string, string, (email: string) => Reply][] = [
    ['an automatic answer', 'automatic', () => ({ headers: { 'Auto-Submitted': 'auto-replied' } })],
    ['a note about an absence', 'automatic', () => ({ headers: { 'X-Autoreply': 'yes' } })],
    ['bulk mail', 'automatic', () => ({ headers: { Precedence: 'bulk' } })],
    ['our own mail', 'own', () => ({ from: 'support@parley.example' })],
    ['a mail without words', 'empty', () => ({ text: '' })],
  ];

  it.each(REFUSED)('%s is refused, listed, and not answered', async (_, reason, reply) => {
    const { chatId, email, mail } = await mailed();
    const sent = server.mails.length;
    const given = { from: email, ...reply(email) };
    expect((await deliver(parley, replyTo(mail, given))).body).toEqual({ status: 'refused', reason });
    expect(await newest()).toMatchObject({ status: 'REFUSED', reason, from: given.from, chatId });
    expect(await ofVisitor(chatId)).toEqual(['a question']);
    expect(server.mails).toHaveLength(sent);
  });

  it('mail of a blocked visitor is refused', async () => {
    const { chatId, email, mail } = await mailed();
    await ada.client.put(`/chats/${chatId}/block`, {}).expect(200);
    expect((await deliver(parley, replyTo(mail, { from: email }))).body.reason).toBe('blocked');
  });

  it('the 21st mail of a chat in an hour is refused, and refused ones do not count', async () => {
    const { chatId, email, mail } = await mailed();
    await deliver(parley, replyTo(mail, { from: email, headers: { 'Auto-Submitted': 'auto-replied' } }));
    for (let nth = 1; nth <= 20; nth++) {
      const { body } = await deliver(parley, replyTo(mail, { from: email, text: `answer ${nth}` }));
      expect(body.status).toBe('stored');
    }
    const { body } = await deliver(parley, replyTo(mail, { from: email }));
    expect(body).toEqual({ status: 'refused', reason: 'limit' });
    expect(await ofVisitor(chatId)).toHaveLength(21);
  });

  it('of 61 refused mails in an hour, 60 are noted', async () => {
    const { chatId, email, mail } = await mailed();
    const headers = { 'Auto-Submitted': 'auto-replied' };
    for (let nth = 0; nth < 60; nth++)
      expect((await deliver(parley, replyTo(mail, { from: email, headers }))).body.reason).toBe('automatic');
    expect((await deliver(parley, replyTo(mail, { from: email, headers }))).body.reason).toBe('limit');
    expect(await parley.query('SELECT FROM inbound_mails WHERE chat_id = $1', [chatId])).toHaveLength(60);
  });

  it('mail to an unknown token, or of an erased visitor, is refused', async () => {
    const { email, mail, visitorId } = await mailed();
    const headers = { To: `support+${'a'.repeat(26)}@parley.example`, 'In-Reply-To': null, References: null };
    expect((await deliver(parley, replyTo(mail, { from: email, headers }))).body.reason).toBe('unknown_token');
    await parley.query('UPDATE visitors SET erasing_since = now() WHERE id = $1', [visitorId]);
    expect((await deliver(parley, replyTo(mail, { from: email }))).body.reason).toBe('erased');
  });

  it('needs the token and the media type, and has a limit', async () => {
    const { mail } = await mailed();
    expect((await deliver(parley, replyTo(mail), { token: 'another-token' })).status).toBe(401);
    expect((await deliver(parley, replyTo(mail), { type: 'application/json' })).status).toBe(415);
    const large = await deliver(parley, Buffer.alloc(26_214_401));
    expect([large.status, large.body.code]).toEqual([400, 'body_too_large']);
    const parts = '--b\r\n\r\n\r\n'.repeat(1_001);
    const source = replyTo(mail, { headers: { 'Content-Type': 'multipart/mixed; boundary=b' } });
    const many = source.replace(/Content-Type: text\/plain[^]*/, `\r\n${parts}--b--\r\n`);
    expect((await deliver(parley, many)).body.code).toBe('body_too_large');
    expect(await newest()).toMatchObject({ status: 'REFUSED', reason: 'too_large' });
  });

  describe('a returned mail', () => {
    const bounce = (mail: ArrivedMail, { action = 'failed', status = '5.1.1' } = {}) =>
      [
        'From: Mail Delivery System <MAILER-DAEMON@mx.example.com>',
        `To: ${mail.from}`,
        'Subject: Undelivered Mail Returned to Sender',
        `Message-ID: <bounce-${++count}@mx.example.com>`,
        'Auto-Submitted: auto-replied',
        'Return-Path: <>',
        'MIME-Version: 1.0',
        'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
        '',
        '--b\r\nContent-Type: text/plain\r\n\r\nI am sorry.\r\n',
        `--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.com\r\n\r\nFinal-Recipient: rfc822; ${mail.to[0]}\r\nAction: ${action}\r\nStatus: ${status}\r\nDiagnostic-Code: smtp; 550 ${status} no such user\r\n`,
        `--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: ${mail.headers['message-id']}\r\n`,
        '--b--\r\n',
      ].join('\r\n');
    const statusOf = async (chatId: string) => (await listMails(tenant)).find((mail) => mail.chatId === chatId)!.status;

    it('an unknown address is marked immediately, until the visitor answers', async () => {
      const { chatId, email, mail } = await mailed();
      expect((await deliver(parley, bounce(mail))).body).toEqual({ status: 'processed' });
      expect((await deliver(parley, bounce(mail))).body).toEqual({ status: 'processed' });
      expect(await newest()).toMatchObject({ status: 'PROCESSED', reason: 'hard', chatId });
      expect(await statusOf(chatId)).toBe('BOUNCED');
      expect((await deliver(parley, replyTo(mail, { from: email }))).body.status).toBe('stored');
      const rows = await parley.query("SELECT FROM mail_addresses WHERE status = 'BOUNCED'");
      expect(rows).toHaveLength(0);
    });

    it('an address whose mails come back for a while is marked after three mails, and never for a delayed one', async () => {
      const mails = [];
      const email = 'full@example.com';
      for (let nth = 0; nth < 3; nth++) mails.push(await mailed(email));
      const marked = async () => (await parley.query('SELECT FROM mail_addresses')).length;
      const before = await marked();
      await deliver(parley, bounce(mails[2]!.mail, { action: 'delayed', status: '4.4.1' }));
      await deliver(parley, bounce(mails[0]!.mail, { status: '5.2.2' }));
      await deliver(parley, bounce(mails[0]!.mail, { status: '5.2.2' }));
      await deliver(parley, bounce(mails[1]!.mail, { status: '4.2.2' }));
      expect(await marked()).toBe(before);
      await deliver(parley, bounce(mails[2]!.mail, { status: '5.7.1' }));
      expect(await marked()).toBe(before + 1);
    });

    it('notes about an absence that come to the envelope sender never mark an address', async () => {
      const email = 'absent@example.com';
      const marked = () => parley.query('SELECT FROM mail_addresses');
      const before = await marked();
      for (let nth = 0; nth < 3; nth++) {
        const { mail } = await mailed(email);
        const headers = { To: mail.from, 'Auto-Submitted': 'auto-replied', 'Return-Path': '<>' };
        expect((await deliver(parley, replyTo(mail, { from: email, headers }))).body).toEqual({ status: 'processed' });
        expect(await newest()).toMatchObject({ status: 'PROCESSED', reason: 'other' });
      }
      expect(await marked()).toHaveLength(before.length);
    });
  });

  it('what became no message is removed after 30 days, and erasing a visitor removes all', async () => {
    const { chatId, mail, email, visitorId } = await mailed();
    await deliver(parley, replyTo(mail, { from: 'mallory@evil.example' }));
    await deliver(parley, replyTo(mail, { from: email }));
    await parley.query("UPDATE inbound_mails SET received_at = now() - interval '31 days' WHERE chat_id = $1", [
      chatId,
    ]);
    await parley.app.get(InboundRetention).run();
    const left = await parley.query<{ status: string }>('SELECT status FROM inbound_mails WHERE chat_id = $1', [
      chatId,
    ]);
    expect(left).toEqual([{ status: 'STORED' }]);
    expect((await ada.client.get(`/chats/${chatId}`).expect(200)).body).toMatchObject({ mailsToCheck: 0, mails: [] });
    await tenant.admin.delete(`/visitors/${visitorId}`).expect(204);
    await parley.untilRow(`SELECT WHERE NOT EXISTS (SELECT FROM inbound_mails WHERE chat_id = '${chatId}')`);
  });

  it('an old mail of an erased chat is removed, and one that cannot be removed keeps no other one waiting', async () => {
    const chats: string[] = [];
    for (const age of [50, 40, 31]) {
      const { chatId, mail } = await mailed();
      expect((await deliver(parley, replyTo(mail, { from: 'mallory@evil.example' }))).body.status).toBe('to_check');
      const days = `interval '${age} days'`;
      await parley.query(`UPDATE inbound_mails SET received_at = now() - ${days} WHERE chat_id = $1`, [chatId]);
      chats.push(chatId);
    }
    const [erased, stuck] = chats;
    await parley.query('UPDATE chats SET erased_at = now() WHERE id = $1', [erased]);
    await parley.query(
      `CREATE FUNCTION keep_mail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'it stays'; END $$;
       CREATE TRIGGER keep_mail BEFORE DELETE ON inbound_mails FOR EACH ROW WHEN (OLD.chat_id = '${stuck}')
       EXECUTE FUNCTION keep_mail()`,
    );
    await parley.app.get(InboundRetention).run();
    await parley.query('DROP TRIGGER keep_mail ON inbound_mails; DROP FUNCTION keep_mail()');
    const left = await parley.query('SELECT chat_id AS id FROM inbound_mails WHERE chat_id = ANY ($1)', [chats]);
    expect(left).toEqual([{ id: stuck }]);
  });
});
