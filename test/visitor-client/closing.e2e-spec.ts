import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { introduce, type VisitorClient } from 'parley/visitor';
import { signIdentity } from '../support/identity.js';
import { ClientsOnRoad, memory, until } from '../support/observing.js';
import { Parley, type Tenant } from '../support/parley.js';

describe('closing the client', () => {
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

  const interrupted = { code: 'interrupted' };
  const never = () => new Promise<string>(() => undefined);
  const calls: [string, (client: VisitorClient) => Promise<unknown>][] = [
    ['openChat', (client) => client.openChat({ isNew: true })],
    ['resumeChat', (client) => client.resumeChat()],
    ['listChats', (client) => client.listChats()],
    ['closeChat', (client) => client.closeChat()],
    ['loadEarlier', (client) => client.loadEarlier()],
    ['send', (client) => client.send('Hello')],
    ['identify', (client) => client.identify(never)],
    ['setVisitor', (client) => client.setVisitor({ name: 'Vera' })],
    ['post', (client) => introduce(client, tenant.widgetKey, { name: 'Vera' })],
  ];
  /** A client with a long chat, on a connection that no longer answers. */
  const freeze = async () => {
    const storage = memory();
    const first = clients.connect({ storage });
    const { chatId } = await first.send('Hello');
    for (let n = 0; n < 101; n++) await tenant.bot.post('/messages', { chatId, content: `${n}` }).expect(200);
    const client = clients.connect({ storage });
    await client.openChat();
    await until(client.connection, ({ state }) => state === 'online');
    first.close();
    clients.road.freeze();
    return client;
  };

  it('every call that is under way rejects, and every later one', async () => {
    const client = await freeze();
    const [, ...others] = calls.map(([name, call]) => [name, call] as const);
    const results = new Map<string, string>();
    const settle = (name: string, promise: Promise<unknown>) =>
      promise.then(
        () => results.set(name, 'resolved'),
        ({ code }) => results.set(name, code),
      );
    // The chat is open, so that this one has its answer already.
    const settled = others.filter(([name]) => name !== 'resumeChat').map(([name, call]) => settle(name, call(client)));
    client.close();
    await Promise.all(settled);
    expect([...results].filter(([, code]) => code !== 'interrupted')).toEqual([]);
    for (const [, call] of calls) await expect(call(client)).rejects.toMatchObject(interrupted);
    expect(client.connection.value.state).toBe('idle');
  });

  it.each(['openChat', 'resumeChat'] as const)(
    '%s rejects when the client is closed before it connects',
    async (name) => {
      const storage = memory();
      const first = clients.connect({ storage });
      await first.send('Hello');
      first.close();
      clients.road.cut();
      const client = clients.connect({ storage });
      const opened = client[name]();
      await until(client.connection, ({ state }) => state === 'offline');
      client.close();
      await expect(opened).rejects.toMatchObject(interrupted);
    },
  );

  it('a chat that is found after the client was closed is not opened', async () => {
    const identity = await signIdentity(tenant, { sub: 'zoe' });
    await clients.connect({ identity }).send('Hello');
    const client = clients.connect({ identity });
    const asked = new Promise<void>((resolve) => {
      clients.road.losesAnswerTo = (said) => {
        if (said.toString('latin1').startsWith('GET /api/visitor/chats')) {
          client.close();
          resolve();
        }
        return false;
      };
    });
    const resumed = client.resumeChat();
    await asked;
    await expect(resumed).rejects.toMatchObject(interrupted);
    expect(client.connection.value.state).toBe('idle');
  });

  it('a closed client still signs out', async () => {
    const storage = memory();
    const client = clients.connect({ storage });
    await client.send('Hello');
    client.close();
    expect(storage.getItem(`parley:${tenant.widgetKey}`)).not.toBeNull();
    await client.identify(null);
    expect(storage.getItem(`parley:${tenant.widgetKey}`)).toBeNull();
  });
});
