import { setTimeout as sleep } from 'node:timers/promises';
import type { Node } from './cluster.js';

/** A process's resources: bytes, handles, and event loop delay in seconds (99th percentile, and maximum). */
export interface Vitals {
  memory: number;
  heap: number;
  handles: number;
  files: number;
  delay: number;
  worstDelay: number;
}

const METRICS: Record<keyof Vitals, string> = {
  memory: 'process_resident_memory_bytes',
  heap: 'nodejs_heap_size_used_bytes',
  handles: 'nodejs_active_handles_total',
  files: 'process_open_fds',
  delay: 'nodejs_eventloop_lag_p99_seconds',
  worstDelay: 'nodejs_eventloop_lag_max_seconds',
};

/** At rest: the minimum of a few readings, because uncollected garbage isn't a leak. */
export async function vitalsAtRest(node: Node): Promise<Vitals> {
  const all: Vitals[] = [];
  for (let count = 0; count < 5; count++) {
    all.push(await lookAt(node));
    await sleep(400);
  }
  return collect((name) => Math.min(...all.map((vitals) => vitals[name])));
}

async function lookAt(node: Node): Promise<Vitals> {
  const metrics = await node.metrics();
  return collect((name) => Number(new RegExp(`^${METRICS[name]} (.+)$`, 'm').exec(metrics)?.[1] ?? Number.NaN));
}

function collect(valueOf: (name: keyof Vitals) => number): Vitals {
  const names = Object.keys(METRICS) as (keyof Vitals)[];
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as unknown as Vitals;
}

export function describeVitals({ memory, heap, handles, files, delay, worstDelay }: Vitals): string {
  const megabytes = (bytes: number) => `${Math.round(bytes / 1_048_576)} MB`;
  const milliseconds = (seconds: number) => `${Math.round(seconds * 1_000)} ms`;
  return (
    `memory ${megabytes(memory)} (heap ${megabytes(heap)}), handles ${handles}, files ${files}, ` +
    `event loop late by ${milliseconds(delay)} (p99), ${milliseconds(worstDelay)} (worst)`
  );
}
