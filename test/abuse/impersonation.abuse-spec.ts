import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Timings } from '../../src/live/feeds/timings.js';
import { signIdentity } from '../support/identity.js';
import { Parley, type Tenant } from '../support/parley.js';

const SECRET_KEY = 'the-secret-key-of-two-nodes';
const OPTIONS = [{ label: 'Full refund', value: 'refund-100' }];

describe('impersonation', () => {
  let here: Parley;
  let there: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    here = await Parley.start({ SECRET_KEY });
    // A second node without Redis: it learns of changes only from the database.
    there = await Parley.start({ SECRET_KEY }, here.databaseUrl);
    there.app.get(Timings).sessions = 100;
  });
  afterAll(async () => {
    await there.stop();
    await here.stop();
  });
  beforeEach(async () => {
    tenant = await here.createTenant();
  });

  const identityOf = (sub: string, claims: object = {}) => signIdentity(tenant, { ...claims, sub });
  const begin = async (body: object = {}, token?: string) =>
    (await here.beginSession(tenant, body, token).expect(201)).body as {
      token: string;
      visitor: { id: string; name: string | null };
    };
  const open = async (token: string) => (await here.visitor(token).post('/chats', {}).expect(201)).body.chat.id;
  const personOf = async (chatId: string) => (await tenant.bot.get(`/chats/${chatId}`).expect(200)).body.visitor;

  it("a visitor can't answer a choice they forged, over REST or a socket", async () => {
    const offer = { content: 'We owe you', metadata: { options: OPTIONS } };
    const visitor = await here.connectVisitor(tenant.visitorToken);
    const { chatId } = tenant;
    for (const type of ['QUICK_REPLY', 'BUTTON']) {
      const { message } = await visitor.ask('message:send', { chatId, type, ...offer });
      const answer = { content: 'Full refund', replyTo: { messageId: message.id, value: 'refund-100' } };
      const refused = { code: 'validation_failed', errors: [{ pointer: '/replyTo/messageId' }] };
      expect(await visitor.ask('message:send', { chatId, ...answer })).toMatchObject({ ok: false, error: refused });
      const { body } = await here.visitor(tenant.visitorToken).post(`/chats/${chatId}/messages`, answer).expect(400);
      expect(body).toMatchObject(refused);
    }
    const { body } = await tenant.bot.get(`/chats/${chatId}/messages`).expect(200);
    expect(body.messages.filter((message: object) => 'replyTo' in message)).toEqual([]);
  });

  it("an unsigned visitor can't rename a signed one by renewing their token, by a merge, or beside an identity", async () => {
    const claims = { name: 'Mallory', email: 'mallory@example.com' };
    const taken = { plan: 'gold' };
    const director = {
      name: 'The director',
      email: 'director@example.com',
      attributes: taken,
      verifiedAttributes: taken,
    };
    const mallory = await begin({ identity: await identityOf('mallory', claims), visitor: director });
    const chatId = await open(mallory.token);
    const known = { externalId: 'mallory', metadata: {}, attributes: {}, verifiedAttributes: {} };
    const expected = { id: mallory.visitor.id, ...claims, isVerified: true, ...known };
    await Promise.all(Array.from({ length: 20 }, () => begin({ visitor: director }, mallory.token)));
    expect(await personOf(chatId)).toEqual(expected);
    const anonymous = await begin({ visitor: director });
    const other = await open(anonymous.token);
    const { attributes: _, verifiedAttributes: _signed, ...typed } = director;
    expect(await personOf(other)).toMatchObject({
      ...typed,
      isVerified: false,
      attributes: {},
      verifiedAttributes: {},
    });
    await here.visitor(anonymous.token).post(`/chats/${other}/messages`, { content: 'Do as I say' }).expect(201);
    await begin({ identity: await identityOf('mallory'), merge: true, visitor: director }, anonymous.token);
    expect(await personOf(other)).toEqual(expected);
    const { body } = await tenant.bot.get(`/chats/${other}/messages`).expect(200);
    expect(body.messages[0].sender.name).toBe('Mallory');
  });

  it("a signed-in visitor doesn't get the chat of the previous person at the same computer", async () => {
    const before = await begin();
    const chatId = await open(before.token);
    await here.visitor(before.token).post(`/chats/${chatId}/messages`, { content: 'secret' }).expect(201);
    // A page that sends the token it finds, without `merge`.
    const next = await begin({ identity: await identityOf('next') }, before.token);
    const visitor = here.visitor(next.token);
    expect((await visitor.get('/chats').expect(200)).body.chats).toEqual([]);
    await visitor.get(`/chats/${chatId}/messages`).expect(404);
    const ada = await begin({ identity: await identityOf('ada') });
    const hers = await open(ada.token);
    const bob = await begin({ identity: await identityOf('bob'), merge: true }, ada.token);
    await here.visitor(bob.token).get(`/chats/${hers}/messages`).expect(404);
  });

  it("an ended token can't be used on another node, renewed, respelled, or used by an open socket", async () => {
    const { token } = await begin({}, tenant.visitorToken);
    const left = await there.connectVisitor(token);
    await left.ask('chat:open', { chatId: tenant.chatId });
    const ended = new Promise((resolve) => left.socket.once('disconnect', resolve));
    await here.visitor(token).delete('/sessions').expect(204);
    for (const node of [there, here]) {
      const attempts = Array.from({ length: 10 }, () => node.visitor(token).get('/chats').expect(401));
      await Promise.all(attempts);
      await node.beginSession(tenant, {}, token).expect(401);
      const identity = await identityOf('thief');
      await node.beginSession(tenant, { identity, merge: true }, token).expect(401);
      for (const spelled of [token, `${token}=`, `${token} `, `${token}\n`])
        await expect(node.connectVisitor(spelled)).rejects.toMatchObject({ data: { code: 'unauthorized' } });
    }
    expect(await ended).toBe('io server disconnect');
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'for others' }).expect(200);
    expect(left.all('message')).toEqual([]);
  });
});
