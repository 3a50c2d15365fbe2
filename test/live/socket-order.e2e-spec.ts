import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Parley, type Tenant } from '../support/parley.js';

describe('the order of what one socket asks', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
  });

  it('a chat that its visitor closes after a last message stays closed', async () => {
    const visitor = await parley.connectVisitor(tenant.visitorToken);
    const ends: string[] = [];
    for (let count = 0; count < 40; count++) {
      const { chat } = await visitor.ask('chat:open', {});
      const last = visitor.ask('message:send', { chatId: chat.id, content: 'bye' });
      await Promise.all([last, visitor.ask('chat:close', { chatId: chat.id })]);
      ends.push((await tenant.bot.get(`/chats/${chat.id}`).expect(200)).body.status);
    }
    expect(new Set(ends)).toEqual(new Set(['CLOSED']));
  });
});
