import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const SAMPLE_MILLISECONDS = 1_000;
/** The share of CPU that other processes may use before the figures are in doubt. */
const BUSY = 0.1;

/** Describes the machine, and measures its load before the run. */
export async function lookAtMachine() {
  const busy = await busyShare();
  const [load] = loadavg();
  const cores = availableParallelism();
  const memory = `${(totalmem() / 2 ** 30).toFixed(0)} GiB`;
  return { cores, cpu: cpus()[0]?.model.trim() ?? 'unknown', memory, node: process.versions.node, busy, load };
}

/** A warning that the figures aren't reliable; null if the machine is idle. */
export function warningOf({ busy, load, cores }) {
  const isBusy = busy > BUSY || load > cores;
  if (!isBusy) return null;
  const share = `${(busy * 100).toFixed(0)} % of its CPU in use before the start`;
  return `Warning: the machine is busy with other things (${share}, load average ${load.toFixed(2)} on ${cores} cores); don't trust the figures`;
}

async function busyShare() {
  const before = await cpuTimes();
  await sleep(SAMPLE_MILLISECONDS);
  const after = await cpuTimes();
  return 1 - (after.idle - before.idle) / (after.total - before.total);
}

// Unlike Node, /proc also shows CPU time that a virtual machine's host took away.
async function cpuTimes() {
  const stat = await readFile('/proc/stat', 'utf8').catch(() => '');
  const line = /^cpu +(.+)$/m.exec(stat)?.[1];
  if (!line) return nodeTimes();
  const [user, nice, system, idle, wait, ...rest] = line.split(' ').slice(0, 8).map(Number);
  return { idle: idle + wait, total: [user, nice, system, idle, wait, ...rest].reduce((sum, value) => sum + value, 0) };
}

function nodeTimes() {
  const times = cpus().map((cpu) => cpu.times);
  const idle = times.reduce((sum, time) => sum + time.idle, 0);
  const total = times.flatMap(Object.values).reduce((sum, value) => sum + value, 0);
  return { idle, total };
}
