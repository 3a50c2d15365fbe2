import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AgentFeed } from '../../src/live/agent-state/agent-feed.js';
import { Timings } from '../../src/live/feeds/timings.js';
import { VisitorFeed } from '../../src/live/feeds/visitor-feed.js';
import { until } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import type { VisitorSocket } from '../support/visitor.js';
import { defaultGroupOf } from '../support/tenant.js';

describe('the end of typing with the last socket that sent it', () => {
  let parley: Parley;
  let tenant: Tenant;
  let chatId: string;
  let ada: SignedInAgent;
  let agent: VisitorSocket;
  let visitor: VisitorSocket;

  beforeAll(async () => {
    parley = await Parley.start();
    // No typing ends by itself while a test runs.
    parley.app.get(Timings).typing = 600_000;
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    chatId = tenant.chatId;
    const groupId = await defaultGroupOf(tenant);
    ada = await parley.signInAgent(tenant, { groupIds: [groupId] });
    agent = await connectAgent();
    await agent.ask('chat:follow', { chatId });
    await ada.client.post(`/chats/${chatId}/claim`, {}).expect(200);
    visitor = await parley.connectVisitor(tenant.visitorToken);
    await visitor.ask('chat:open', { chatId });
  });

  const connectAgent = () => parley.connectAgent(ada.token);
  const typed = (socket: VisitorSocket) => socket.all('typing').map(({ isTyping }) => isTyping as boolean);
  const closed = async (socket: VisitorSocket) => {
    const { id } = socket.socket;
    socket.close();
    const feeds = [parley.app.get(VisitorFeed), parley.app.get(AgentFeed)];
    await until('the socket is gone', () => feeds.every((feed) => feed.sockets().every((other) => other.id !== id)));
  };

  it("a visitor's typing ends with its tab, and not with a tab that sent a message before", async () => {
    const other = await parley.connectVisitor(tenant.visitorToken);
    await visitor.ask('typing', { chatId, isTyping: true });
    await visitor.ask('message:send', { chatId, content: 'hello' });
    await agent.until(() => typed(agent).length === 2);
    await other.ask('typing', { chatId, isTyping: true });
    await closed(visitor);
    await other.ask('typing', { chatId, isTyping: true });
    await agent.until(() => typed(agent).length === 4);
    expect(typed(agent)).toEqual([true, false, true, true]);
    await closed(other);
    await agent.until(() => typed(agent).length === 5);
    expect(typed(agent).at(-1)).toBe(false);
  });

  it("a visitor's typing ends with the last of two tabs that type", async () => {
    const other = await parley.connectVisitor(tenant.visitorToken);
    for (const tab of [visitor, other]) await tab.ask('typing', { chatId, isTyping: true });
    await closed(visitor);
    await closed(other);
    await agent.until(() => typed(agent).includes(false));
    expect(typed(agent)).toEqual([true, true, false]);
  });

  it("an agent's typing ends with its last tab", async () => {
    const other = await connectAgent();
    for (const tab of [agent, other]) await tab.ask('typing', { chatId, isTyping: true });
    await closed(agent);
    await other.ask('typing', { chatId, isTyping: true });
    await visitor.until(() => typed(visitor).length === 3);
    expect(typed(visitor)).toEqual([true, true, true]);
    await closed(other);
    await visitor.until(() => typed(visitor).length === 4);
    expect(typed(visitor).at(-1)).toBe(false);
  });

  it("an agent's typing doesn't end with a tab that sent a message before", async () => {
    const other = await connectAgent();
    await agent.ask('typing', { chatId, isTyping: true });
    await agent.ask('message:send', { chatId, content: 'hello' });
    await visitor.until(() => typed(visitor).length === 2);
    await other.ask('typing', { chatId, isTyping: true });
    await closed(other);
    await visitor.until(() => typed(visitor).length === 4);
    expect(typed(visitor)).toEqual([true, false, true, false]);
  });
});
