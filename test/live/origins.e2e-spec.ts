import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { get, type IncomingHttpHeaders } from 'node:http';
import { Parley, type Tenant } from '../support/parley.js';
import { VisitorSocket } from '../support/visitor.js';

const SHOP = 'https://shop.example';
const EVIL = 'https://evil.example';

describe("a connection's origin", () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start({ PUBLIC_URL: 'https://chat.example' });
    tenant = await parley.createTenant();
    await tenant.admin.patch('', { allowedOrigins: [SHOP] }).expect(200);
  });
  afterAll(() => parley.stop());

  const poll = (query: string, origin: string | undefined, init: RequestInit = {}) =>
    fetch(`${parley.url}/socket.io/?EIO=4&transport=polling${query}`, {
      ...init,
      headers: origin === undefined ? {} : { origin },
    });
  const begin = async (origin?: string): Promise<string> => {
    const text = await (await poll('', origin)).text();
    return JSON.parse(text.slice(1)).sid;
  };
  /** The status of a response to a connection's upgrade. */
  const upgrade = (sid: string, origin?: string) =>
    new Promise<number>((resolve, reject) => {
      const headers: IncomingHttpHeaders = {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
        ...(origin !== undefined && { origin }),
      } as IncomingHttpHeaders;
      const request = get(`${parley.url}/socket.io/?EIO=4&transport=websocket&sid=${sid}`, { headers, agent: false });
      request.on('upgrade', (response, socket) => {
        socket.destroy();
        resolve(response.statusCode!);
      });
      request.on('response', (response) => resolve(response.resume().statusCode!));
      request.on('error', reject);
    });
  const post = async (sid: string, origin?: string) =>
    (await poll(`&sid=${sid}`, origin, { method: 'POST', body: `40/visitor,{"token":"${tenant.visitorToken}"}` }))
      .status;

  it("a connection's origin is checked at its upgrade", async () => {
    for (const other of [EVIL, 'null', 'https://shop.example:8443', undefined]) {
      expect([other, await upgrade(await begin(SHOP), other)]).toEqual([other, 403]);
    }
    expect(await upgrade(await begin(SHOP), SHOP)).toBe(101);
  });

  it("a connection's origin is checked at every later poll and post, and a foreign one breaks nothing", async () => {
    const sid = await begin(SHOP);
    expect(await post(sid, EVIL)).toBe(403);
    expect((await poll(`&sid=${sid}`, EVIL)).status).toBe(403);
    expect(await post(sid, SHOP)).toBe(200);
    const answer = await poll(`&sid=${sid}`, SHOP);
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(/^40\/visitor,\{"sid"/)]);
  });

  it("our own pages and clients that aren't browsers may omit the origin", async () => {
    const own = parley.url;
    for (const origin of [own, 'https://chat.example', undefined]) {
      expect([origin, await upgrade(await begin(), origin)]).toEqual([origin, 101]);
      expect([origin, await post(await begin(), origin)]).toEqual([origin, 200]);
    }
    for (const origin of [EVIL, SHOP, 'null', '', 'nonsense']) {
      expect([origin, await upgrade(await begin(), origin)]).toEqual([origin, 403]);
    }
  });

  it('an unknown connection id is answered 400', async () => {
    for (const sid of ['none', '__proto__', 'constructor']) {
      expect((await poll(`&sid=${sid}`, EVIL)).status).toBe(400);
      expect(await upgrade(sid, EVIL)).toBe(400);
    }
  });

  it('a client of an allowed origin starts by polling and upgrades', async () => {
    const visitor = await VisitorSocket.connect(parley.url, tenant.visitorToken, {
      transports: ['polling', 'websocket'],
      extraHeaders: { origin: SHOP },
    });
    const { engine } = visitor.socket.io;
    if (engine.transport.name !== 'websocket') await new Promise((resolve) => engine.once('upgrade', resolve));
    expect(engine.transport.name).toBe('websocket');
    expect(await visitor.ask('chat:open', { chatId: tenant.chatId })).toMatchObject({ ok: true });
    visitor.close();
  });
});
