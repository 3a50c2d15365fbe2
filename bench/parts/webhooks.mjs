import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '../setup/database.mjs';
import { writeRequests } from '../load/load.mjs';
import { sender } from '../setup/pair.mjs';
import { adminOf, startParley } from '../setup/parley.mjs';
import { Posts } from '../load/posts.mjs';
import { freePort } from '../../test/support/ports.mjs';
import { inTurns } from '../figures/rounds.mjs';
import { row } from '../figures/rows.mjs';
import { percentile, pluck } from '../figures/stats.mjs';
import { chatsOf, someChatsOf } from '../setup/tenants.mjs';
import { verifyStored } from '../figures/verify.mjs';
import { drain, startReceiver } from '../load/webhook-receiver.mjs';

const SENDS_A_SECOND = 50;
const CONNECTIONS = 16;

/** How webhooks affect sends, and whether a dead and a silent webhook delay a healthy one. */
export async function measureWebhooks(bench) {
  const receiver = await startReceiver('fast');
  const parley = await startParley(bench, 'webhooks', { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  const post = adminOf(parley);
  for (const { organizationId } of bench.tenants) await post(`/${organizationId}/webhooks`, { url: receiver.url });
  const rows = [...(await measureCost(bench, parley, receiver)), await measureDelays(bench, parley, receiver)];
  await verifyStored(parley);
  await parley.stop();
  await receiver.stop();
  return rows;
}

async function measureCost(bench, parley, receiver) {
  const without = await startParley(bench, 'no_webhooks');
  const requestsFile = await writeRequests(bench, 'all-chats', chatsOf(bench.tenants));
  const sends = sender(bench, parley, requestsFile).run;
  const contenders = [
    { name: 'with webhooks', run: () => sendAndDrain(parley, receiver, sends) },
    sender(bench, without, requestsFile, { name: 'without' }),
  ];
  const [withThem, others] = await inTurns(contenders, bench.rounds);
  await verifyStored(without);
  await without.stop();
  const values = pluck(withThem, 'perSecond');
  const unit = '/s';
  const theirs = { name: 'Parley without', values: pluck(others, 'perSecond') };
  const measure = 'sends a second, every one an event of a webhook';
  const events = { name: 'Parley', values: pluck(withThem, 'eventsPerSecond') };
  return [
    row({ key: 'webhooks', measure, unit, ours: { name: 'Parley', values }, theirs, atLeast: null, aim: 0.75 }),
    row({
      key: 'events',
      measure: 'events delivered a second under that load',
      unit,
      ours: events,
      theirs: { name: 'the sends', values },
      atLeast: null,
      aim: null,
    }),
  ];
}

/** Sends, and waits until all of the round's events have arrived. */
export async function sendAndDrain(parley, receiver, sends) {
  const before = await countMessages(parley);
  const result = await sends();
  const { count } = await receiver.read();
  await drain(receiver, (await countMessages(parley)) - before - count);
  return { ...result, eventsPerSecond: count / result.seconds };
}

async function countMessages({ databaseUrl }) {
  return Number((await query(databaseUrl, 'SELECT count(*) AS count FROM messages'))[0].count);
}

/** The delay of a healthy receiver's events, alone and beside a dead and a silent webhook. */
async function measureDelays(bench, parley, receiver) {
  const silent = await startReceiver('silent');
  const post = adminOf(parley);
  const path = `/${bench.tenants[0].organizationId}/webhooks`;
  const others = [];
  for (const url of [`http://127.0.0.1:${await freePort()}/`, silent.url])
    others.push(await post(path, { url, isEnabled: false }));
  const chats = someChatsOf(bench.tenants.slice(0, 1), 100);
  const run = async (isBeside) => {
    for (const { id } of others) await post(`${path}/${id}`, { isEnabled: isBeside }, 'PATCH');
    await receiver.read();
    await sendSteadily(parley, chats, bench.seconds);
    await sleep(1_000);
    return { p95: percentile((await receiver.read()).delays, 95) };
  };
  const contenders = [
    { name: 'beside dead and silent', run: () => run(true) },
    { name: 'alone', run: () => run(false) },
  ];
  const [beside, alone] = await inTurns(contenders, bench.rounds);
  await silent.stop();
  return row({
    key: 'delays',
    measure: "message to a healthy receiver's arrival beside a dead and a silent one, p95",
    unit: 'ms',
    ours: { name: 'Parley', values: pluck(beside, 'p95') },
    theirs: { name: 'alone', values: pluck(alone, 'p95') },
    atLeast: null,
    aim: 1.2,
    isLessBetter: true,
  });
}

async function sendSteadily(side, chats, seconds) {
  const posts = new Posts(side, CONNECTIONS);
  const sending = [];
  for (let count = 0; count < seconds * SENDS_A_SECOND; count++) {
    sending.push(posts.send(chats[count % chats.length], 'tick'));
    await sleep(1000 / SENDS_A_SECOND);
  }
  await Promise.all(sending);
  await posts.close();
}
