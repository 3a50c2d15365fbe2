import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ignoreDocuments } from '../support/check-answers.js';
import { Parley, type Tenant } from '../support/parley.js';

describe("a chat's channel", () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  it("a chat's channel is stored, and every response has the stored one", async () => {
    ignoreDocuments();
    const { chatId } = tenant;
    const stored = await parley.query('SELECT channel FROM chats WHERE id = $1', [chatId]);
    expect(stored).toEqual([{ channel: 'WIDGET' }]);
    await parley.query(`UPDATE chats SET channel = 'OTHER' WHERE id = $1`, [chatId]);
    const sue = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    const visitor = parley.visitor(tenant.visitorToken);
    const [ofBot, listed, ofVisitor, opened, ofAgent] = await Promise.all([
      tenant.bot.get(`/chats/${chatId}`).expect(200),
      tenant.bot.get('/chats').expect(200),
      visitor.get('/chats').expect(200),
      visitor.post('/chats', { chatId }).expect(201),
      sue.client.get(`/chats/${chatId}`).expect(200),
    ]);
    const seen = [ofBot.body, listed.body.chats[0], ofVisitor.body.chats[0], opened.body.chat, ofAgent.body];
    expect(seen.map(({ channel }) => channel)).toEqual(Array.from({ length: 5 }, () => 'OTHER'));
  });
});
