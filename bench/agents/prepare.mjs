import { once } from 'node:events';
import pLimit from 'p-limit';
import { io } from 'socket.io-client';
import { Pool } from 'undici';
import { adminOf, runParley, startParley, TEMPLATE } from '../setup/parley.mjs';
import { createChat } from '../setup/tenants.mjs';

/** How many requests and handshakes run concurrently during the setup. */
const TOGETHER = 32;
/** Additional chats for the warm-up. */
const SPARE = 100;

/**
 * Creates signed-in agents, and chats with visitors, in the first organization. Every part starts with a copy of this database. `start`
 * runs Parley on one.
 */
export async function prepareAgents(bench) {
  const [{ organizationId, token: botToken, chats: made }] = bench.tenants;
  const template = 'tenants_with_agents';
  const parley = await runParley(bench, await bench.postgres.createDatabase(template, TEMPLATE));
  const post = adminOf(parley);
  const { groups } = await post(`/${organizationId}/groups`, undefined, 'GET');
  const group = groups.find(({ isDefault }) => isDefault);
  // Nothing but the measured work may happen to waiting chats.
  await post(`/${organizationId}/groups/${group.id}`, { maxWaitSeconds: 0, offlineReassignSeconds: 0 }, 'PATCH');
  const many = pLimit(TOGETHER);
  const times = (count, make) => Promise.all(Array.from({ length: count }, (_, index) => many(make, index)));
  const agents = await times(bench.agents.connected, (index) => createAgent(parley, organizationId, index, [group.id]));
  const added = await times(Math.max(0, bench.agents.chats + SPARE - made.length), (index) =>
    createChat(post, organizationId, made.length + index),
  );
  await parley.stop();
  const all = [...made, ...added].map((chat) => ({ ...chat, botToken }));
  const chats = all.slice(0, bench.agents.chats);
  const start = (database, settings) => startParley(bench, database, settings, template);
  return { organizationId, groupId: group.id, botToken, agents, chats, spare: all.slice(chats.length), start };
}

async function createAgent(parley, organizationId, number, groupIds) {
  const fields = { name: `Agent ${number}`, email: `agent${number}@example.com`, groupIds };
  const { id } = await adminOf(parley)(`/${organizationId}/agents`, fields);
  return { id, email: fields.email, token: await signIn(parley, organizationId, id) };
}

/** Signs an agent in by a link. Returns the session's token. */
export async function signIn({ url, ...parley }, organizationId, agentId) {
  const link = await adminOf({ url, ...parley })(`/${organizationId}/agents/${agentId}/sign-in-links`, {});
  const body = JSON.stringify({ token: new URL(link.url).hash.slice(1), mode: 'token' });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/api/agent/session/link`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`a link was answered ${answer.status}`);
  return (await answer.json()).token;
}

/** Connects an agent's socket. @param url the address of a proxy, if there's one before the service */
export async function connectAgent(side, { token }, url = side.url) {
  const options = { auth: { token }, transports: ['websocket'], forceNew: true, reconnection: false };
  const socket = io(`${url}/agent`, options);
  const failed = once(socket, 'connect_error').then(([error]) => {
    throw new Error(`an agent could not connect: ${error.message}`);
  });
  await Promise.race([once(socket, 'connect'), failed]);
  return socket;
}

/** Connects agents' sockets, a few at a time. Returns them in order. */
export function connectAgents(side, agents) {
  const limit = pLimit(TOGETHER);
  return Promise.all(agents.map((agent) => limit(connectAgent, side, agent)));
}

/** Emits an event. Returns the acknowledgement. */
export async function askSocket(socket, event, payload) {
  const answer = await socket.timeout(10_000).emitWithAck(event, payload);
  if (!answer.ok) throw new Error(`${event} was answered ${answer.error.code}`);
  return answer;
}

/** Sends HTTP requests, one at a time on each keep-alive connection. */
export class Requests {
  constructor({ url }, connections = TOGETHER) {
    this.pool = new Pool(url, { connections, pipelining: 1 });
  }

  /** Returns `{status, body, ms}` for any status. */
  async ask(token, method, path, body, more = {}) {
    const headers = { ...(token && { authorization: `Bearer ${token}` }), ...more };
    if (body) headers['content-type'] = 'application/json';
    const begin = performance.now();
    const answer = await this.pool.request({ path, method, headers, body: body && JSON.stringify(body) });
    const text = await answer.body.text();
    const ms = performance.now() - begin;
    return { status: answer.statusCode, body: text ? JSON.parse(text) : null, ms };
  }

  /** Returns a response's body. @throws Error if the status isn't 2xx */
  async get(token, method, path, body) {
    const answer = await this.ask(token, method, path, body);
    if (answer.status < 300) return answer.body;
    throw new Error(`${method} ${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }

  /** Calls `act` with each item, with as many concurrent calls as connections. */
  forEach(items, act) {
    const limit = pLimit(TOGETHER);
    return Promise.all(items.map((item, index) => limit(act, item, index)));
  }

  close() {
    return this.pool.close();
  }
}
