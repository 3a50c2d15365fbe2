import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import type { VisitorSocket } from '../support/visitor.js';
import { defaultGroupOf } from '../support/tenant.js';

describe("the order of one socket's requests", () => {
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

  describe('of an agent', () => {
    let groupId: string;
    let ada: SignedInAgent;
    let socket: VisitorSocket;

    beforeEach(async () => {
      groupId = await defaultGroupOf(tenant);
      ada = await parley.signInAgent(tenant, { groupIds: [groupId] });
      socket = await parley.connectAgent(ada.token);
    });

    it('the last of several view requests is the watched view', async () => {
      const first = socket.ask('view:watch', { view: 'CLOSED', groupId });
      expect(await Promise.all([first, socket.ask('view:watch', { view: 'BOT' })])).toEqual([
        { ok: true },
        { ok: true },
      ]);
      await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'hello' }).expect(200);
      await socket.until(() => socket.all('chat').some(({ id }) => id === tenant.chatId));
    });

    it("a chat that is followed and immediately unfollowed isn't followed", async () => {
      const { chatId } = tenant;
      const followed = socket.ask('chat:follow', { chatId });
      await Promise.all([followed, socket.ask('chat:unfollow', { chatId })]);
      expect((await ada.client.get(`/chats/${chatId}`).expect(200)).body.viewers).toEqual([]);
    });
  });
});
