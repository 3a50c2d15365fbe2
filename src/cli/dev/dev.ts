import { randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { findToken, findUrl } from '../connection.js';
import { usage } from '../errors.js';
import { onInterruption } from '../interruption.js';
import { Service } from '../service.js';
import { Bench } from './bench.js';
import { Chaos } from './chaos.js';
import { Lines } from './lines.js';
import type { DevOptions } from './options.js';
import { readScript } from './script.js';
import { AdminWorkspace, type Workspace } from '../workspace/workspace.js';

/**
 * Runs the bench until its messages are sent, its input ends, or it's interrupted. Then removes everything it created.
 * @param command starts the bot; empty: you start it yourself
 * @param open prepares where the bench works; by default with the admin token
 * @returns the exit code: 0 if the bot answered everything exactly once
 */
export async function runDev(
  environment: NodeJS.ProcessEnv,
  options: DevOptions,
  command: string[],
  open: (url: string) => Promise<Workspace> = (url) => openAsAdmin(url, environment, options),
): Promise<number> {
  checkOptions(options);
  const script = options.script === undefined ? null : await readScript(options.script);
  const url = findUrl(environment, options.url);
  const hasColors = process.stdout.isTTY && !environment.NO_COLOR;
  const lines = new Lines(options.json ?? false, hasColors);
  const chaos = options.chaos ? new Chaos(options.seed ?? randomInt(1, 1_000_000)) : null;
  const over = new AbortController();
  // Every chat listens.
  setMaxListeners(0, over.signal);
  onInterruption(() => {
    if (!over.signal.aborted) lines.add('bench', 'ending …');
    over.abort();
  });
  const workspace = await open(url);
  const bench = new Bench(url, workspace, lines, chaos, { ...options, steps: script }, over);
  try {
    await bench.open(environment, command);
    await bench.talk();
    await bench.settle();
    return await bench.report();
  } finally {
    await bench.close();
    await workspace.remove();
  }
}

function openAsAdmin(url: string, environment: NodeJS.ProcessEnv, { bot, org }: DevOptions): Promise<Workspace> {
  const service = new Service({ url, ...findToken(environment) });
  return bot === undefined ? AdminWorkspace.make(service) : AdminWorkspace.of(service, bot, org);
}

function checkOptions({ org, bot, webhook, chats, burst, messages, script }: DevOptions): void {
  if (script !== undefined && messages !== undefined) throw usage('--script and --messages exclude each other');
  if (org !== undefined && bot === undefined) throw usage('--org needs --bot: without a bot the bench makes both');
  if (chats > 1 && messages === undefined) throw usage('--chats needs --messages');
  if (burst > 1 && messages === undefined) throw usage('--burst needs --messages');
  if (webhook !== undefined && !(URL.canParse(webhook) && ['http:', 'https:'].includes(new URL(webhook).protocol)))
    throw usage('--webhook must be an address like http://127.0.0.1:8080/hook');
}
