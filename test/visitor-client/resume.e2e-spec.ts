import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { signIdentity } from '../support/identity.js';
import { ClientsOnRoad, contents, memory, until } from '../support/observing.js';
import { Parley, type Tenant } from '../support/parley.js';

describe('resuming a chat', () => {
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

  const visitors = () => parley.query('SELECT id FROM visitors WHERE organization_id = $1', [tenant.id]);

  it('resuming creates nothing for a new visitor, and opens an existing chat', async () => {
    const before = (await visitors()).length;
    const storage = memory();
    const first = clients.connect({ storage });
    expect(await first.resumeChat()).toBeNull();
    expect(await visitors()).toHaveLength(before);
    expect(storage.getItem(`parley:${tenant.widgetKey}`)).toBeNull();
    const { chatId } = await first.send('Hello');
    first.close();
    expect((await clients.connect({ storage }).resumeChat())?.id).toBe(chatId);
  });

  it.each(['expired', 'refused', 'refused and about to expire', 'of a chat that was removed'])(
    'resuming creates nothing with a token that is %s',
    async (what) => {
      const storage = memory();
      const first = clients.connect({ storage });
      const { chatId } = await first.send('Hello');
      first.close();
      const key = `parley:${tenant.widgetKey}`;
      const kept = JSON.parse(storage.getItem(key)!);
      const token = `e30.${btoa(JSON.stringify({ iat: 0, exp: 1 }))}.e30`;
      if (what === 'expired')
        storage.setItem(key, JSON.stringify({ ...kept, token, expiresAt: new Date(1_000).toISOString() }));
      else if (what.startsWith('refused')) await parley.visitor(kept.token).delete('/sessions').expect(204);
      else await parley.query('DELETE FROM chats WHERE id = $1', [chatId]);
      const soon = new Date(Date.now() + 10 * 24 * 60 * 60 * 1000).toISOString();
      if (what.endsWith('about to expire')) storage.setItem(key, JSON.stringify({ ...kept, expiresAt: soon }));
      const chats = async () => (await tenant.bot.get('/chats').expect(200)).body.chats.length as number;
      const before = [(await visitors()).length, await chats()];
      const second = clients.connect({ storage });
      expect(await second.resumeChat()).toBeNull();
      expect([(await visitors()).length, await chats()]).toEqual(before);
      await second.send('Here again');
      expect(contents(second)).toEqual(['Here again']);
    },
  );

  it('the client continues as a new visitor when the token is rejected after the chat was resumed', async () => {
    const storage = memory();
    const first = clients.connect({ storage });
    await first.send('Hello');
    first.close();
    const second = clients.connect({ storage });
    const resumed = await second.resumeChat();
    await until(second.connection, ({ state }) => state === 'online');
    const { token } = JSON.parse(storage.getItem(`parley:${tenant.widgetKey}`)!);
    await parley.visitor(token).delete('/sessions').expect(204);
    clients.road.end();
    await until(second.chat, (chat) => chat !== null && chat.id !== resumed?.id);
    await second.send('Here again');
    expect(contents(second)).toEqual(['Here again']);
  });

  it('the identity replaces a rejected token, even for posts', async () => {
    const storage = memory();
    const identity = await signIdentity(tenant, { sub: 'zoe' });
    const first = clients.connect({ storage, identity });
    const { chatId } = await first.send('Hello');
    first.close();
    const key = `parley:${tenant.widgetKey}`;
    const spoil = async () => {
      const { chatId: _, token, ...kept } = JSON.parse(storage.getItem(key)!);
      await parley.visitor(token).delete('/sessions').expect(204);
      storage.setItem(key, JSON.stringify({ ...kept, token }));
    };
    await spoil();
    const second = clients.connect({ storage, identity });
    expect((await second.resumeChat())?.id).toBe(chatId);
    second.close();
    await spoil();
    expect(await clients.connect({ storage }).post('sessions', { widgetKey: tenant.widgetKey })).toHaveProperty(
      'token',
    );
  });

  it('resuming opens no chat for a visitor who signs out during the request', async () => {
    const storage = memory();
    const identity = await signIdentity(tenant, { sub: 'zoe' });
    const first = clients.connect({ storage, identity });
    await first.send('Hello');
    first.close();
    const client = clients.connect({ identity });
    const before = (await visitors()).length;
    const asked = new Promise<void>((resolve) => {
      clients.road.losesAnswerTo = (said) => {
        if (said.toString('latin1').startsWith('GET /api/visitor/chats')) void client.identify(null).then(resolve);
        return false;
      };
    });
    const resumed = client.resumeChat();
    await asked;
    expect(await resumed).toBeNull();
    expect(client.connection.value.state).toBe('idle');
    expect(await visitors()).toHaveLength(before);
  });
});
