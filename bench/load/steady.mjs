import { setTimeout as sleep } from 'node:timers/promises';
import { CONTENT, PATH } from './load.mjs';

export const SENDS_A_SECOND = 200;

/** Sends at a fixed rate, without waiting for earlier responses. Returns the milliseconds of each. */
export async function sendSteadily(requests, chats, until) {
  const times = [];
  const sending = [];
  const start = performance.now();
  for (let count = 0; performance.now() < until; count++) {
    const due = start + (count * 1000) / SENDS_A_SECOND;
    if (performance.now() < due) await sleep(due - performance.now());
    const { id: chatId, botToken } = chats[count % chats.length];
    const begin = performance.now();
    const sent = requests.get(botToken, 'POST', PATH, { chatId, content: CONTENT });
    sending.push(sent.then(() => times.push(performance.now() - begin)));
  }
  await Promise.all(sending);
  return times;
}
