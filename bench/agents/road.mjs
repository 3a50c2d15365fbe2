import { setTimeout as sleep } from 'node:timers/promises';
import { askSocket, connectAgents, Requests } from './prepare.mjs';
import { cpuFrom } from '../figures/cpu.mjs';
import { hotUpdates } from '../figures/hot.mjs';
import { limit } from '../figures/limits.mjs';
import { inTurns } from '../figures/rounds.mjs';
import { percentile, pluck } from '../figures/stats.mjs';
import { connectVisitors, disconnectVisitors } from '../load/visitors.mjs';

/** Agents with a chat, and colleagues who watch the list of all open chats. */
const OWNERS = 100;
const COLLEAGUES = 10;
const SENDS_A_SECOND = 200;
const PATIENCE = 5_000;

/** From a visitor's send to the socket of the chat's agent, and to colleagues' lists, in one organization. */
export async function measureRoad(bench, { agents, chats, start }) {
  const parley = await start('agents_road');
  const owners = agents.slice(0, Math.min(OWNERS, chats.length, agents.length - COLLEAGUES));
  const owned = chats.slice(0, owners.length);
  await claimEach(parley, owners, owned);
  const sockets = await connectAgents(parley, agents);
  const colleagues = sockets.slice(owners.length, owners.length + COLLEAGUES);
  for (const socket of colleagues) await askSocket(socket, 'view:watch', { view: 'OPEN' });
  const visitors = await connectVisitors(parley, owned);
  const road = new Road(sockets.slice(0, owners.length), colleagues, visitors, owned);
  const countHot = await hotUpdates(parley.databaseUrl);
  const countCpu = await cpuFrom(bench, parley);
  const [results] = await inTurns([{ name: 'Parley', run: () => road.run(bench.seconds) }], bench.rounds);
  const cpu = await countCpu((bench.rounds + 1) * bench.seconds * SENDS_A_SECOND);
  const hot = await countHot();
  disconnectVisitors([...visitors, ...sockets.map((socket) => ({ socket }))]);
  await parley.stop();
  const unit = 'ms';
  const measure = `visitor's message to its agent's socket, ${agents.length} agents connected, ${SENDS_A_SECOND}/s`;
  const list = `the same to the lists of ${COLLEAGUES} colleagues who watch every open chat`;
  return [
    limit({ measure: `${measure}, p50`, unit, values: pluck(results, 'p50'), below: 10 }),
    limit({ measure: `${measure}, p99`, unit, values: pluck(results, 'p99'), below: 50 }),
    limit({ measure: `${list}, p99`, unit, values: pluck(results, 'list99'), below: 400 }),
    limit({ measure: 'CPU of a message under that load, node', unit: 'µs', values: [cpu.node] }),
    limit({ measure: 'CPU of a message under that load, PostgreSQL', unit: 'µs', values: [cpu.database] }),
    limit({ measure: 'share of HOT updates of chats under that load', unit: '', values: [hot], atLeast: 0.9 }),
  ];
}

async function claimEach(parley, owners, chats) {
  const requests = new Requests(parley);
  await requests.forEach(owners, ({ token }, index) =>
    requests.get(token, 'POST', `/api/agent/chats/${chats[index].id}/claim`),
  );
  await requests.close();
}

/** Visitors, their agents, and colleagues, all in this process, so that all times are from one clock. */
class Road {
  constructor(owners, colleagues, visitors, chats) {
    this.visitors = visitors;
    this.chats = chats;
    this.begin(colleagues.length);
    owners.forEach((socket) => socket.on('message', (message) => this.take(message)));
    colleagues.forEach((socket, place) =>
      socket.on('chat', ({ id, messageCount }) => this.rows[place].get(id)?.push([performance.now(), messageCount])),
    );
  }

  async run(seconds) {
    this.begin(this.rows.length);
    await this.sendSteadily(seconds);
    const times = [...this.sent.values()];
    if (times.some(({ delay }) => delay === undefined)) throw new Error('a message did not reach its agent');
    const delays = times.map(({ delay }) => delay);
    const lists = this.rows.flatMap((rows) => times.map((sent) => listDelay(rows.get(sent.chatId), sent)));
    const inLists = { list99: percentile(lists, 99) };
    return { p50: percentile(delays, 50), p99: percentile(delays, 99), ...inLists };
  }

  begin(colleagues) {
    this.sent = new Map();
    this.rows = Array.from({ length: colleagues }, () => new Map(this.chats.map(({ id }) => [id, []])));
  }

  take({ content, seq }) {
    const sent = this.sent.get(content);
    if (!sent) return;
    if (sent.delay !== undefined) throw new Error('an agent got a message twice');
    Object.assign(sent, { seq, delay: performance.now() - sent.at });
  }

  /** Sends at a fixed rate, without waiting for earlier responses. Then waits until all have arrived everywhere. */
  async sendSteadily(seconds) {
    const start = performance.now();
    const sending = [];
    for (let count = 0; count < seconds * SENDS_A_SECOND; count++) {
      const due = start + (count * 1000) / SENDS_A_SECOND;
      if (performance.now() < due) await sleep(due - performance.now());
      const place = count % this.chats.length;
      const chatId = this.chats[place].id;
      const content = `message ${count} of ${start}`;
      this.sent.set(content, { chatId, at: performance.now() });
      sending.push(askSocket(this.visitors[place].socket, 'message:send', { chatId, content }));
    }
    await Promise.all(sending);
    const deadline = performance.now() + PATIENCE;
    while (!this.haveAllArrived() && performance.now() < deadline) await sleep(10);
  }

  haveAllArrived() {
    const times = [...this.sent.values()];
    if (times.some(({ delay }) => delay === undefined)) return false;
    return this.rows.every((rows) => times.every(({ chatId, seq }) => (rows.get(chatId).at(-1)?.[1] ?? 0) >= seq));
  }
}

/** From the send to the first row that counts the message. */
function listDelay(rows, { at, seq }) {
  const row = rows.find(([, messageCount]) => messageCount >= seq);
  if (!row) throw new Error('a message did not reach the list of a colleague');
  return row[0] - at;
}
