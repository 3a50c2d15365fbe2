import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ClientsOnRoad, contents, until } from '../support/observing.js';
import { Parley, type Tenant } from '../support/parley.js';

describe('the client behind a proxy that breaks WebSockets', () => {
  let parley: Parley;
  let tenant: Tenant;
  let clients: ClientsOnRoad;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    clients = await ClientsOnRoad.to(parley.url, tenant);
  });
  afterEach(() => clients.close());

  const SPOILED = {
    'cuts them at once': { cutsSocketsAfter: 0 },
    'cuts them after 50 ms': { cutsSocketsAfter: 50 },
    'cuts them after half a second': { cutsSocketsAfter: 500 },
    'never answers them': { holdsSockets: true },
  };

  it.each(Object.entries(SPOILED))(
    'the client switches to REST when a proxy %s, and returns to a socket',
    async (_, spoiled) => {
      const { road } = clients;
      Object.assign(road, spoiled);
      const client = clients.connect();
      const sent = client.send('over REST');
      await until(client.connection, ({ state }) => state === 'polling');
      const { chatId } = await sent;
      await tenant.bot.post('/messages', { chatId, content: 'polled' }).expect(200);
      await until(client.messages, ({ length }) => length === 2);
      Object.assign(road, { cutsSocketsAfter: undefined, holdsSockets: false });
      // The held request is never answered.
      road.end();
      await until(client.connection, ({ state }) => state === 'online');
      await tenant.bot.post('/messages', { chatId, content: 'live' }).expect(200);
      await until(client.messages, ({ length }) => length === 3);
      expect(contents(client)).toEqual(['over REST', 'polled', 'live']);
    },
  );

  it('the client reconnects by itself after a proxy cut two sockets and refused everything for a moment', async () => {
    const { road } = clients;
    const client = clients.connect();
    await client.send('before');
    await until(client.connection, ({ state }) => state === 'online');
    road.end();
    await until(client.connection, ({ state }) => state === 'offline');
    await until(client.connection, ({ state }) => state === 'online');
    // After the second socket, the client uses REST.
    const refused = new Promise<void>((resolve) => {
      road.losesAnswerTo = (said) => {
        if (!said.toString('latin1').startsWith('POST /api/visitor/chats')) return false;
        road.cut();
        resolve();
        return true;
      };
    });
    road.end();
    await refused;
    await until(client.connection, ({ state }) => state === 'offline');
    Object.assign(road, { losesAnswerTo: () => false, isCut: false });
    await until(client.connection, ({ state }) => state === 'online');
    await client.send('after');
    expect(contents(client)).toEqual(['before', 'after']);
  });
});
