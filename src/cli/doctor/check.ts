import { reasonOf } from '../service.js';
import { withTimeout } from '../../platform/lib/timeout.js';

/** The result of one check. */
export interface Check {
  name: string;
  status: 'ok' | 'warning' | 'failed';
  /** The finding. */
  detail: string;
  /** The advice, unless the check is ok. */
  advice?: string;
}

export function ok(name: string, detail: string): Check {
  return { name, status: 'ok', detail };
}

export function warning(name: string, detail: string, advice: string): Check {
  return { name, status: 'warning', detail, advice };
}

export function failed(name: string, detail: string, advice: string): Check {
  return { name, status: 'failed', detail, advice };
}

/** Runs a check. An error counts as a failed check. */
export async function attempt(name: string, advice: string, check: () => Promise<Check>): Promise<Check> {
  return check().catch((error: unknown) => failed(name, reasonOf(error), advice));
}

/** Waits for the work, for at most `timeout` milliseconds. */
export function within<T>(timeout: number, what: string, work: Promise<T>): Promise<T> {
  return withTimeout(work, timeout, () => new Error(`${what} within ${timeout / 1000} s`));
}

/** An address without its user and password. */
export function addressOf(url: string): string {
  if (!URL.canParse(url)) return 'an address that cannot be read';
  const { host, pathname } = new URL(url);
  return host + pathname.replace(/\/$/, '');
}
