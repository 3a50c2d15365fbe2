import { reasonOf } from '../service.js';
import { type Check, failed, ok, warning } from './check.js';

const PATIENCE = 5_000;
/** The Date of an answer has no milliseconds: half a second stands for them. */
const HALF_SECOND = 500;
/** Milliseconds apart that are worth a word, and those from which receivers refuse signatures. */
const NOTABLE = 2_000;
const TOO_MUCH = 5 * 60_000;

export interface Health {
  checks: Check[];
  isUp: boolean;
  clockAhead?: number;
}

/** Whether the process answers, and says that it can work. */
export async function checkHealth(url: string): Promise<Health> {
  const name = 'service';
  try {
    const before = Date.now();
    const live = await ask(url, '/health/live');
    const after = Date.now();
    const isOurs = live.ok && /"status":"ok"/.test(live.text);
    if (!isOurs) {
      const detail = `what is at ${url} is not Parley: /health/live answered ${live.status}`;
      return { checks: [failed(name, detail, 'name the address of the service with --url')], isUp: false };
    }
    const clockAhead = live.date + HALF_SECOND - (before + after) / 2;
    const alive = ok(name, `the process at ${url} answers in ${after - before} ms`);
    return { checks: [alive, await checkReady(url)], isUp: true, clockAhead };
  } catch (error) {
    const advice = `start it (npm start), or name its address with --url, PARLEY_URL or PUBLIC_URL`;
    return { checks: [failed(name, `nothing answers at ${url}: ${reasonOf(error)}`, advice)], isUp: false };
  }
}

async function checkReady(url: string): Promise<Check> {
  const { ok: isReady, status, text } = await ask(url, '/health/ready');
  if (isReady) return ok('ready', 'it has its database and takes work');
  const { detail } = parse(text);
  return failed(
    'ready',
    `it answers ${status}: ${detail ?? 'without a reason'}`,
    "see the database's line, and its log",
  );
}

/** One line about the clocks that are known; our own is the measure. */
export function checkClocks(clocks: Record<string, number | undefined>): Check[] {
  const known = Object.entries(clocks).filter((entry): entry is [string, number] => entry[1] !== undefined);
  if (known.length === 0) return [];
  const words = known.map(([whose, ahead]) => `the ${whose}'s ${describe(ahead)}`).join(', ');
  const worst = Math.max(...known.map(([, ahead]) => Math.abs(ahead)));
  const advice = 'let NTP set the clocks of these machines; a receiver refuses webhooks more than 5 minutes off';
  if (worst < NOTABLE) return [ok('clock', words)];
  return [worst < TOO_MUCH ? warning('clock', words, advice) : failed('clock', words, advice)];
}

function describe(ahead: number): string {
  const seconds = Math.abs(ahead) / 1000;
  if (seconds < 1) return 'agrees with the one here';
  return `is ${seconds.toFixed(1)} s ${ahead > 0 ? 'ahead of' : 'behind'} the one here`;
}

async function ask(url: string, path: string) {
  const response = await fetch(url + path, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE) });
  const date = Date.parse(response.headers.get('date') ?? '') || Date.now();
  return { ok: response.ok, status: response.status, text: await response.text(), date };
}

function parse(text: string): { detail?: string } {
  try {
    return JSON.parse(text) as { detail?: string };
  } catch {
    return {};
  }
}
