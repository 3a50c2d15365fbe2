import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { signIdentity } from '../support/identity.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Scrape } from '../support/scrape.js';

const MESSAGES = 20;
const BYTES = 40_000;

/** Each test uses its own address, set by the one trusted proxy. */
let addresses = 0;

describe('the storage quota of anonymous visitors', () => {
  let parley: Parley;
  let tenant: Tenant;
  let address: string;

  beforeAll(async () => {
    parley = await Parley.start({
      TRUST_PROXY: '1',
      ANONYMOUS_MESSAGES_PER_DAY: String(MESSAGES),
      ANONYMOUS_BYTES_PER_DAY: String(BYTES),
      ANONYMOUS_ORGANIZATION_MESSAGES_PER_DAY: '60',
      ANONYMOUS_ORGANIZATION_BYTES_PER_DAY: '0',
    });
  });
  afterAll(() => parley.stop());

  const begin = async (body: object = {}, from = address) => {
    const { body: session } = await parley.beginSession(tenant, body).set('X-Forwarded-For', from).expect(201);
    const { body: opened } = await parley.visitor(session.token).post('/chats', {}).expect(201);
    return { token: session.token as string, chatId: opened.chat.id as string };
  };
  type Begun = Awaited<ReturnType<typeof begin>>;
  const send = ({ token, chatId }: Begun, body: object = { content: 'a' }, from = address): Promise<Response> =>
    Promise.resolve(parley.visitor(token).post(`/chats/${chatId}/messages`, body).set('X-Forwarded-For', from));
  const prepare = async () => {
    tenant = await parley.createTenant();
    address = `10.0.0.${++addresses}`;
  };
  const expectRefused = ({ status, body, headers }: Response) => {
    expect([status, body.code]).toEqual([429, 'rate_limited']);
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
  };
  const refusals = async (limit: string) =>
    (await Scrape.of(parley.url)).value('parley_rate_limited_total', { limit }) ?? 0;

  it('chats of visitors who signed out count toward the quota', async () => {
    await prepare();
    const { token } = await begin();
    const chat = await parley.visitor(token).get('/chats').expect(200);
    // Each takes 200 bytes, and none is rejected.
    for (let count = 0; count <= BYTES / 200; count++) {
      const { body } = await parley.beginSession(tenant, {}, token);
      await parley.visitor(body.token).delete('/sessions').set('X-Forwarded-For', address).expect(204);
    }
    expectRefused(await send({ token, chatId: chat.body.chats[0].id }));
  });

  it("the quota is per address for any number of visitors, and other addresses aren't affected", async () => {
    await prepare();
    const visitors = await Promise.all([begin(), begin()]);
    for (let n = 0; n < MESSAGES; n++) expect((await send(visitors[n % 2]!)).status).toBe(201);
    const before = await refusals('anonymous_messages_address');
    for (const visitor of visitors) expectRefused(await send(visitor));
    expect((await refusals('anonymous_messages_address')) - before).toBe(2);
    expect((await send(visitors[0]!, undefined, '10.1.0.1')).status).toBe(201);
    const stored = await parley.query('SELECT FROM messages WHERE organization_id = $1', [tenant.id]);
    expect(stored).toHaveLength(MESSAGES + 1);
  });

  it('the lines of a chat that its visitor closes and reopens again and again count toward the quota', async () => {
    await prepare();
    const visitor = await begin();
    const close = () =>
      parley.visitor(visitor.token).post(`/chats/${visitor.chatId}/close`, {}).set('X-Forwarded-For', address);
    let sent: Response;
    for (let rounds = 0; (sent = await send(visitor)).status === 201 && rounds < MESSAGES; rounds++)
      await close().expect(200);
    expectRefused(sent);
    // A visitor over the limit can still end a chat.
    await close().expect(200);
    const stored = await parley.query('SELECT FROM messages WHERE organization_id = $1', [tenant.id]);
    expect(stored.length).toBeLessThanOrEqual(MESSAGES + 2);
  });

  it('messages over sockets count by the address of the handshake, and IPv6 counts by /64', async () => {
    await prepare();
    const visitor = await begin();
    for (let n = 0; n < MESSAGES; n++) await send(visitor, undefined, '2001:db8:1:2::1');
    const ask = async (from: string) => {
      const socket = await parley.connectVisitor(visitor.token, { extraHeaders: { 'x-forwarded-for': from } });
      const answer = await socket.ask('message:send', { chatId: visitor.chatId, content: 'a' });
      socket.close();
      return answer;
    };
    expect(await ask('2001:db8:1:2:ffff::2')).toMatchObject({ ok: false, error: { code: 'rate_limited' } });
    expect(await ask('2001:db8:1:3::2')).toMatchObject({ ok: true });
  });

  it("the quota of an organization holds across addresses, and other organizations aren't affected", async () => {
    await prepare();
    const visitor = await begin();
    for (let n = 0; n < 60; n++) expect((await send(visitor, undefined, `10.2.0.${n}`)).status).toBe(201);
    const before = await refusals('anonymous_messages_organization');
    expectRefused(await send(visitor, undefined, '10.2.1.1'));
    expect((await refusals('anonymous_messages_organization')) - before).toBe(1);
    // Bots have no quota.
    await tenant.bot.post('/messages', { chatId: visitor.chatId, content: 'still here' }).expect(200);
    await prepare();
    expect((await send(await begin(), undefined, '10.2.0.1')).status).toBe(201);
  });

  it('the quota counts bytes of contents, metadata, replies, profiles, and chats, and nothing that was rejected', async () => {
    await prepare();
    const metadata = { text: 'é'.repeat(4_500) };
    const visitor = await begin({ visitor: { name: 'V', metadata } });
    const opened = parley.beginSession(tenant, {}).set('X-Forwarded-For', address);
    const other = parley.visitor((await opened.expect(201)).body.token);
    await other.post('/chats', { metadata }).set('X-Forwarded-For', address).expect(201);
    expect((await send(visitor, { content: 'a', metadata })).status).toBe(201);
    expect((await send(visitor, { content: 'é'.repeat(4_900) })).status).toBe(201);
    const before = await refusals('anonymous_bytes_address');
    expectRefused(await send(visitor, { content: 'é'.repeat(4_900) }));
    expectRefused(await parley.beginSession(tenant, { visitor: { metadata } }).set('X-Forwarded-For', address));
    expectRefused(await send(visitor, { content: 'a', replyTo: { messageId: 'msg_a', value: 'v'.repeat(10_000) } }));
    expect((await refusals('anonymous_bytes_address')) - before).toBe(3);
    const missing = { ...visitor, chatId: 'cht_none' };
    for (let n = 0; n < 30; n++) expect((await send(missing, { content: 'a'.repeat(1_000) })).status).toBe(404);
    expect((await send(visitor, { content: 'small enough' })).status).toBe(201);
  });

  it('signed-in visitors have no storage quota', async () => {
    await prepare();
    const identity = await signIdentity(tenant, { sub: 'vera' });
    const visitor = await begin({ identity, visitor: { metadata: { text: 'v'.repeat(9_000) } } });
    for (let n = 0; n < 2 * MESSAGES; n++)
      expect((await send(visitor, { content: 'v'.repeat(3_000) })).status).toBe(201);
  });
});
