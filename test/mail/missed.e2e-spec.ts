import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MissedAnswers } from '../../src/mail/kinds/missed.service.js';
import { eventually } from '../support/eventually.js';
import { signIdentity } from '../support/identity.js';
import { Parley, type Tenant } from '../support/parley.js';
import { MailServer, Refusal } from './support/mail-server.js';
import { hasten, listMails, untilMail } from './support/mails.js';
import { answer, beginChat, passTime, verify } from './support/missing.js';

describe('a mail about missed answers', () => {
  let server: MailServer;
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    server = await MailServer.start();
    parley = await Parley.start(server.environment);
    tenant = await parley.createTenant({ name: 'Acme' });
  });

  afterAll(async () => {
    await parley.stop();
    await server.close();
  });

  const verified = async (email: string) => {
    const writer = await beginChat(parley, tenant, email);
    await verify(parley, writer.visitorId);
    return writer;
  };
  const mailsTo = async (to: string) => (await listMails(tenant)).filter((mail) => mail.to === to);

  it('a verified visitor gets what agents and bots wrote, the messages before, and a link', async () => {
    const { chatId } = await verified('verified@example.com');
    await answer(tenant, chatId, 'first <b>answer</b>');
    await answer(tenant, chatId, 'second answer');
    await passTime(parley, chatId);
    const [mail] = await server.arrived('verified@example.com');
    expect(mail!.headers.subject).toBe('Your chat with Acme');
    expect(mail!.text).toMatch(/Bot · AI:\nfirst <b>answer<\/b>\n\nBot · AI:\nsecond answer[^]*You:\n> a question/);
    expect(mail!.text).toMatch(/https:\/\/chat\.example\.com\/continue#prl_vln_[0-9A-Za-z]{38}/);
    expect(mail!.html).toContain('first &lt;b&gt;answer&lt;/b&gt;');
    expect(mail!.html).not.toMatch(/<b>answer|<img/);
    expect(mail!.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    expect(mail!.headers['list-unsubscribe']).toMatch(
      /^<https:\/\/chat\.example\.com\/api\/mail\/unsubscribe\/[a-z2-7]{26}>$/,
    );
    expect(mail!.headers['auto-submitted']).toBe('auto-generated');
  });

  it("an agent's message makes the mail not automatic", async () => {
    const { chatId } = await verified('agent@example.com');
    const ada = await parley.signInAgent(tenant, { role: 'ADMIN' });
    await ada.client.post(`/chats/${chatId}/claim`, {}).expect(200);
    await ada.client.post(`/chats/${chatId}/messages`, { content: 'from Ada' }).expect(201);
    await passTime(parley, chatId);
    const [mail] = await server.arrived('agent@example.com');
    expect(mail!.text).toContain('Ada:\nfrom Ada');
    expect(mail!.headers).not.toHaveProperty('auto-submitted');
  });

  it('an address that a stranger typed gets nothing that anyone wrote', async () => {
    const { chatId } = await beginChat(parley, tenant, 'victim@example.com', 'EVIL NAME');
    await answer(tenant, chatId, 'EVIL ANSWER');
    await passTime(parley, chatId);
    const [mail] = await server.arrived('victim@example.com');
    expect(mail!.source).not.toMatch(/EVIL|a question/);
    expect(mail!.text).toContain('Open the chat to read it');
    expect(mail!.text).toContain("This isn't me");
  });

  it('a bot that answers 500 times causes one mail with the newest 20', async () => {
    const { chatId } = await verified('many@example.com');
    const contents = Array.from({ length: 500 }, (_, at) => `answer ${at}.`);
    for (let at = 0; at < 500; at += 50)
      await Promise.all(contents.slice(at, at + 50).map((content) => answer(tenant, chatId, content)));
    await passTime(parley, chatId);
    const [mail] = await server.arrived('many@example.com');
    expect(mail!.text.match(/answer \d+\./g)).toHaveLength(20);
    expect(mail!.text).toContain('… and 480 more');
    await answer(tenant, chatId, 'one more');
    await passTime(parley, chatId);
    expect(await mailsTo('many@example.com')).toHaveLength(1);
  });

  it('the next mail comes after the visitor read or answered, in the same thread', async () => {
    const { chatId, token } = await verified('again@example.com');
    await answer(tenant, chatId, 'one');
    await passTime(parley, chatId);
    const [first] = await server.arrived('again@example.com');
    await untilMail(tenant, 'again@example.com', ({ status }) => status === 'SENT');
    await parley.visitor(token).post(`/chats/${chatId}/messages`, { content: 'thanks' }).expect(201);
    await answer(tenant, chatId, 'two');
    await passTime(parley, chatId);
    const [, second] = await server.arrived('again@example.com', 2);
    expect(second!.headers.subject).toBe(first!.headers.subject);
    expect(second!.headers['in-reply-to']).toBe(first!.headers['message-id']);
    expect(second!.headers.references).toBe(first!.headers['message-id']);
    expect(second!.text).toContain('Bot · AI:\ntwo');
  });

  it('messages that were read cause no mail', async () => {
    const { chatId, token } = await verified('read@example.com');
    await answer(tenant, chatId, 'an answer');
    await parley.visitor(token).post(`/chats/${chatId}/read`, { seq: 2 }).expect(200);
    await passTime(parley, chatId);
    expect(await mailsTo('read@example.com')).toEqual([]);
  });

  it('an ended chat counts too', async () => {
    const { chatId } = await verified('ended@example.com');
    await answer(tenant, chatId, 'goodbye');
    await tenant.admin.patch(`/chats/${chatId}`, { status: 'CLOSED' }).expect(200);
    await parley.query("UPDATE chats SET last_message_at = now() - interval '301 s' WHERE id = $1", [chatId]);
    await parley.app.get(MissedAnswers).run();
    await server.arrived('ended@example.com');
  });

  it('nothing is mailed while new messages come, while a socket is open, or when it is off', async () => {
    const { chatId, token } = await verified('online@example.com');
    const socket = await parley.connectVisitor(token);
    await answer(tenant, chatId, 'an answer');
    await parley.app.get(MissedAnswers).run();
    expect(await mailsTo('online@example.com')).toEqual([]);
    await passTime(parley, chatId);
    const isPostponed = ({ nextAttemptAt }: { nextAttemptAt: string | null }) =>
      nextAttemptAt !== null && Date.parse(nextAttemptAt) > Date.now();
    expect(await untilMail(tenant, 'online@example.com', isPostponed)).toMatchObject({
      attempts: 0,
      status: 'WAITING',
    });
    expect(server.to('online@example.com')).toEqual([]);
    socket.close();
    await eventually(
      async () => {
        await hasten(parley);
        return server.to('online@example.com').length;
      },
      (count) => count > 0,
    );
    await tenant.admin.patch('', { mail: { missedAfterSeconds: 0 } }).expect(200);
    const off = await verified('off@example.com');
    await answer(tenant, off.chatId, 'an answer');
    await passTime(parley, off.chatId);
    expect(await mailsTo('off@example.com')).toEqual([]);
    await tenant.admin.patch('', { mail: { missedAfterSeconds: 300 } }).expect(200);
  });

  it('a mail that waits lapses when the visitor reads, or has another address', async () => {
    server.behaviour = { onSender: () => new Refusal(451, '4.3.0 later') };
    const reader = await verified('lapse@example.com');
    await answer(tenant, reader.chatId, 'an answer');
    await passTime(parley, reader.chatId);
    await untilMail(tenant, 'lapse@example.com', ({ attempts }) => attempts === 1);
    await parley.visitor(reader.token).post(`/chats/${reader.chatId}/read`, { seq: 2 }).expect(200);
    await hasten(parley);
    await untilMail(tenant, 'lapse@example.com', ({ status }) => status === 'LAPSED');
    const mover = await verified('moved@example.com');
    await answer(tenant, mover.chatId, 'an answer');
    await passTime(parley, mover.chatId);
    await untilMail(tenant, 'moved@example.com', ({ attempts }) => attempts === 1);
    await parley.beginSession(tenant, { visitor: { email: 'new@example.com' } }, mover.token).expect(201);
    await hasten(parley);
    await untilMail(tenant, 'moved@example.com', ({ status }) => status === 'LAPSED');
    server.behaviour = {};
  });

  it('after a mail lapsed because of the address or a block, another one is queued', async () => {
    server.behaviour = { onSender: () => new Refusal(451, '4.3.0 later') };
    const mover = await verified('before@example.com');
    const blocked = await verified('pardoned@example.com');
    for (const { chatId } of [mover, blocked]) {
      await answer(tenant, chatId, 'an answer');
      await passTime(parley, chatId);
    }
    for (const email of ['before@example.com', 'pardoned@example.com'])
      await untilMail(tenant, email, ({ attempts }) => attempts === 1);
    await parley.beginSession(tenant, { visitor: { email: 'after@example.com' } }, mover.token).expect(201);
    const ada = await parley.signInAgent(tenant, { role: 'ADMIN' });
    await ada.client.put(`/chats/${blocked.chatId}/block`, {}).expect(200);
    await hasten(parley);
    for (const email of ['before@example.com', 'pardoned@example.com'])
      await untilMail(tenant, email, ({ status }) => status === 'LAPSED');
    server.behaviour = {};
    await ada.client.delete(`/chats/${blocked.chatId}/block`).expect(204);
    await parley.app.get(MissedAnswers).run();
    for (const email of ['after@example.com', 'pardoned@example.com']) {
      await server.arrived(email);
      await untilMail(tenant, email, ({ status }) => status === 'SENT');
    }
    await parley.app.get(MissedAnswers).run();
    expect(await mailsTo('after@example.com')).toHaveLength(1);
  });

  it('a mail that waits while its chat moves to a signed visitor is theirs', async () => {
    server.behaviour = { onSender: () => new Refusal(451, '4.3.0 later') };
    const email = 'merged@example.com';
    const { chatId, token } = await verified(email);
    await answer(tenant, chatId, 'an answer');
    await passTime(parley, chatId);
    await untilMail(tenant, email, ({ attempts }) => attempts === 1);
    server.behaviour = {};
    const identity = await signIdentity(tenant, { sub: 'vera', email });
    const { body: session } = await parley.beginSession(tenant, { identity, merge: true }, token).expect(201);
    const socket = await parley.connectVisitor(session.token);
    await hasten(parley);
    const isPostponed = ({ nextAttemptAt }: { nextAttemptAt: string | null }) =>
      nextAttemptAt !== null &&
      Date.parse(nextAttemptAt) > Date.now() &&
      Date.parse(nextAttemptAt) < Date.now() + 20_000;
    await untilMail(tenant, email, isPostponed);
    socket.close();
    await eventually(
      async () => {
        await hasten(parley);
        return server.to(email).length;
      },
      (count) => count > 0,
    );
    const link = /prl_vln_\w{38}/.exec(server.to(email)[0]!.text)![0];
    const { body } = await parley.visitor().post('/link/continue', { token: link }).expect(200);
    expect(body.visitor.id).toBe(session.visitor.id);
  });

  it('the next mail to a refused address lapses', async () => {
    server.behaviour = { onRecipient: () => new Refusal(550, '5.1.1 unknown') };
    const { chatId, token } = await verified('bounced@example.com');
    await answer(tenant, chatId, 'an answer');
    await passTime(parley, chatId);
    await untilMail(tenant, 'bounced@example.com', ({ status }) => status === 'BOUNCED');
    server.behaviour = {};
    await parley.visitor(token).post(`/chats/${chatId}/messages`, { content: 'hello' }).expect(201);
    await answer(tenant, chatId, 'another answer');
    await passTime(parley, chatId);
    await untilMail(tenant, 'bounced@example.com', ({ status }) => status === 'LAPSED');
    expect(server.to('bounced@example.com')).toEqual([]);
  });

  it('two nodes queue one mail', async () => {
    const other = await Parley.start(server.environment, parley.databaseUrl);
    try {
      const { chatId } = await verified('nodes@example.com');
      await answer(tenant, chatId, 'an answer');
      await passTime(parley, chatId);
      await Promise.all([parley, other].map((node) => node.app.get(MissedAnswers).run()));
      await server.arrived('nodes@example.com');
      expect(await mailsTo('nodes@example.com')).toHaveLength(1);
    } finally {
      await other.stop();
    }
  });

  it("the widget's settings say whether visitors get mail", async () => {
    const canMail = async () =>
      (await parley.visitor().get(`/widget?key=${tenant.widgetKey}`).expect(200)).body.canMail as boolean;
    expect(await canMail()).toBe(true);
    await tenant.admin.patch('', { mail: { missedAfterSeconds: 0 } }).expect(200);
    expect(await canMail()).toBe(false);
    await tenant.admin.patch('', { mail: { missedAfterSeconds: 300 } }).expect(200);
  });
});

