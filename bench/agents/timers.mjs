import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { connectAgents, Requests } from './prepare.mjs';
import { query } from '../setup/database.mjs';
import { limit } from '../figures/limits.mjs';
import { adminOf, runParley } from '../setup/parley.mjs';

/** Time-outs of each kind, and chats whose agents leave. */
const EACH = 40;
const LEFT = 20;
/** The shortest duration of an offer, and how long a chat waits until it's unanswered, in seconds. */
const OFFER_SECONDS = 10;
const WAIT_SECONDS = 3;
/** Seconds until an absent agent's chat is queued again. More than the grace period of a closed connection. */
const AWAY_SECONDS = 18;
/** Milliseconds between two polls of the database. */
const LOOK = 25;
const PATIENCE = 60_000;

const OFFERS = `
  SELECT DISTINCT ON (chat_id) id, extract(epoch FROM expires_at)::float8 * 1000 AS at
  FROM chat_offers WHERE chat_id = ANY ($1) ORDER BY chat_id, created_at`;
const DONE = `
  SELECT id FROM chat_offers WHERE id = ANY ($1) AND ended_at IS NOT NULL
  UNION ALL SELECT id FROM handoffs WHERE id = ANY ($1) AND unanswered_at IS NOT NULL
  UNION ALL SELECT id FROM chats WHERE id = ANY ($1) AND agent_id IS NULL`;

/** How late two nodes handle time-outs, and how late a node that starts after all were killed does. */
export async function measureTimers(bench, setup) {
  const first = await setup.start('agents_timers');
  const second = await runParley(bench, first.databaseUrl);
  const timers = new Timers(setup, [first, second]);
  const late = await timers.measureLate();
  const afterKill = await timers.measureKilled(bench);
  const title = 'seen late by two nodes, the latest of';
  const unit = 's';
  return [
    limit({ measure: `${EACH} offers that expire: ${title} all`, unit, values: [late.offer], atMost: 2 }),
    limit({ measure: `${EACH} chats that no agent takes: ${title} all`, unit, values: [late.wait], atMost: 2 }),
    limit({ measure: `${LEFT} chats whose agents left: ${title} all`, unit, values: [late.left], atMost: 2 }),
    limit({
      measure: `${2 * EACH} time-outs that passed while all nodes were killed: from the start of one to the last`,
      unit,
      values: [afterKill],
      atMost: 5,
    }),
  ];
}

class Timers {
  constructor({ organizationId, botToken, agents, chats, spare }, nodes) {
    this.nodes = nodes;
    this.organizationId = organizationId;
    this.botToken = botToken;
    this.agents = agents.values();
    this.chats = [...chats, ...spare].values();
    this.requests = new Requests(nodes[0]);
  }

  /** The longest delay of each kind, in seconds. */
  async measureLate() {
    const dues = [...(await this.makeOffers()), ...(await this.makeWaits()), ...(await this.makeLeft())];
    const done = await this.watch(dues);
    const latest = (wanted) =>
      Math.max(...dues.filter(({ kind }) => kind === wanted).map(({ id, at }) => (done.get(id) - at) / 1000));
    return { offer: latest('offer'), wait: latest('wait'), left: latest('left') };
  }

  /** Seconds from the start of a node until it has handled all time-outs that had passed before. */
  async measureKilled(bench) {
    const dues = [...(await this.makeOffers()), ...(await this.makeWaits())];
    await this.requests.close();
    for (const { child } of this.nodes) child.kill('SIGKILL');
    await sleep(Math.max(...dues.map(({ at }) => at)) - Date.now());
    const startedAt = Date.now();
    const watching = this.watch(dues);
    const node = await runParley(bench, this.nodes[0].databaseUrl);
    const ready = (Date.now() - startedAt) / 1000;
    const done = await watching;
    await node.stop();
    const times = [...done.values()].map((at) => (at - startedAt) / 1000);
    const facts = `the first time-out after ${Math.min(...times).toFixed(1)} s, the last after ${Math.max(...times).toFixed(1)} s`;
    console.log(`  a new node was ready after ${ready.toFixed(1)} s; ${facts}`);
    return Math.max(...times);
  }

