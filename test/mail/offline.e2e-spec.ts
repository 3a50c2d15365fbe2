import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { MailServer } from './support/mail-server.js';
import { hasten, listMails, untilMail } from './support/mails.js';
import { beginChat, passTime, verify } from './support/missing.js';
import { deliver, INBOUND, replyTo } from './support/replies.js';

describe('mails to agents who are offline', () => {
  let server: MailServer;
  let parley: Parley;
  let tenant: Tenant;
  let ada: SignedInAgent;
  let count = 0;

  beforeAll(async () => {
    server = await MailServer.start();
    parley = await Parley.start({ ...server.environment, ...INBOUND });
    tenant = await parley.createTenant({ name: 'Acme' });
    ada = await parley.signInAgent(tenant, { name: 'Ada', role: 'ADMIN' });
  });

  afterAll(async () => {
    await parley.stop();
    await server.close();
  });

  const colleague = () => parley.signInAgent(tenant, { name: `Bea ${++count}`, role: 'ADMIN' });
  const begin = async () => (await beginChat(parley, tenant, `vera${++count}@example.com`)).chatId;
  const assign = async (chatId: string, { id }: SignedInAgent) => {
    await ada.client.post(`/chats/${chatId}/claim`, {}).expect(200);
    await ada.client.post(`/chats/${chatId}/transfer`, { agentId: id }).expect(200);
  };
  const mention = (chatId: string, { id }: SignedInAgent) =>
    ada.client.post(`/chats/${chatId}/notes`, { content: `a SECRET for @[${id}]`, mentions: [id] }).expect(201);
  const mailsTo = async ({ email }: SignedInAgent) => (await listMails(tenant)).filter(({ to }) => to === email);

  it('an assigned chat is mailed with the name of the visitor and a link, and no word of it', async () => {
    const bea = await colleague();
    const chatId = await begin();
    await assign(chatId, bea);
    const [mail] = await server.arrived(bea.email);
    expect(mail!.headers.subject).toBe('Vera was assigned to you');
    expect(mail!.text).toContain(`https://chat.example.com/console/mine/${chatId}`);
    expect(mail!.source).not.toMatch(/a question|list-unsubscribe/i);
    expect(mail!.headers['auto-submitted']).toBe('auto-generated');
    expect(await mailsTo(bea)).toMatchObject([{ kind: 'assigned', chatId, agentId: bea.id, visitorId: null }]);
  });

  it('a mention is mailed too', async () => {
    const bea = await colleague();
    await mention(await begin(), bea);
    const [mail] = await server.arrived(bea.email);
    expect(mail!.headers.subject).toBe('You were mentioned in a note about Vera');
    expect(mail!.source).not.toContain('SECRET');
  });

  it('an agent who has a page open, took the chat, or wants none gets none', async () => {
    const [online, own, quiet] = [await colleague(), await colleague(), await colleague()];
    const socket = await parley.connectAgent(online.token);
    await assign(await begin(), online);
    await mention(await begin(), online);
    await own.client.post(`/chats/${await begin()}/claim`, {}).expect(200);
    const { body } = await quiet.client.patch('/session', { mailWhenAway: false }).expect(200);
    expect(body.agent.mailWhenAway).toBe(false);
    await assign(await begin(), quiet);
    const last = await colleague();
    await assign(await begin(), last);
    await server.arrived(last.email);
    expect([await mailsTo(online), await mailsTo(own), await mailsTo(quiet)]).toEqual([[], [], []]);
    socket.close();
    expect((await quiet.client.patch('/session', { mailWhenAway: 'no' }).expect(400)).body.errors).toMatchObject([
      { pointer: '/mailWhenAway' },
    ]);
  });

  it('an agent with push gets the mail after five minutes, unless they were online or it is over', async () => {
    const subscribe = ({ client }: SignedInAgent) =>
      client
        .put('/push/subscriptions', {
          endpoint: `https://push.example.com/${++count}`,
          keys: {
            p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
            auth: 'BTBZMqHH6r4Tts7J_aSIgg',
          },
        })
        .expect(204);
    const [gone, back, late] = [await colleague(), await colleague(), await colleague()];
    const chats: string[] = [];
    for (const bea of [gone, back, late]) {
      await subscribe(bea);
      chats.push(await begin());
      await assign(chats.at(-1)!, bea);
      await untilMail(tenant, bea.email, ({ nextAttemptAt }) => Date.parse(nextAttemptAt!) > Date.now() + 200_000);
    }
    await gone.client.post(`/chats/${chats[0]!}/close`, {}).expect(200);
    await parley.query("UPDATE agents SET last_online_at = now() + interval '1 s' WHERE id = $1", [back.id]);
    await hasten(parley);
    await server.arrived(late.email);
    expect((await untilMail(tenant, gone.email, ({ status }) => status === 'LAPSED')).lastError).toContain('no longer');
    expect((await untilMail(tenant, back.email, ({ status }) => status === 'LAPSED')).lastError).toContain('online');
  });

  it("an agent's mail is no part of the visitor's: not in the thread, the export, or the answers", async () => {
    const bea = await colleague();
    const writer = await beginChat(parley, tenant, 'visitor@example.com');
    await verify(parley, writer.visitorId);
    await assign(writer.chatId, bea);
    const [first] = await server.arrived(bea.email);
    await untilMail(tenant, bea.email, ({ status }) => status === 'SENT');
    await bea.client.post(`/chats/${writer.chatId}/messages`, { content: 'an answer' }).expect(201);
    await passTime(parley, writer.chatId);
    const [mail] = await server.arrived('visitor@example.com');
    expect(mail!.headers).not.toHaveProperty('references');
    expect(mail!.source).not.toContain(first!.headers['message-id']!.slice(6, 32));
    await deliver(parley, replyTo(first!, { from: bea.email, text: 'on my way' }));
    expect((await ada.client.get(`/chats/${writer.chatId}`).expect(200)).body.mails).toEqual([]);
    const exported = (await tenant.admin.get(`/visitors/${writer.visitorId}/export`).expect(200)).body;
    expect(exported.chats[0].mails).toMatchObject([{ kind: 'missed', to: 'visitor@example.com' }]);
  });

  it('an agent gets at most ten an hour', async () => {
    const bea = await colleague();
    for (let nth = 0; nth < 12; nth++) await mention(await begin(), bea);
    const last = await colleague();
    await mention(await begin(), last);
    await server.arrived(last.email);
    expect(await mailsTo(bea)).toHaveLength(10);
  });
});
