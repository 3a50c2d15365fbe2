import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataRemoval } from '../../src/privacy/data-removal.js';
import { signIdentity } from '../support/identity.js';
import { Parley, type Tenant } from '../support/parley.js';
import { fillChat } from '../support/traces.js';
import { stopIndexing } from './support/indexing.js';
import { Follower } from './support/follower.js';

const DAY = 24 * 60 * 60 * 1000;

describe('changes by erasure, retention and merges', () => {
  let parley: Parley;
  let tenant: Tenant;
  let follower: Follower;

  beforeAll(async () => {
    parley = await Parley.start();
    await stopIndexing(parley);
    parley.app.get(DataRemoval).erasureTimeout = 25_000;
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    follower = new Follower(parley, tenant.id);
  });

  const send = (content: string) => tenant.bot.post('/messages', { chatId: tenant.chatId, content }).expect(200);
  const contents = () => follower.copy.get(tenant.chatId)!.messages.map(({ content }) => content);
  /** What the reader has of the chat, after a removal between two reads. */
  const after = async (removal: () => PromiseLike<unknown>) => {
    await follower.follow();
    await removal();
    await follower.follow();
    await follower.expectTruth();
  };

  /** Moves the chat's messages from this seq on into the future. */
  const keepFrom = (seq: number) =>
    parley.query(
      `WITH moved AS (UPDATE messages SET created_at = now() + interval '39 days' WHERE chat_id = $1 AND seq >= $2)
       UPDATE chats SET last_message_at = now() + interval '39 days' WHERE id = $1`,
      [tenant.chatId, seq],
    );

  it('the messages of an erased visitor become tombstones, and the name goes', async () => {
    await send('secret');
    await after(async () => {
      // In the epoch of the erasure, the chat has a row already.
      await send('another secret');
      await tenant.admin.delete(`/visitors/${tenant.visitorId}`).expect(204);
    });
    expect(contents()).toEqual(expect.arrayContaining(['']));
    expect(contents().filter((content) => content !== '')).toEqual([]);
    expect(follower.copy.get(tenant.chatId)!.visitor).toBeNull();
  });

  it('messages past their retention become tombstones while later ones stay', async () => {
    await tenant.admin.patch('', { retentionDays: 30 }).expect(200);
    await send('old');
    await send('new');
    await keepFrom(2);
    await after(async () => {
      await send('newer');
      await keepFrom(3);
      await parley.app.get(DataRemoval).run(new Date(Date.now() + 40 * DAY));
    });
    expect(contents()).toEqual(['', 'new', 'newer']);
  });

  it('a message that its agent deletes becomes a tombstone', async () => {
    const ada = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    await ada.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
    const { body } = await ada.client.post(`/chats/${tenant.chatId}/messages`, { content: 'oops' }).expect(201);
    await after(async () => {
      // In the epoch of the deletion, the chat has a row already.
      await ada.client.post(`/chats/${tenant.chatId}/messages`, { content: 'better' }).expect(201);
      await ada.client.delete(`/chats/${tenant.chatId}/messages/${body.message.seq}`).expect(204);
    });
    expect(contents().slice(-2)).toEqual(['', 'better']);
  });

  it('a chat past its retention is removed, even when removal takes several steps', async () => {
    await tenant.admin.patch('', { retentionDays: 30 }).expect(200);
    await fillChat(parley, tenant.id, tenant.chatId, 2_500);
    await after(() => parley.app.get(DataRemoval).run(new Date(Date.now() + 40 * DAY)));
    expect(follower.copy.size).toBe(0);
  });

  it('the chats of an anonymous visitor who signs in get the signed name', async () => {
    await send('hello');
    const identity = await signIdentity(tenant, { sub: 'vera', name: 'Vera Signed' });
    await after(() => parley.beginSession(tenant, { identity, merge: true }, tenant.visitorToken).expect(201));
    expect(follower.copy.get(tenant.chatId)!.visitor).toBe('Vera Signed');
  });

  it('a deleted organization leaves no changes and no reader', async () => {
    await send('hello');
    await follower.follow();
    await send('again');
    await parley.admin.delete(`/${tenant.id}?now=true`).expect(204);
    await parley.app.get(DataRemoval).run();
    for (const table of ['organizations', 'chat_changes', 'change_readers'])
      expect(
        await parley.query(`SELECT FROM ${table} WHERE ${table === 'organizations' ? 'id' : 'organization_id'} = $1`, [
          tenant.id,
        ]),
      ).toEqual([]);
  });
});
