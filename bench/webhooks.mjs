import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onEnd } from './ending.mjs';
import { adminOf, startParley } from './parley.mjs';
import { freePort } from './processes.mjs';
import { median, percentile } from './report.mjs';

const RECEIVER = fileURLToPath(new URL('receiver.mjs', import.meta.url));
const SENDS_A_SECOND = 50;

/** Parley on a database of its own, with one webhook in each organization and a fast receiver of them. */
export async function startParleyWithWebhooks(postgres, directory) {
  const receiver = await startReceiver('fast');
  const url = await postgres.createDatabase('webhooks');
  const parley = await startParley(url, join(directory, 'webhooks'), { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  const post = adminOf(parley);
  for (const { organizationId } of parley.tenants) await post(`/${organizationId}/webhooks`, { url: receiver.url });
  return { ...parley, name: 'webhooks', receiver };
}

/** Waits until every event has been delivered; answers how many a second arrived while nothing else went on. */
export async function drain({ receiver }, expected) {
  const startedAt = performance.now();
  let total = 0;
  for (;;) {
    const { count } = await receiver.read();
    total += count;
    if (total >= expected) return { total, perSecond: total / ((performance.now() - startedAt) / 1000) };
    if (performance.now() - startedAt > 300_000) throw new Error(`only ${total} of ${expected} events arrived`);
    await sleep(50);
  }
}

/**
 * How late a healthy receiver gets its events, in milliseconds, alone and with a dead and a silent webhook beside it, in
 * turns.
 */
export async function measureDelays(parley, rounds, seconds) {
  const post = adminOf(parley);
  const receiver = parley.receiver;
  const silent = await startReceiver('silent');
  const dead = `http://127.0.0.1:${await freePort()}/`;
  const sides = { alone: [], beside: [] };
  const { organizationId, chatIds, token } = parley.tenants[0];
  const path = `/${organizationId}/webhooks`;
  const others = [];
  for (const url of [dead, silent.url]) others.push(await post(path, { url, isEnabled: false }));
  for (let round = 0; round < rounds * 2; round++) {
    const isBeside = round % 2 === 1;
    for (const { id } of others) await post(`${path}/${id}`, { isEnabled: isBeside }, 'PATCH');
    await receiver.read();
    await sendSteadily(parley.url, token, chatIds, seconds);
    await sleep(1_000);
    const { delays } = await receiver.read();
    sides[isBeside ? 'beside' : 'alone'].push({ p50: percentile(delays, 50), p95: percentile(delays, 95) });
  }
  const of = (side, key) => median(sides[side].map((result) => result[key]));
  return {
    alone: { p50: of('alone', 'p50'), p95: of('alone', 'p95') },
    beside: { p50: of('beside', 'p50'), p95: of('beside', 'p95') },
  };
}

async function sendSteadily(url, token, chatIds, seconds) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const sending = [];
  for (let n = 0; n < seconds * SENDS_A_SECOND; n++) {
    const body = JSON.stringify({ chatId: chatIds[n % chatIds.length], content: 'tick' });
    sending.push(fetch(`${url}/api/bot/messages`, { method: 'POST', headers, body }).then((answer) => answer.text()));
    await sleep(1000 / SENDS_A_SECOND);
  }
  await Promise.all(sending);
}

async function startReceiver(kind) {
  const port = await freePort();
  const child = spawn(process.execPath, [RECEIVER, String(port), kind], { stdio: ['ignore', 2, 2] });
  onEnd(async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  const url = `http://127.0.0.1:${port}/`;
  const read = async () => (await fetch(url)).json();
  for (let isUp = false; !isUp; await sleep(50)) isUp = await read().then(Boolean, () => false);
  return { url, read };
}
