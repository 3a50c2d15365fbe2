import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { VisitorClient } from 'parley/visitor';
import { signIdentity } from '../support/identity.js';
import { ClientsOnRoad, contents, memory, until } from '../support/observing.js';
import { Parley, type Tenant } from '../support/parley.js';

describe('messages that the service does not take now', () => {
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

  const waiting = (client: VisitorClient) => client.pending.value.map(({ content, state }) => [content, state]);
  const changeKey = (from: string, to: string) =>
    parley.query('UPDATE organizations SET widget_key = $2 WHERE widget_key = $1 RETURNING id', [from, to]);

  it('send rejects with the reason for an unknown key, each time, and the messages stay until the key is known', async () => {
    const { widgetKey } = tenant;
    const unknown = `${widgetKey.slice(0, -4)}----`;
    await changeKey(widgetKey, unknown);
    const storage = memory();
    const client = clients.connect({ storage });
    await expect(client.send('one')).rejects.toMatchObject({ code: 'not_found' });
    await expect(client.send('two')).rejects.toMatchObject({ code: 'not_found' });
    expect(client.connection.value).toMatchObject({ state: 'refused', error: { code: 'not_found' } });
    expect(waiting(client)).toEqual([
      ['one', 'queued'],
      ['two', 'queued'],
    ]);
    await changeKey(unknown, widgetKey);
    expect(await client.send('three')).toMatchObject({ content: 'three', seq: 3 });
    expect([contents(client), waiting(client)]).toEqual([['one', 'two', 'three'], []]);
  });

  it("openChat rejects for another visitor's chat, and messages go to the visitor's own", async () => {
    const { chatId } = await clients.connect({ storage: memory() }).send('Mine');
    const client = clients.connect({ storage: memory() });
    const opening = client.openChat({ chatId }).catch((error: unknown) => error);
    const first = client.send('one');
    expect(await opening).toMatchObject({ code: 'not_found' });
    expect((await first).chatId).not.toBe(chatId);
    await expect(client.openChat({ chatId })).rejects.toMatchObject({ code: 'not_found' });
    await client.send('two');
    await until(client.messages, ({ length }) => length === 2);
    expect(contents(client)).toEqual(['one', 'two']);
  });

  it('the same message sent again after a refusal is stored once', async () => {
    const { widgetKey } = tenant;
    const unknown = `${widgetKey.slice(0, -4)}----`;
    await changeKey(widgetKey, unknown);
    const client = clients.connect();
    const send = () => client.send('Hello', { clientMessageId: 'the-only-one' });
    await expect(send()).rejects.toMatchObject({ code: 'not_found' });
    await changeKey(unknown, widgetKey);
    expect(await send()).toMatchObject({ content: 'Hello', seq: 1 });
    expect([contents(client), waiting(client)]).toEqual([['Hello'], []]);
  });

  it('send rejects while the visitor is blocked, and the message is sent after the block', async () => {
    const { body: groups } = await tenant.bot.get('/groups').expect(200);
    const ada = await parley.signInAgent(tenant, { groupIds: [groups[0].id] });
    const client = clients.connect();
    const { chatId } = await client.send('Buy my watches');
    await ada.client.put(`/chats/${chatId}/block`, {}).expect(200);
    await until(client.connection, ({ state }) => state === 'refused');
    await expect(client.send('Sorry')).rejects.toMatchObject({ code: 'blocked' });
    expect(waiting(client)).toEqual([['Sorry', 'queued']]);
    await ada.client.delete(`/chats/${chatId}/block`).expect(204);
    client.reconnect();
    await until(client.pending, ({ length }) => length === 0);
    await until(client.messages, ({ length }) => length === 2);
    expect(contents(client)).toEqual(['Buy my watches', 'Sorry']);
  });

  it('send rejects with a bad identity, and the message is sent by the person that a good one names', async () => {
    const client = clients.connect({ identity: 'no.jwt.atall' });
    await expect(client.send('Hello')).rejects.toMatchObject({ code: 'unauthorized' });
    await client.identify(await signIdentity(tenant, { sub: 'ada', name: 'Ada' }));
    await until(client.messages, ({ length }) => length === 1);
    expect(client.messages.value[0]).toMatchObject({ content: 'Hello', sender: { name: 'Ada' } });
  });

  it('messages wait for the next token if theirs ends before they are sent', async () => {
    const storage = memory();
    const client = clients.connect({ storage, identity: () => signIdentity(tenant, { sub: 'ada' }) });
    clients.road.refusesSockets = true;
    const { chatId } = await client.send('one');
    await until(client.connection, ({ state }) => state === 'polling');
    const { token } = JSON.parse(storage.getItem(`parley:${tenant.widgetKey}`)!);
    await parley.visitor(token).delete('/sessions').expect(204);
    const sent = await Promise.all([client.send('two'), client.send('three')]);
    expect(sent.map((message) => message.chatId)).toEqual([chatId, chatId]);
    expect([contents(client), waiting(client)]).toEqual([['one', 'two', 'three'], []]);
  });

  it('send rejects when the client is closed, and the next page sends the message', async () => {
    const storage = memory();
    clients.road.cut();
    const client = clients.connect({ storage });
    const sent = client.send('Hello');
    await until(client.connection, ({ state }) => state === 'offline');
    client.close();
    await expect(sent).rejects.toMatchObject({ code: 'interrupted' });
    clients.road.isCut = false;
    const next = clients.connect({ storage });
    await next.resumeChat();
    await until(next.messages, ({ length }) => length === 1);
    expect([contents(next), waiting(next)]).toEqual([['Hello'], []]);
  });

  const visitors = () => parley.query('SELECT id FROM visitors WHERE organization_id = $1', [tenant.id]);

  it('a changed profile creates no visitor for a token that was revoked, but is refused', async () => {
    const storage = memory();
    const first = clients.connect({ storage });
    await first.send('Hello');
    first.close();
    const { token } = JSON.parse(storage.getItem(`parley:${tenant.widgetKey}`)!);
    await parley.visitor(token).delete('/sessions').expect(204);
    const before = await visitors();
    const second = clients.connect({ storage });
    await expect(second.setVisitor({ name: 'Vera' })).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await visitors()).toEqual(before);
    await second.send('Here again');
    expect(second.messages.value[0]).toMatchObject({ sender: { name: 'Vera' } });
    expect(await visitors()).toHaveLength(before.length + 1);
  });

  it('a changed profile creates no visitor for a token that has expired', async () => {
    const storage = memory();
    const first = clients.connect({ storage });
    await first.send('Hello');
    first.close();
    const key = `parley:${tenant.widgetKey}`;
    const expired = { ...JSON.parse(storage.getItem(key)!), token: 'expired', expiresAt: new Date(0).toISOString() };
    storage.setItem(key, JSON.stringify(expired));
    const before = await visitors();
    const second = clients.connect({ storage });
    await second.setVisitor({ name: 'Vera' });
    expect(await visitors()).toEqual(before);
    await second.send('Here again');
    expect(second.messages.value[0]).toMatchObject({ sender: { name: 'Vera' } });
  });
});
