import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { signIdentity } from '../support/identity.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Scrape } from '../support/scrape.js';

const MESSAGES = 20;
const BYTES = 40_000;
/** More than any of these limits lets through. */
const TRIES = 60;

let addresses = 0;

describe('what visitors repeat', () => {
  let parley: Parley;
  let tenant: Tenant;
  let address: string;

  beforeAll(async () => {
    parley = await Parley.start({
      TRUST_PROXY: '1',
      ANONYMOUS_MESSAGES_PER_DAY: String(MESSAGES),
      ANONYMOUS_BYTES_PER_DAY: String(BYTES),
    });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    address = `10.0.0.${++addresses}`;
    await tenant.admin.patch('/widget', { rating: true, messageRating: true, personAfter: 0 }).expect(200);
    await tenant.bot.put('/subscription', {}).expect(200);
  });

  const begin = async (body: object = {}) =>
    (await parley.beginSession(tenant, body).set('X-Forwarded-For', address).expect(201)).body.token as string;
  const at = (token: string) => {
    const visitor = parley.visitor(token);
    return {
      post: (path: string, body: object = {}) => visitor.post(path, body).set('X-Forwarded-For', address),
      put: (path: string, body: object = {}) => visitor.put(path, body).set('X-Forwarded-For', address),
    };
  };
  const open = async (token: string) => (await at(token).post('/chats').expect(201)).body.chat.id as string;
  const say = async (chatId: string, content: string) =>
    (await tenant.bot.post('/messages', { chatId, content }).expect(200)).body.id as string;
  /** Repeats a request until it's refused with `rate_limited`. Returns how many were accepted. */
  const countAccepted = async (send: (n: number) => PromiseLike<{ status: number; body: any }>) => {
    for (let n = 0; n < TRIES; n++) {
      const { status, body } = await send(n);
      if (status === 429) expect(body.code).toBe('rate_limited');
      if (status === 429) return n;
      expect(status).toBeLessThan(300);
    }
    return TRIES;
  };
  const eventsOf = (type: string) =>
    parley.query('SELECT FROM deliveries WHERE organization_id = $1 AND event_type = $2', [tenant.id, type]);

  it('an anonymous visitor’s ratings of messages count like messages', async () => {
    const token = await begin();
    const chatId = await open(token);
    const ids: string[] = [];
    for (let n = 0; n < MESSAGES + 5; n++) ids.push(await say(chatId, `answer ${n}`));
    const accepted = await countAccepted((n) =>
      at(token).put(`/chats/${chatId}/messages/${ids[n % ids.length]!}/rating`, {
        rating: n < ids.length ? 'UP' : 'DOWN',
      }),
    );
    expect(accepted).toBe(MESSAGES);
    expect(await eventsOf('message.rated')).toHaveLength(MESSAGES);
    // The same rating again stores nothing, and is answered even over the quota.
    for (let n = 0; n < 3; n++)
      await at(token).put(`/chats/${chatId}/messages/${ids[0]!}/rating`, { rating: 'UP' }).expect(200);
    expect((await at(token).post(`/chats/${chatId}/messages`, { content: 'hello' })).status).toBe(429);
  });

  it('an anonymous visitor’s ratings of chats count like messages', async () => {
    const token = await begin();
    const chatId = await open(token);
    for (let n = 0; n < MESSAGES - 3; n++)
      await at(token).post(`/chats/${chatId}/messages`, { content: 'a' }).expect(201);
    await tenant.admin.patch(`/chats/${chatId}`, { status: 'CLOSED' }).expect(200);
    const rate = (n: number) => at(token).post(`/chats/${chatId}/rating`, { score: 1 + (n % 2) });
    expect(await countAccepted(rate)).toBe(3);
    expect(await eventsOf('chat.rated')).toHaveLength(3);
    await rate(2).expect(200);
  });

  it.each(['an anonymous', 'a signed'])('%s visitor changes one rating 10 times, with an event each', async (kind) => {
    address = kind === 'a signed' ? address : '10.9.9.9';
    const identity = await signIdentity(tenant, { sub: 'vera' });
    const token = await begin(kind === 'a signed' ? { identity } : {});
    const chatId = await open(token);
    const messageId = await say(chatId, 'answer');
    const path = `/chats/${chatId}/messages/${messageId}/rating`;
    const ratings = ['UP', 'DOWN'] as const;
    for (let n = 0; n <= 10; n++)
      await at(token)
        .put(path, { rating: ratings[n % 2] })
        .expect(200);
    const refused = await at(token).put(path, { rating: 'DOWN' }).expect(409);
    expect(refused.body.code).toBe('rating_over');
    await at(token).put(path, { rating: 'UP' }).expect(200);
    expect(await eventsOf('message.rated')).toHaveLength(11);
    if (kind === 'an anonymous') return;
    await at(token).post(`/chats/${chatId}/close`).expect(200);
    for (let n = 0; n <= 10; n++)
      await at(token)
        .post(`/chats/${chatId}/rating`, { score: 1 + (n % 2) })
        .expect(200);
    expect((await at(token).post(`/chats/${chatId}/rating`, { score: 5 }).expect(409)).body.code).toBe('rating_over');
    expect(await eventsOf('chat.rated')).toHaveLength(11);
  });

  it('requests for a person count like messages, even if the bot answers each one', async () => {
    const token = await begin();
    const chatId = await open(token);
    const accepted = await countAccepted(async () => {
      const asked = await at(token).post(`/chats/${chatId}/handoff`);
      await tenant.bot.post('/messages', { chatId, content: 'Let me help' }).expect(200);
      await parley.query('DELETE FROM person_requests WHERE chat_id = $1', [chatId]);
      return asked;
    });
    expect(accepted).toBe(MESSAGES);
    expect(await eventsOf('handoff.requested')).toHaveLength(MESSAGES);
  });

  it('chats that are opened and closed count, and none is opened when no message would be stored', async () => {
    const token = await begin();
    const accepted = await countAccepted(async () => {
      const opened = await at(token).post('/chats');
      if (opened.status === 201) await at(token).post(`/chats/${opened.body.chat.id}/close`).expect(200);
      return opened;
    });
    // Each close counts two lines.
    expect(accepted).toBe(MESSAGES / 2);
  });

  it('changes of an anonymous visitor’s profile count at least 200 bytes, and one without a change is no write', async () => {
    const token = await begin();
    const rename = (name: string) =>
      parley.beginSession(tenant, { visitor: { name } }, token).set('X-Forwarded-For', address);
    for (let n = 0; n < 150; n++) await rename(`Name ${n}`).expect(201);
    const version = () =>
      parley.query(`SELECT xmin FROM visitors WHERE organization_id = $1 AND name = 'Name 149'`, [tenant.id]);
    const before = await version();
    await rename('Name 149').expect(201);
    expect(await version()).toEqual(before);
    let n = 150;
    while (n < 250 && (await rename(`Name ${n}`)).status === 201) n++;
    expect(n).toBeLessThan(BYTES / 200);
  });

  it('a signed identity changes its profile 30 times a minute, and goes on without a change', async () => {
    const identity = await signIdentity(tenant, { sub: 'vera', name: 'Vera' });
    const change = (n: number) => parley.beginSession(tenant, { identity, visitor: { metadata: { n } } });
    expect(await countAccepted(change)).toBe(31);
    // The first call created the visitor, and the last accepted one was number 30.
    for (let n = 0; n < 5; n++) await change(30).expect(201);
    const [row] = await parley.query(
      `SELECT metadata FROM visitors WHERE organization_id = $1 AND external_id = 'vera'`,
      [tenant.id],
    );
    expect(row).toEqual({ metadata: { n: 30 } });
    await parley.beginSession(tenant, { identity: await signIdentity(tenant, { sub: 'bo' }) }).expect(201);
    expect(
      (await Scrape.of(parley.url)).value('parley_rate_limited_total', { limit: 'identity_changes' }),
    ).toBeGreaterThan(0);
  });
});
