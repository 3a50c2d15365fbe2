import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Parley, type Tenant } from '../support/parley.js';

const CHATS = 20;

describe('deleted chats', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  const openChat = async () => {
    const { body } = await parley.admin.post(`/${tenant.id}/chats`, { visitor: { name: 'Vera' } }).expect(201);
    return body.id as string;
  };
  const countMessages = async (chatIds: string[]) =>
    (await parley.query('SELECT FROM messages WHERE chat_id = ANY ($1)', [chatIds])).length;

  it('a chat that is deleted while bots write to it leaves no message behind', async () => {
    const chatIds = await Promise.all(Array.from({ length: CHATS }, openChat));
    const statuses = new Set<number>();
    const write = async (chatId: string) => {
      let status: number;
      do {
        ({ status } = await tenant.bot.post('/messages', { chatId, content: 'Still there?' }));
        statuses.add(status);
      } while (status === 200);
    };
    const writing = Promise.all([...chatIds, ...chatIds].map(write));
    for (const chatId of chatIds) {
      await tenant.bot.post('/messages', { chatId, content: 'Hello' }).expect(200);
      expect(await countMessages([chatId])).toBeGreaterThan(0);
      await parley.query('DELETE FROM chats WHERE organization_id = $1 AND id = $2', [tenant.id, chatId]);
    }
    await writing;
    expect(statuses).toEqual(new Set([200, 404]));
    expect(await countMessages(chatIds)).toBe(0);
  });
});
