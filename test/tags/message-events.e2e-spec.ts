import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Parley, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';

describe('the tags of a chat in events of its messages', () => {
  let parley: Parley;
  let tenant: Tenant;
  let receiver: Receiver;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    receiver = await Receiver.start();
    tenant = await parley.createTenant();
    await tenant.admin.post('/webhooks', { url: receiver.url, events: ['message.created'] }).expect(201);
  });
  afterEach(() => receiver.close());

  const say = () => tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'Hello' }).expect(200);
  const set = (tags: string[]) => tenant.bot.put(`/chats/${tenant.chatId}/tags`, { tags }).expect(200);

  it('an event has the tags by name, as the chat has them when the message is stored', async () => {
    await say();
    await set(['VIP', 'Refund "now"']);
    await say();
    await set([]);
    await say();
    const events = await receiver.count(3);
    expect(events.map(({ event }) => event.data.chat.tags)).toEqual([[], ['Refund "now"', 'VIP'], []]);
  });
});
