import { type Check, ok, warning } from './check.js';
import type { NodeReport } from '../../api/public/health/node-report.js';
import { findToken } from '../connection.js';

/** The timeout of the request, in milliseconds. */
const TIMEOUT_MS = 5_000;
/** A cause that was seen within this time explains what fails now, in milliseconds. */
const FRESH_MS = 60_000;
/** Causes of this time are worth a warning, in milliseconds. */
const RECENT_MS = 10 * 60_000;

type Seen = Pick<NodeReport['causes'][number], 'message' | 'code' | 'holder' | 'limit' | 'text' | 'remedy'>;

/** What the service sees, as it's in JSON; null if it doesn't answer, or doesn't know the admin token. */
export async function askNode(url: string, environment: NodeJS.ProcessEnv): Promise<NodeReport | null> {
  try {
    const { token } = findToken(environment);
    const response = await fetch(`${url}/health/node`, {
      headers: { Authorization: `Bearer ${token}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return response.ok ? ((await response.json()) as NodeReport) : null;
  } catch {
    return null;
  }
}

/** What the service saw within the last minute, with what to do; null if it saw nothing. */
export async function explainByNode(url: string, environment: NodeJS.ProcessEnv): Promise<string | null> {
  const report = await askNode(url, environment);
  const [latest] = report?.causes ?? [];
  if (report?.writes) return describe({ ...report.writes.cause, ...report.writes });
  return latest && isWithin(latest, FRESH_MS) ? describe(latest) : null;
}

/** Warns of what failed within the last ten minutes; no check if nothing did. */
export function checkCauses(report: NodeReport | null): Check[] {
  const recent = report?.causes.filter((cause) => isWithin(cause, RECENT_MS)) ?? [];
  return recent.slice(0, 3).map((cause) => {
    const detail = `${cause.count} requests or tasks failed, the last at ${String(cause.lastAt)}: ${said(cause)}`;
    return warning('faults', detail, cause.remedy);
  });
}

/** Whether the service has its Redis; null if it can't tell. */
export function checkNodeRedis(report: NodeReport | null): Check | null {
  if (!report) return null;
  const { redis } = report;
  if (redis === null) return ok('Redis', 'the service has no REDIS_URL: one node, none is needed');
  const milliseconds = Math.round(redis.roundTripSeconds * 1_000);
  if (redis.isConnected) return ok('Redis', `the service is connected, and a ping takes ${milliseconds} ms`);
  const detail = `the service has been without Redis since ${String(redis.since)}: ${redis.reason ?? 'not connected yet'}`;
  return warning(
    'Redis',
    detail,
    'see that Redis runs, and that REDIS_URL of the service has its address and password',
  );
}

function describe(seen: Seen): string {
  return `the service says: ${said(seen)}; ${seen.remedy}`;
}

function said({ text, code, message, limit, holder }: Seen): string {
  const reason = [code, message, limit && `limit: ${limit}`].filter(Boolean).join(' ');
  if (!holder) return `${text} (${reason})`;
  const { pid, application, state, seconds, table } = holder;
  const who = [application, state, seconds !== null && `for ${seconds} s`].filter(Boolean).join(', ');
  return `${text}: pid ${pid} (${who}) has locked ${table ?? 'a row'} (${reason})`;
}

function isWithin({ lastAt }: { lastAt: unknown }, milliseconds: number): boolean {
  return Date.now() - Date.parse(String(lastAt)) < milliseconds;
}
