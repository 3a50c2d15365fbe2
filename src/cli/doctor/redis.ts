import { createClient } from '@redis/client';
import { randomUUID } from 'node:crypto';
import { addressOf, attempt, type Check, failed, ok, within } from './check.js';

const NAME = 'Redis';
const OLDEST = 7;
/** Milliseconds for all of it. */
const PATIENCE = 4_000;
const ADVICE =
  'see that Redis runs and that REDIS_URL is right; until then visitors get what other nodes store about a second late';

/** What several nodes need to hear of one another. */
export async function checkRedis({ REDIS_URL }: NodeJS.ProcessEnv): Promise<Check> {
  if (!REDIS_URL) return ok(NAME, 'REDIS_URL is not set: one node, none is needed');
  if (!/^rediss?:\/\/\S/.test(REDIS_URL)) return failed(NAME, 'REDIS_URL is no address of a Redis', ADVICE);
  const check = await attempt(NAME, ADVICE, () => look(REDIS_URL));
  return check.status === 'ok' ? check : { ...check, detail: `Redis at ${addressOf(REDIS_URL)}: ${check.detail}` };
}

async function look(url: string): Promise<Check> {
  const clients = [connectTo(url), connectTo(url)] as const;
  try {
    return await within(PATIENCE, 'no answer', ask(...clients, url));
  } finally {
    for (const client of clients) client.destroy();
  }
}

type Client = ReturnType<typeof connectTo>;

function connectTo(url: string) {
  const client = createClient({ url, socket: { connectTimeout: PATIENCE, reconnectStrategy: false } });
  return client.on('error', () => undefined);
}

async function ask(speaker: Client, listener: Client, url: string): Promise<Check> {
  await speaker.connect();
  const version = /^redis_version:(\S+)/m.exec(await speaker.info('server'))?.[1] ?? '0';
  if (Number.parseInt(version) < OLDEST) {
    return failed(NAME, `it is version ${version}`, `upgrade it: Parley needs Redis ${OLDEST} or newer`);
  }
  await listener.connect();
  const milliseconds = await carry(speaker, listener);
  return ok(NAME, `version ${version} at ${addressOf(url)}; what is published arrives in ${milliseconds} ms`);
}

/** Sends a word the way that nodes do. @returns how many milliseconds it took */
async function carry(speaker: Client, listener: Client): Promise<number> {
  const channel = `parley:doctor:${randomUUID()}`;
  let hear!: () => void;
  const heard = new Promise<void>((resolve) => (hear = resolve));
  await listener.sSubscribe(channel, () => hear());
  const before = performance.now();
  await speaker.sPublish(channel, 'x');
  await heard;
  return Math.round(performance.now() - before);
}