describe('limits of mails', () => {
  let server: MailServer;
  let parley: Parley;
  beforeAll(async () => {
    server = await MailServer.start();
    parley = await Parley.start({ ...server.environment, MAIL_MAX_PER_HOUR: '2' });
  });
  afterAll(async () => {
    await parley.stop();
    await server.close();
  });

  it('an unverified address gets one mail in ten minutes and three a day, of all organizations, in any spelling', async () => {
    const spellings = [
      'Person@example.com',
      'person+a@example.com',
      'PERSON+b@EXAMPLE.com',
      'person@example.com',
      'person+c@example.com',
    ];
    const miss = async (email: string) => {
      const tenant = await parley.createTenant();
      const { chatId } = await beginChat(parley, tenant, email);
      await answer(tenant, chatId, 'an answer');
      await passTime(parley, chatId);
      return tenant;
    };
    const age = () =>
      parley.query("UPDATE mail_limits SET times = ARRAY(SELECT t - interval '11 minutes' FROM unnest(times) t)");
    await miss(spellings[0]!);
    expect(await listMails(await miss(spellings[1]!))).toEqual([]);
    for (const email of spellings.slice(2, 4)) {
      await age();
      expect(await listMails(await miss(email))).toHaveLength(1);
    }
    await age();
    expect(await listMails(await miss(spellings[4]!))).toEqual([]);
    await parley.query("UPDATE mail_limits SET times = ARRAY(SELECT t - interval '1 day' FROM unnest(times) t)");
    expect(await listMails(await miss(spellings[4]!))).toHaveLength(1);
  });

  it('mails beyond MAIL_MAX_PER_HOUR wait, and those to agents are not counted', async () => {
    const tenant = await parley.createTenant();
    for (const email of ['one@hour.example', 'two@hour.example', 'three@hour.example']) {
      const { chatId, visitorId } = await beginChat(parley, tenant, email);
      await verify(parley, visitorId);
      await answer(tenant, chatId, 'an answer');
      await passTime(parley, chatId);
    }
    const waits = ({ status, nextAttemptAt }: { status: string; nextAttemptAt: string | null }) =>
      status === 'WAITING' && Date.parse(nextAttemptAt!) > Date.now() + 1_800_000;
    const mails = await eventually(
      () => listMails(tenant),
      (all) => all.filter(({ status }) => status === 'SENT').length === 2 && all.some(waits),
    );
    expect(mails).toHaveLength(3);
    await tenant.admin.post('/mail/test', { to: 'agent@hour.example' }).expect(202);
    await server.arrived('agent@hour.example');
    await parley.query("UPDATE mails SET tried_at = tried_at - interval '1 hour'");
    await hasten(parley);
    await server.arrived('three@hour.example');
  });
});
