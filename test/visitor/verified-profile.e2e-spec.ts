import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { signIdentity } from '../support/identity.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';

describe("a visitor's name and address", () => {
  let parley: Parley;
  let tenant: Tenant;
  let receiver: Receiver;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    receiver = await Receiver.start();
  });
  afterEach(() => receiver.close());

  const begin = (body: object = {}, token?: string) => parley.beginSession(tenant, body, token);
  const sign = (sub: string, claims: object = {}) => signIdentity(tenant, { ...claims, sub });
  const metadataOf = async (id: string) => (await tenant.admin.get(`/visitors/${id}`).expect(200)).body.metadata;
  const openChat = async (token: string) => (await parley.visitor(token).post('/chats', {}).expect(201)).body.chat.id;

  it('a signed profile and its metadata are never changed by an unsigned call', async () => {
    const identity = await sign('ada', { name: 'Ada', email: 'ada@example.com' });
    const { body: ada } = await begin({ identity, visitor: { metadata: { plan: 'pro' } } }).expect(201);
    const forged = { name: 'The director', email: 'director@example.com', metadata: { plan: 'free' } };
    const { body: renewed } = await begin({ visitor: forged }, ada.token).expect(201);
    expect(renewed.visitor).toEqual(ada.visitor);
    expect(await metadataOf(ada.visitor.id)).toEqual({ plan: 'pro' });
    const { body: known } = await begin({ identity, visitor: { ...forged, metadata: { plan: 'team' } } }).expect(201);
    expect(known.visitor).toEqual(ada.visitor);
    expect(await metadataOf(ada.visitor.id)).toEqual({ plan: 'team' });
    // The next identity's claims are signed too.
    const { body: married } = await begin({ identity: await sign('ada', { name: 'Ada L.' }) }).expect(201);
    expect(married.visitor).toEqual({ id: ada.visitor.id, name: 'Ada L.', email: 'ada@example.com' });
  });

  it("a page's profile beside an identity without one is ignored", async () => {
    const visitor = { name: 'The director', email: 'director@example.com' };
    const { body: first } = await begin({ identity: await sign('bob'), visitor }).expect(201);
    expect(first.visitor).toEqual({ id: expect.any(String), name: null, email: null });
    const { body: again } = await begin({ identity: await sign('bob', { name: 'Bob' }), visitor }).expect(201);
    expect(again.visitor).toEqual({ id: first.visitor.id, name: 'Bob', email: null });
  });

  it("a profile that an earlier release stored isn't verified until the next identity replaces it", async () => {
    const { body: mallory } = await begin({ identity: await sign('mallory') }).expect(201);
    await parley.query(
      `UPDATE visitors SET name = 'The director', email = 'director@example.com', signed_at = NULL WHERE id = $1`,
      [mallory.visitor.id],
    );
    const chatId = await openChat(mallory.token);
    const seen = async () => (await tenant.bot.get(`/chats/${chatId}`).expect(200)).body.visitor;
    expect(await seen()).toMatchObject({ name: 'The director', isVerified: false });
    const { body: again } = await begin({ identity: await sign('mallory', { name: 'Mallory' }) }).expect(201);
    expect(again.visitor).toEqual({ id: mallory.visitor.id, name: 'Mallory', email: null });
    expect(await seen()).toMatchObject({ name: 'Mallory', email: null, isVerified: true });
  });

  it('a merge replaces an unsigned name in every message it moves', async () => {
    const { body: mallory } = await begin({ identity: await sign('mallory', { name: 'Mallory' }) }).expect(201);
    const own = await openChat(mallory.token);
    const say = (token: string, chatId: string) =>
      parley.visitor(token).post(`/chats/${chatId}/messages`, { content: 'x', clientMessageId: 'same' }).expect(201);
    await say(mallory.token, own);
    const { body: anonymous } = await begin({ visitor: { name: 'Ada (Director)' } }).expect(201);
    const chatId = await openChat(anonymous.token);
    await say(anonymous.token, chatId);
    await begin({ identity: await sign('mallory', { name: 'Mallory' }), merge: true }, anonymous.token).expect(201);
    const { body } = await tenant.bot.get(`/chats/${chatId}`).expect(200);
    expect(body.visitor).toMatchObject({ name: 'Mallory', isVerified: true });
    expect(body.messages).toMatchObject([{ sender: { name: 'Mallory' } }]);
  });

  it("an anonymous visitor's page can still change the profile", async () => {
    const { body: first } = await begin({ visitor: { name: 'Vera' } }).expect(201);
    const { body: second } = await begin({ visitor: { name: 'Vera B.' } }, first.token).expect(201);
    expect(second.visitor).toEqual({ id: first.visitor.id, name: 'Vera B.', email: null });
  });

  it("an anonymous visitor's later profile is stored, and agents see that it isn't verified", async () => {
    const sue = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    const { body: first } = await begin().expect(201);
    const chatId = await openChat(first.token);
    const left = { name: 'Vera', email: 'vera@example.com' };
    const { body: second } = await begin({ visitor: left }, first.token).expect(201);
    expect(second.visitor).toEqual({ id: first.visitor.id, ...left });
    const expected = { id: first.visitor.id, ...left, isVerified: false };
    expect((await sue.client.get(`/chats/${chatId}`).expect(200)).body.visitor).toMatchObject(expected);
    const { body: view } = await sue.client.get('/chats?view=OPEN&limit=1').expect(200);
    expect(view.chats).toMatchObject([{ id: chatId, visitor: expected }]);
    // The earlier token still belongs to that visitor.
    expect((await begin({}, first.token).expect(201)).body.visitor).toEqual(second.visitor);
    await begin({ visitor: { email: 'x'.repeat(321) } }, first.token).expect(400);
  });

  it("messages written before an identity get the person's name", async () => {
    const { body: anonymous } = await begin({ visitor: { name: 'The director' } }).expect(201);
    const chatId = await openChat(anonymous.token);
    await parley.visitor(anonymous.token).post(`/chats/${chatId}/messages`, { content: 'hello' }).expect(201);
    const identity = await sign('cy', { name: 'Cy' });
    const { body: cy } = await begin({ identity, merge: true }, anonymous.token).expect(201);
    const { body: chat } = await tenant.bot.get(`/chats/${chatId}`).expect(200);
    expect(chat.visitor).toEqual({
      id: cy.visitor.id,
      name: 'Cy',
      email: null,
      isVerified: true,
      externalId: 'cy',
      metadata: {},
      attributes: {},
      verifiedAttributes: {},
    });
    expect(chat.messages[0].sender).toEqual({ type: 'VISITOR', id: cy.visitor.id, name: 'Cy' });
  });

  it('bots, administrators, exports, and webhooks see whether a profile is verified', async () => {
    await tenant.admin.post('/webhooks', { url: receiver.url }).expect(201);
    for (const isVerified of [true, false]) {
      const profile = { name: 'Ada', email: `ada-${isVerified}@example.com` };
      const given = isVerified ? { identity: await sign('ada', profile) } : { visitor: profile };
      const { body: session } = await begin(given).expect(201);
      const chatId = await openChat(session.token);
      const send = () => tenant.bot.post('/messages', { chatId, content: 'x' }).expect(200);
      // One alone, and many that share a statement.
      await send();
      await Promise.all(Array.from({ length: 10 }, send));
      await tenant.bot.post('/transfer', { chatId }).expect(200);
      const profileSeen = { ...session.visitor, isVerified, externalId: isVerified ? 'ada' : null, metadata: {} };
      const expected = { ...profileSeen, attributes: {}, verifiedAttributes: {} };
      const { body: listed } = await tenant.bot.get('/chats?limit=1').expect(200);
      const { body: one } = await tenant.bot.get(`/chats/${chatId}`).expect(200);
      const { body: forAdmins } = await tenant.admin.get(`/chats/${chatId}`).expect(200);
      const { body: own } = await parley.visitor(session.token).get('/chats').expect(200);
      for (const chat of [listed.chats[0], one, forAdmins]) expect(chat.visitor).toEqual(expected);
      expect(own.chats[0].visitor).toEqual(profileSeen);
      const { id } = session.visitor;
      const { body: found } = await tenant.admin.get(`/visitors?email=${profile.email}`).expect(200);
      const { body: person } = await tenant.admin.get(`/visitors/${id}`).expect(200);
      const { body: exported } = await tenant.admin.get(`/visitors/${id}/export`).expect(200);
      for (const seen of [found.visitors[0], person, exported.visitor]) expect(seen).toMatchObject(expected);
      const ofChat = ({ event }: any) => event.data.chat.id === chatId;
      await receiver.until((all) => all.filter(ofChat).length >= 14);
      for (const { event } of receiver.received.filter(ofChat)) expect(event.data.chat.visitor).toEqual(expected);
    }
  });

  it("an erased visitor's messages have no name and aren't verified", async () => {
    const { body: ada } = await begin({ identity: await sign('ada', { name: 'Ada' }) }).expect(201);
    const chatId = await openChat(ada.token);
    await tenant.admin.delete(`/visitors/${ada.visitor.id}`).expect(204);
    const { body: chat } = await tenant.bot.get(`/chats/${chatId}`).expect(200);
    expect(chat.visitor).toMatchObject({ name: null, email: null, isVerified: false });
  });
});
