import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { MailServer, Refusal } from './support/mail-server.js';
import { untilMail } from './support/mails.js';
import { answer, beginChat, passTime, verify, type Writer } from './support/missing.js';

describe('what agents and administrators see of mails to a visitor', () => {
  let server: MailServer;
  let parley: Parley;
  let tenant: Tenant;
  let ada: SignedInAgent;

  beforeAll(async () => {
    server = await MailServer.start();
    parley = await Parley.start(server.environment);
    tenant = await parley.createTenant();
    ada = await parley.signInAgent(tenant, { role: 'ADMIN' });
  });

  afterAll(async () => {
    await parley.stop();
    await server.close();
  });

  const miss = async (email: string) => {
    const writer = await beginChat(parley, tenant, email);
    await verify(parley, writer.visitorId);
    await answer(tenant, writer.chatId, 'an answer');
    await passTime(parley, writer.chatId);
    return writer;
  };
  const statusesOf = async ({ chatId, visitorId, token }: Writer, email: string) => {
    const detail = (await ada.client.get(`/chats/${chatId}`).expect(200)).body;
    const one = (await tenant.admin.get(`/visitors/${visitorId}`).expect(200)).body;
    const { visitors } = (await tenant.admin.get(`/visitors?email=${email}`).expect(200)).body;
    expect(visitors).toMatchObject([{ id: visitorId, mailStatus: one.mailStatus }]);
    const bots = await tenant.bot.get(`/chats/${chatId}`).expect(200);
    const visitors_own = await parley.visitor(token).get('/chats').expect(200);
    expect(bots.text + visitors_own.text).not.toContain('mailStatus');
    return [detail.visitor.mailStatus, one.mailStatus, detail.canSendTranscript];
  };
  const mailsOf = async ({ chatId }: Writer) => {
    const { messages } = (await ada.client.get(`/chats/${chatId}/messages`).expect(200)).body;
    const socket = await parley.connectAgent(ada.token);
    const followed = await socket.ask('chat:follow', { chatId });
    socket.close();
    expect(followed.messages).toEqual(messages);
    return messages.map(({ mail }: { mail?: { status: string } }) => mail?.status ?? null);
  };

  it('a message that was mailed says so, and the later one does not', async () => {
    const writer = await miss('mailed@example.com');
    await server.arrived('mailed@example.com');
    await untilMail(tenant, 'mailed@example.com', ({ status }) => status === 'SENT');
    await answer(tenant, writer.chatId, 'a later answer');
    expect(await mailsOf(writer)).toEqual([null, 'SENT', null]);
    expect(await statusesOf(writer, 'mailed@example.com')).toEqual(['ACTIVE', 'ACTIVE', true]);
  });

  it('a mail that came back marks the address, until it changes', async () => {
    server.behaviour = { onRecipient: () => new Refusal(550, '5.1.1 unknown') };
    const writer = await miss('Gone@example.com');
    await untilMail(tenant, 'Gone@example.com', ({ status }) => status === 'BOUNCED');
    server.behaviour = {};
    expect(await mailsOf(writer)).toEqual([null, 'BOUNCED']);
    expect(await statusesOf(writer, 'gone@example.com')).toEqual(['BOUNCED', 'BOUNCED', false]);
    await parley.beginSession(tenant, { visitor: { email: 'there@example.com' } }, writer.token).expect(201);
    expect(await statusesOf(writer, 'there@example.com')).toEqual(['ACTIVE', 'ACTIVE', true]);
  });

  it('beyond the limit of an unverified address, the message says so', async () => {
    const email = 'unverified@example.com';
    for (const expected of ['SENT', 'TOO_MANY']) {
      const writer = await beginChat(parley, tenant, email);
      await answer(tenant, writer.chatId, 'an answer');
      await passTime(parley, writer.chatId);
      await untilMail(tenant, email, ({ status }) => status === 'SENT');
      expect(await mailsOf(writer)).toEqual([null, expected]);
    }
  });

  it('who unsubscribed gets mails again once an agent was asked', async () => {
    const email = 'again@example.com';
    const writer = await miss(email);
    const [mail] = await server.arrived(email);
    const { pathname } = new URL(mail!.headers['list-unsubscribe']!.slice(1, -1));
    await request(parley.url).post(pathname).expect(200);
    expect(await statusesOf(writer, email)).toEqual(['UNSUBSCRIBED', 'UNSUBSCRIBED', false]);
    const other = await parley.createTenant();
    const stranger = await parley.signInAgent(other, { role: 'ADMIN' });
    await stranger.client.post(`/chats/${writer.chatId}/resubscribe`, {}).expect(404);
    for (let times = 0; times < 2; times++)
      await ada.client.post(`/chats/${writer.chatId}/resubscribe`, {}).expect(204);
    expect(await statusesOf(writer, email)).toEqual(['ACTIVE', 'ACTIVE', true]);
    const { entries } = (await tenant.admin.get('/audit?action=visitor.resubscribed').expect(200)).body;
    expect(entries).toMatchObject([{ target: writer.visitorId, actor: { id: ada.id } }]);
  });

  it('who unsubscribed asks for mails again in the widget, if the address is theirs', async () => {
    const email = 'themself@example.com';
    const writer = await miss(email);
    const visitor = parley.visitor(writer.token);
    const isUnsubscribed = async () => (await visitor.get('/chats').expect(200)).body.isUnsubscribed;
    const [mail] = await server.arrived(email);
    expect(await isUnsubscribed()).toBe(false);
    await request(parley.url)
      .post(new URL(mail!.headers['list-unsubscribe']!.slice(1, -1)).pathname)
      .expect(200);
    expect(await isUnsubscribed()).toBe(true);
    // Someone who only typed the address.
    const stranger = await beginChat(parley, tenant, email);
    const { code } = (
      await parley.visitor(stranger.token).post(`/chats/${stranger.chatId}/resubscribe`, {}).expect(409)
    ).body;
    expect(code).toBe('no_address');
    const { body: own } = await parley.visitor(stranger.token).get('/chats').expect(200);
    expect(own.isUnsubscribed).toBe(false);
    await visitor.post(`/chats/${stranger.chatId}/resubscribe`, {}).expect(404);
    expect(await isUnsubscribed()).toBe(true);
    for (let times = 0; times < 10; times++) await visitor.post(`/chats/${writer.chatId}/resubscribe`, {}).expect(204);
    expect(await isUnsubscribed()).toBe(false);
    await visitor.post(`/chats/${writer.chatId}/resubscribe`, {}).expect(429);
    const { entries } = (await tenant.admin.get('/audit?action=visitor.resubscribed&limit=1').expect(200)).body;
    expect(entries).toMatchObject([{ target: writer.visitorId, actor: { type: 'VISITOR' } }]);
  });

  it('without an address, or where transcripts are off, there is nothing to send', async () => {
    const { body } = await parley.beginSession(tenant, { visitor: { name: 'Vera' } }).expect(201);
    const { body: opened } = await parley.visitor(body.token).post('/chats', {}).expect(201);
    const chatId = opened.chat.id as string;
    const detail = async () => (await ada.client.get(`/chats/${chatId}`).expect(200)).body;
    expect(await detail()).toMatchObject({ visitor: { mailStatus: null }, canSendTranscript: false });
    expect((await ada.client.post(`/chats/${chatId}/resubscribe`, {}).expect(409)).body.code).toBe('no_address');
    await parley.beginSession(tenant, { visitor: { email: 'now@example.com' } }, body.token).expect(201);
    await tenant.admin.patch('', { mail: { transcript: 'NEVER' } }).expect(200);
    expect(await detail()).toMatchObject({ visitor: { mailStatus: 'ACTIVE' }, canSendTranscript: false });
    await tenant.admin.patch('', { mail: { transcript: 'ON_REQUEST' } }).expect(200);
    expect(await detail()).toMatchObject({ canSendTranscript: true });
  });
});
