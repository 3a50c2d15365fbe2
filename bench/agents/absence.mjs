import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectAgent, connectAgents, Requests } from './prepare.mjs';
import { onEnd } from '../setup/ending.mjs';
import { limit, notMeasured } from '../figures/limits.mjs';
import { runParley } from '../setup/parley.mjs';
import { hasRedis, Redis } from '../setup/redis.mjs';

/** Milliseconds between the server's pings to an agent. Connections are cut at every point between two pings. */
const PING = 6_000;
const PATIENCE = 60_000;
/** How long Redis is down, and how long agents are watched after it's back, in milliseconds. */
const AWAY = 30_000;
const AFTER = 5_000;
/** The longest time that a page takes to reload, in milliseconds. */
const RELOAD = 8_000;

/** How soon colleagues see that an agent went offline, and that nothing else counts as going offline. */
export async function measureAbsence(bench, setup) {
  const redis = hasRedis() ? await Redis.start() : null;
  const settings = redis ? { REDIS_URL: redis.url } : {};
  const node = await setup.start('agents_absence', settings);
  const gone = await measureGone(bench, setup, node, settings);
  const never = await measureNever(bench, setup, node, settings, redis);
  await node.stop();
  await redis?.become('killed');
  return [...gone, ...never];
}

async function measureGone(bench, { agents }, node, settings) {
  const other = await runParley(bench, node.databaseUrl, settings);
  const watcher = await Watcher.start(node, agents.at(-1));
  const count = bench.agents.absent;
  const [closed, cut, killed] = [0, 1, 2].map((place) => agents.slice(place * count, (place + 1) * count));
  const sockets = await connectAgents(node, closed);
  await connectAgents(other, killed);
  const wire = await Wire.to(node.url);
  for (const agent of cut) {
    await connectAgent(node, agent, wire.url);
    await sleep(PING / count);
  }
  const begin = performance.now();
  for (const socket of sockets) socket.disconnect();
  wire.freeze();
  other.child.kill('SIGKILL');
  const at = await watcher.waitFor([...closed, ...cut, ...killed]);
  watcher.stop();
  await wire.close();
  const seconds = (people) => Math.max(...people.map(({ id }) => at.get(id) - begin)) / 1000;
  const title = (how) => `${count} agents ${how}: until colleagues see the last of them offline`;
  return [
    limit({ measure: title('close their sockets'), unit: 's', values: [seconds(closed)], atMost: 16 }),
    limit({ measure: title('lose their network'), unit: 's', values: [seconds(cut)], atMost: 30 }),
    limit({ measure: title('lose their node (SIGKILL)'), unit: 's', values: [seconds(killed)], atMost: 25 }),
  ];
}

/** Pages reload, second tabs close, and Redis is down, all at the same time. */
async function measureNever(bench, { agents }, node, settings, redis) {
  const other = await runParley(bench, node.databaseUrl, settings);
  const watchers = [await Watcher.start(node, agents.at(-1)), await Watcher.start(other, agents.at(-2))];
  const count = bench.agents.absent;
  const [reloading, withTabs, calm] = [3, 4, 5].map((place) => agents.slice(place * count, (place + 1) * count));
  const [pages, tabs] = [await connectAgents(node, reloading), await connectAgents(node, withTabs)];
  const kept = [await connectAgents(other, withTabs), await connectAgents(other, calm)].flat();
  await redis?.become('killed');
  for (const tab of tabs) tab.disconnect();
  const reloads = pages.map((page, place) => reload(node, page, reloading[place], (RELOAD * place) / count));
  kept.push(...(await Promise.all(reloads)));
  await sleep(AWAY);
  await redis?.become('there');
  await sleep(AFTER);
  const requests = new Requests(node);
  const isOnline = async ({ token }) =>
    (await requests.get(token, 'GET', '/api/agent/session')).agent.presence === 'ONLINE';
  const online = new Map();
  await requests.forEach([...reloading, ...withTabs, ...calm], async (agent) =>
    online.set(agent.id, await isOnline(agent)),
  );
  await requests.close();
  const seen = (people) =>
    people.filter(({ id }) => !online.get(id) || watchers.some(({ offline }) => offline.has(id))).length;
  const measured = (how, people) =>
    limit({ measure: `${count} agents ${how}: seen offline`, unit: '', values: [seen(people)], atMost: 0 });
  for (const watcher of watchers) watcher.stop();
  for (const socket of kept) socket.disconnect();
  await other.stop();
  const away = `with Redis away for ${AWAY / 1000} s`;
  return [
    measured('load their page again', reloading),
    measured('close a second tab', withTabs),
    redis ? measured(away, calm) : notMeasured(`agents ${away}`, 'redis-server is not installed'),
  ];
}

/** Closes a page for up to 8 s, which is shorter than the grace period of a closed connection. */
async function reload(node, page, agent, pause) {
  page.disconnect();
  await sleep(pause);
  return connectAgent(node, agent);
}

/** A colleague who records who goes offline, and when. */
class Watcher {
  offline = new Map();

  static async start(node, agent) {
    const watcher = new Watcher();
    watcher.socket = await connectAgent(node, agent);
    watcher.socket.on('presence', ({ agentId, presence }) => {
      if (presence === 'OFFLINE') watcher.offline.set(agentId, performance.now());
    });
    return watcher;
  }

  async waitFor(agents) {
    const deadline = performance.now() + PATIENCE;
    while (!agents.every(({ id }) => this.offline.has(id))) {
      if (performance.now() > deadline) throw new Error('disconnected agents were not seen offline');
      await sleep(50);
    }
    return this.offline;
  }

  stop() {
    this.socket.disconnect();
  }
}

/** A proxy to a service that can stop forwarding without closing either side, like a lost network. */
class Wire {
  sockets = new Set();

  static async to(target) {
    const wire = new Wire();
    const { hostname, port } = new URL(target);
    wire.server = createServer((near) => wire.carry(near, connect(Number(port), hostname)));
    onEnd(() => wire.close());
    wire.server.listen(0, '127.0.0.1');
    await once(wire.server, 'listening');
    wire.url = `http://127.0.0.1:${wire.server.address().port}`;
    return wire;
  }

  carry(near, far) {
    for (const socket of [near, far]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
    }
    near.pipe(far);
    far.pipe(near);
  }

  freeze() {
    for (const socket of this.sockets) socket.unpipe().pause();
  }

  async close() {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
