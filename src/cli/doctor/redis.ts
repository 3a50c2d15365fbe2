import { createClient } from '@redis/client';
import { randomUUID } from 'node:crypto';
import { addressOf, attempt, type Check, failed, ok, warning, within } from './check.js';

const NAME = 'Redis';
const MIN_VERSION = 7;
/** The timeout of the whole check, in milliseconds. */
const TIMEOUT_MS = 4_000;
const ADVICE =
  'see that Redis runs and that REDIS_URL is right; until then visitors get what other nodes store about a second late';

/** Checks the Redis that connects several nodes. @param ofService what the service says of its Redis; null: nothing */
export async function checkRedis({ REDIS_URL }: NodeJS.ProcessEnv, ofService: Check | null): Promise<Check> {
  if (ofService?.status === 'warning') return ofService;
  if (!REDIS_URL) return ofService ?? ok(NAME, 'REDIS_URL is not set: one node, none is needed');
  if (!/^rediss?:\/\/\S/.test(REDIS_URL)) return warning(NAME, 'REDIS_URL is no address of a Redis', ADVICE);
  const check = await attempt(NAME, ADVICE, () => inspect(REDIS_URL));
  if (check.status === 'ok') return check;
  // Parley works without Redis, so it's no failure.
  return { ...check, status: 'warning', detail: `Redis at ${addressOf(REDIS_URL)}: ${check.detail}` };
}

async function inspect(url: string): Promise<Check> {
  const clients = [connectTo(url), connectTo(url)] as const;
  try {
    return await within(TIMEOUT_MS, 'no answer', checkVersionAndPublish(...clients, url));
  } finally {
    for (const client of clients) client.destroy();
  }
}

type Client = ReturnType<typeof connectTo>;

function connectTo(url: string) {
  const client = createClient({ url, socket: { connectTimeout: TIMEOUT_MS, reconnectStrategy: false } });
  return client.on('error', () => undefined);
}

async function checkVersionAndPublish(publisher: Client, subscriber: Client, url: string): Promise<Check> {
  await publisher.connect();
  const version = /^redis_version:(\S+)/m.exec(await publisher.info('server'))?.[1] ?? '0';
  if (Number.parseInt(version) < MIN_VERSION) {
    return failed(NAME, `it is version ${version}`, `upgrade it: Parley needs Redis ${MIN_VERSION} or newer`);
  }
  await subscriber.connect();
  const milliseconds = await measureDelivery(publisher, subscriber);
  return ok(NAME, `version ${version} at ${addressOf(url)}; what is published arrives in ${milliseconds} ms`);
}

/** Publishes a message the way nodes do. @returns the delivery time in milliseconds */
async function measureDelivery(publisher: Client, subscriber: Client): Promise<number> {
  const channel = `parley:doctor:${randomUUID()}`;
  let onMessage!: () => void;
  const received = new Promise<void>((resolve) => (onMessage = resolve));
  await subscriber.sSubscribe(channel, () => onMessage());
  const before = performance.now();
  await publisher.sPublish(channel, 'x');
  await received;
  return Math.round(performance.now() - before);
}
