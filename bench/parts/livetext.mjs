import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onEnd } from '../setup/ending.mjs';
import { writeRequests } from '../load/load.mjs';
import { sender } from '../setup/pair.mjs';
import { adminOf, startParley } from '../setup/parley.mjs';
import { inTurns } from '../figures/rounds.mjs';
import { number, row } from '../figures/rows.mjs';
import { median, pluck } from '../figures/stats.mjs';
import { chatsOf } from '../setup/tenants.mjs';
import { verifyStored } from '../figures/verify.mjs';
import { connectVisitors, disconnectVisitors } from '../load/visitors.mjs';

const POSTER = fileURLToPath(new URL('../load/text-poster.mjs', import.meta.url));
/** Texts per second, in all chats together. */
const RATES = [100, 1_000];

/**
 * How live texts affect sends: one bot streams into every chat with its visitor listening, while another bot sends. For comparison,
 * the same texts go to a server that only responds, so that their sender's cost is the same on both sides.
 */
export async function measureLiveText(bench) {
  const chats = chatsOf(bench.tenants);
  const requestsFile = await writeRequests(bench, 'all-chats', chats);
  const sides = [];
  for (const name of ['livetext', 'no_livetext']) sides.push(await openSide(bench, name, chats));
  const sink = await startSink();
  const rows = [];
  for (const rate of RATES) rows.push(await measureRate(bench, sides, sink, requestsFile, rate));
  for (const { parley, visitors } of sides) {
    disconnectVisitors(visitors);
    await verifyStored(parley);
    await parley.stop();
  }
  sink.stop();
  return rows;
}

async function openSide(bench, name, chats) {
  const parley = await startParley(bench, name);
  const writers = new Map();
  for (const { organizationId, token } of bench.tenants) writers.set(token, await createWriter(parley, organizationId));
  const visitors = await connectVisitors(parley, chats);
  return { parley, visitors, written: chats.map(({ id, botToken }) => ({ id, botToken: writers.get(botToken) })) };
}

/** Creates a bot that only streams, because the messages of a bot end its own texts. */
async function createWriter(parley, organizationId) {
  const post = adminOf(parley);
  const bot = await post(`/${organizationId}/bots`, { name: 'Writer' });
  return (await post(`/${organizationId}/bots/${bot.id}/tokens`, {})).token;
}

async function measureRate(bench, [withTexts, without], sink, requestsFile, rate) {
  const contender = (name, { parley, written }, url) => {
    const { run } = sender(bench, parley, requestsFile);
    return { name, run: () => runBeside(run, { url, rate, chats: written }) };
  };
  const [ours, theirs] = await inTurns(
    [contender(`${number(rate)} texts/s`, withTexts, withTexts.parley.url), contender('without', without, sink.url)],
    bench.rounds,
  );
  const reached = median(pluck(ours, 'texts'));
  if (reached < rate * 0.9) console.log(`  only ${number(reached)} of ${number(rate)} texts a second were taken`);
  return row({
    key: `livetext-${rate}`,
    measure: `sends a second while ${number(withTexts.written.length)} chats have live texts, ${number(reached)} texts a second together`,
    unit: '/s',
    ours: { name: 'Parley', values: pluck(ours, 'perSecond') },
    theirs: { name: 'Parley without', values: pluck(theirs, 'perSecond') },
    atLeast: null,
    aim: 0.8,
  });
}

/** Sends while texts are posted. `texts` is the number of accepted texts per second. */
async function runBeside(send, work) {
  const poster = await startPoster(work);
  const result = await send();
  return { ...result, texts: await poster.stop() };
}

async function startPoster(work) {
  const child = spawn(process.execPath, [POSTER], { stdio: ['pipe', 'pipe', 2] });
  const counts = [0];
  child.stdout.on('data', (chunk) => counts.push(...chunk.toString().trim().split('\n').map(Number)));
  const stop = async () => {
    if (child.exitCode !== null) return 0;
    const ended = once(child, 'exit');
    child.stdin.end();
    await ended;
    return (counts.at(-1) - counts[0]) / (counts.length - 1);
  };
  onEnd(stop);
  child.stdin.write(`${JSON.stringify(work)}\n`);
  while (counts.length < 2) await sleep(50);
  return { stop };
}

/** Responds 200 to everything, in this process, which is otherwise idle during the load. */
async function startSink() {
  const server = createServer((request, response) => {
    request.resume();
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, stop };
}
