import { reasonOf } from '../service.js';

/** One thing that was looked at. */
export interface Check {
  name: string;
  status: 'ok' | 'warning' | 'failed';
  /** What was found. */
  detail: string;
  /** What to do, unless it is ok. */
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

/** Runs a check; what it throws is a failure of it. */
export async function attempt(name: string, advice: string, look: () => Promise<Check>): Promise<Check> {
  return look().catch((error: unknown) => failed(name, reasonOf(error), advice));
}

/** Gives up after so many milliseconds. */
export async function within<T>(patience: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} within ${patience / 1000} s`)), patience).unref();
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** An address without its user and password. */
export function addressOf(url: string): string {
  if (!URL.canParse(url)) return 'an address that cannot be read';
  const { host, pathname } = new URL(url);
  return host + pathname.replace(/\/$/, '');
}
