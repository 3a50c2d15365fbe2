import { setTimeout as sleep } from 'node:timers/promises';
import { connectAgent, Requests } from './prepare.mjs';
import { limit } from '../figures/limits.mjs';
import { adminOf } from '../setup/parley.mjs';
import { percentile } from '../figures/stats.mjs';

const AGENTS = 20;
/** How often each agent becomes free in each way. */
const TIMES = 5;
const PATIENCE = 20_000;

/** From the moment an agent can take a chat until the offer arrives at their socket, while many chats wait. */
export async function measureOffers(bench, setup) {
  const { agents, chats, spare, organizationId, start } = setup;
  const parley = await start('agents_offers');
  const post = adminOf(parley);
  const queue = new Queue(parley, setup);
  const group = await queue.addGroup('A long queue');
  const other = await queue.addGroup('A short queue');
  const asked = agents.slice(0, Math.min(AGENTS, agents.length - 1));
  const [free] = agents.slice(-1);
  for (const { id } of asked)
    await post(`/${organizationId}/agents/${id}`, { groupIds: [group], capacity: 1 }, 'PATCH');
  await post(`/${organizationId}/agents/${free.id}`, { groupIds: [other], capacity: 100 }, 'PATCH');
  const waiting = chats.slice(0, bench.agents.waiting);
  await queue.requests.forEach(waiting, (chat) => queue.transfer(chat, group));
  const kinds = {
    'comes online': await queue.comeOnline(asked),
    'declines the offer before': await queue.decline(asked),
    'closes the chat before': await queue.finish(asked, spare, group),
    'is free in another group as a chat is queued': await queue.queueOthers(free, spare, other),
  };
  await queue.close();
  await parley.stop();
  return Object.entries(kinds).map(([kind, times]) =>
    limit({
      measure: `${waiting.length} chats wait, an agent ${kind}: until the offer, p95`,
      unit: 'ms',
      values: [percentile(times, 95)],
      below: 250,
    }),
  );
}

class Queue {
  /** The latest offer of each agent, and what waits for the next one. */
  offers = new Map();
  waiting = new Map();
  sockets = [];

  constructor(parley, { botToken, organizationId }) {
    this.parley = parley;
    this.botToken = botToken;
    this.organizationId = organizationId;
    this.requests = new Requests(parley);
  }

  async addGroup(name) {
    const settings = { routing: 'OFFER', offerSeconds: 600, maxPendingOffers: 100, maxWaitSeconds: 0 };
    return (await adminOf(this.parley)(`/${this.organizationId}/groups`, { name, ...settings })).id;
  }

  transfer({ id: chatId }, groupId) {
    return this.requests.get(this.botToken, 'POST', '/api/bot/transfer', { chatId, targetGroupId: groupId });
  }

  /** Connects agents one after the other. Times start before the handshake. */
  async comeOnline(agents) {
    const times = [];
    for (const agent of agents) times.push(await this.timeOffer(agent, () => this.connect(agent)));
    return times;
  }

  async decline(agents) {
    return this.timeTurns(agents, async ({ token, id }) => {
      const offerId = this.offers.get(id);
      return () => this.requests.get(token, 'POST', `/api/agent/offers/${offerId}/decline`);
    });
  }

  /** Queues another chat for each one that is taken, so that the queue keeps its length. */
  async finish(agents, spare, groupId) {
    const more = spare.values();
    return this.timeTurns(agents, async ({ token, id }) => {
      const chat = await this.requests.get(token, 'POST', `/api/agent/offers/${this.offers.get(id)}/accept`);
      const { value } = more.next();
      if (value) await this.transfer(value, groupId);
      return () => this.requests.get(token, 'POST', `/api/agent/chats/${chat.id}/close`);
    });
  }

  /** Queues chats that wait or are closed. The bot's next message reopens a closed chat. */
  async queueOthers(agent, chats, groupId) {
    await this.connect(agent);
    const times = [];
    for (const chat of chats) times.push(await this.timeOffer(agent, () => this.transfer(chat, groupId)));
    return times;
  }

  /** @param prepare returns a function that lets the agent take the next chat */
  async timeTurns(agents, prepare) {
    const times = [];
    for (let turn = 0; turn < TIMES; turn++) {
      for (const agent of agents) times.push(await this.timeOffer(agent, await prepare(agent)));
    }
    return times;
  }

  async timeOffer({ id }, act) {
    const offered = new Promise((resolve) => this.waiting.set(id, resolve));
    const begin = performance.now();
    await act();
    const late = sleep(PATIENCE, null, { ref: false });
    const at = await Promise.race([offered, late]);
    if (at === null) throw new Error('an agent who is free got no offer');
    return at - begin;
  }

  async connect(agent) {
    const socket = await connectAgent(this.parley, agent);
    this.sockets.push(socket);
    socket.on('offer', ({ id }) => {
      this.offers.set(agent.id, id);
      this.waiting.get(agent.id)?.(performance.now());
    });
  }

  async close() {
    for (const socket of this.sockets) socket.disconnect();
    await this.requests.close();
  }
}