  /** Offers one chat to each agent. */
  async makeOffers() {
    const groupId = await this.addGroup({ routing: 'OFFER', offerSeconds: OFFER_SECONDS, maxWaitSeconds: 0 });
    const agents = await this.takeAgents(EACH, groupId);
    await this.connect(agents);
    const chats = take(this.chats, EACH);
    await this.requests.forEach(chats, (chat) => this.transfer(chat, groupId));
    return this.findOffers(chats);
  }

  /** Waits until each chat has an offer. Returns the offers. */
  async findOffers(chats) {
    const ids = chats.map(({ id }) => id);
    const deadline = Date.now() + PATIENCE;
    for (;;) {
      const offers = await query(this.nodes[0].databaseUrl, OFFERS, [ids]);
      if (offers.length >= chats.length) return offers.map((offer) => ({ kind: 'offer', ...offer }));
      if (Date.now() > deadline) throw new Error(`only ${offers.length} of ${chats.length} chats were offered`);
      await sleep(LOOK);
    }
  }

  async makeWaits() {
    const groupId = await this.addGroup({ routing: 'MANUAL', onUnanswered: 'RETURN_TO_BOT' });
    const due = async (chat) => {
      const { handoff } = await this.transfer(chat, groupId, { maxWaitSeconds: WAIT_SECONDS });
      return { kind: 'wait', id: handoff.id, at: Date.parse(handoff.expiresAt) };
    };
    return this.requests.forEach(take(this.chats, EACH), due);
  }

  /** Gives one chat to each agent, and closes their sockets. */
  async makeLeft() {
    const groupId = await this.addGroup({ offlineReassignSeconds: AWAY_SECONDS, maxWaitSeconds: 0 });
    const agents = await this.takeAgents(LEFT, groupId);
    const chats = take(this.chats, LEFT);
    await this.requests.forEach(agents, async ({ token }, place) => {
      await this.transfer(chats[place], groupId);
      await this.requests.get(token, 'POST', `/api/agent/chats/${chats[place].id}/claim`);
    });
    const sockets = await this.connect(agents);
    return sockets.map((socket, place) => {
      socket.disconnect();
      return { kind: 'left', id: chats[place].id, at: Date.now() + AWAY_SECONDS * 1000 };
    });
  }

  /** When each was handled, in milliseconds. */
  async watch(dues) {
    const client = new pg.Client({ connectionString: this.nodes[0].databaseUrl });
    await client.connect();
    const left = new Set(dues.map(({ id }) => id));
    const done = new Map();
    const deadline = Date.now() + PATIENCE;
    for (; left.size > 0; await sleep(LOOK)) {
      if (Date.now() > deadline) throw new Error(`${left.size} of ${dues.length} time-outs did not happen`);
      const { rows } = await client.query(DONE, [[...left]]);
      const now = Date.now();
      for (const { id } of rows) if (left.delete(id)) done.set(id, now);
    }
    await client.end();
    return done;
  }

  async addGroup(settings) {
    const body = { name: `Group ${performance.now()}`, ...settings };
    return (await adminOf(this.nodes[0])(`/${this.organizationId}/groups`, body)).id;
  }

  /** Moves the next agents into this group, with a capacity of one chat. */
  async takeAgents(count, groupId) {
    const agents = take(this.agents, count);
    const admin = adminOf(this.nodes[0]);
    const change = { groupIds: [groupId], capacity: 1 };
    await this.requests.forEach(agents, ({ id }) => admin(`/${this.organizationId}/agents/${id}`, change, 'PATCH'));
    return agents;
  }

  /** Connects agents to both nodes in turn. */
  async connect(agents) {
    const halves = await Promise.all(
      this.nodes.map((node, number) =>
        connectAgents(
          node,
          agents.filter((_, place) => place % 2 === number),
        ),
      ),
    );
    return agents.map((_, place) => halves[place % 2][place >> 1]);
  }

  transfer({ id: chatId }, targetGroupId, more) {
    return this.requests.get(this.botToken, 'POST', '/api/bot/transfer', { chatId, targetGroupId, ...more });
  }
}

function take(iterator, count) {
  return Array.from({ length: count }, () => {
    const { value } = iterator.next();
    if (value === undefined) throw new Error('there are not enough agents or chats');
    return value;
  });
}
