import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';

describe('rate limits of sockets', () => {
  let parley: Parley;
  let tenant: Tenant;
  let ada: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start({ VISITOR_RATE_LIMIT: '2', AGENT_RATE_LIMIT: '60' });
    tenant = await parley.createTenant();
    ada = await parley.signInAgent(tenant);
  });
  afterAll(() => parley.stop());

  it("an agent's socket has the limit of agents, and a visitor's socket the limit of visitors", async () => {
    const agent = await parley.connectAgent(ada.token);
    const asked = Array.from({ length: 30 }, () => agent.ask('view:watch', { view: null }));
    expect(await Promise.all(asked)).toEqual(Array.from({ length: 30 }, () => ({ ok: true })));
    const visitor = await parley.connectVisitor(tenant.visitorToken);
    const ended = new Promise((resolve) => visitor.socket.once('disconnect', resolve));
    for (let count = 0; count < 30; count++) visitor.socket.emit('typing', { chatId: tenant.chatId, isTyping: true });
    expect(await ended).toBe('transport close');
    expect(agent.socket.connected).toBe(true);
  });
});
