import { reasonOf } from '../service.js';
import { explainByNode } from './node.js';
import { type Check, failed, ok, warning } from './check.js';

const TIMEOUT_MS = 5_000;
/** Added to the Date header, which has whole seconds, as the average error. */
const HALF_SECOND_MS = 500;
/** The clock skew that causes a warning, and the skew that makes receivers refuse signatures, in milliseconds. */
const MAX_SKEW_MS = 2_000;
const MAX_SIGNATURE_SKEW_MS = 5 * 60_000;

export interface Health {
  checks: Check[];
  isUp: boolean;
  clockAhead?: number;
}

/** Checks whether the process answers and is ready. */
export async function checkHealth(url: string, environment: NodeJS.ProcessEnv): Promise<Health> {
  const name = 'service';
  try {
    const before = Date.now();
    const live = await request(url, '/health/live');
    const after = Date.now();
    const isOurs = live.ok && /"status":"ok"/.test(live.text);
    if (!isOurs) {
      const detail = `what is at ${url} is not Parley: /health/live answered ${live.status}`;
      return { checks: [failed(name, detail, 'name the address of the service with --url')], isUp: false };
    }
    const clockAhead = live.date + HALF_SECOND_MS - (before + after) / 2;
    const alive = ok(name, `the process at ${url} answers in ${after - before} ms`);
    return { checks: [alive, await checkReady(url, environment)], isUp: true, clockAhead };
  } catch (error) {
    const advice = `start it (npm start), or name its address with --url, PARLEY_URL or PUBLIC_URL`;
    return { checks: [failed(name, `nothing answers at ${url}: ${reasonOf(error)}`, advice)], isUp: false };
  }
}

async function checkReady(url: string, environment: NodeJS.ProcessEnv): Promise<Check> {
  const { ok: isReady, status, text } = await request(url, '/health/ready');
  const { status: state, detail } = parse(text);
  if (isReady && detail?.startsWith('Nodes '))
    return failed('ready', detail, 'give all nodes the same DATABASE_URL, with all hosts of the database');
  if (isReady && state === 'degraded') {
    const advice = (await explainByNode(url, environment)) ?? 'see the standby and its connection to the primary';
    return failed('ready', `${detail}, so nothing can be stored; reads work`, advice);
  }
  if (isReady && detail !== undefined)
    return warning('ready', `it takes work, but ${detail}`, 'to serve with this database, start it without DRILL');
  if (isReady) return ok('ready', 'it has its database and takes work');
  return failed(
    'ready',
    `it answers ${status}: ${detail ?? 'without a reason'}`,
    (await explainByNode(url, environment)) ?? "see the database's line below",
  );
}

/** Compares the known clocks with this machine's, in one check. */
export function checkClocks(clocks: Record<string, number | undefined>): Check[] {
  const known = Object.entries(clocks).filter((entry): entry is [string, number] => entry[1] !== undefined);
  if (known.length === 0) return [];
  const detail = known.map(([whose, ahead]) => `the ${whose}'s ${describe(ahead)}`).join(', ');
  const largest = Math.max(...known.map(([, ahead]) => Math.abs(ahead)));
  const advice = 'let NTP set the clocks of these machines; a receiver refuses webhooks more than 5 minutes off';
  if (largest < MAX_SKEW_MS) return [ok('clock', detail)];
  return [largest < MAX_SIGNATURE_SKEW_MS ? warning('clock', detail, advice) : failed('clock', detail, advice)];
}

function describe(ahead: number): string {
  const seconds = Math.abs(ahead) / 1000;
  if (seconds < 1) return 'agrees with the one here';
  return `is ${seconds.toFixed(1)} s ${ahead > 0 ? 'ahead of' : 'behind'} the one here`;
}

async function request(url: string, path: string) {
  const response = await fetch(url + path, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
  const date = Date.parse(response.headers.get('date') ?? '') || Date.now();
  return { ok: response.ok, status: response.status, text: await response.text(), date };
}

function parse(text: string): { status?: unknown; detail?: string } {
  try {
    return (JSON.parse(text) ?? {}) as { status?: unknown; detail?: string };
  } catch {
    return {};
  }
}
