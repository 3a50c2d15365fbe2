// Compares Parley with a hand-written service, the framework's maximum, and the database's limit, on one machine, in turns.
// npm run bench [-- --quick | --rounds 5 --seconds 8 | --only send,hot]
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasChromium } from './setup/chromium.mjs';
import { startPostgres } from './setup/database.mjs';
import { onEnd, runToEnd } from './setup/ending.mjs';
import { isLimit, limitCells } from './figures/limits.mjs';
import { findLoad } from './load/load.mjs';
import { lookAtMachine, warningOf } from './setup/machine.mjs';
import { readOptions } from './options.mjs';
import { writePage } from './figures/page.mjs';
import { startPair } from './setup/pair.mjs';
import { AGENT_PARTS } from './agents/agents.mjs';
import { measureReturn } from './parts/back.mjs';
import { measureCitus } from './parts/citus.mjs';
import { COMMIT_PARTS } from './parts/commits.mjs';
import { measureConsole } from './browser/console.mjs';
import { measureDoors } from './parts/doors.mjs';
import { measureFull } from './parts/full.mjs';
import { measureHotChat } from './parts/hot.mjs';
import { measureIdle } from './parts/idle.mjs';
import { measureLists } from './lists/lists.mjs';
import { measureSearch } from './lists/search.mjs';
import { measureLive } from './parts/live.mjs';
import { measureLiveText } from './parts/livetext.mjs';
import { measureNodes } from './parts/nodes.mjs';
import { measurePull } from './parts/pull.mjs';
import { measureSends } from './parts/send.mjs';
import { measureSingle } from './parts/single.mjs';
import { measureStart } from './parts/start.mjs';
import { measureWebhooks } from './parts/webhooks.mjs';
import { measureWidget } from './browser/widget.mjs';
import { hasRedis } from './setup/redis.mjs';
import { columns, headLines, tableLines } from './figures/report.mjs';
import { prepareTenants } from './setup/tenants.mjs';

const PARTS = {
  send: measureSends,
  hot: measureHotChat,
  single: measureSingle,
  full: measureFull,
  live: measureLive,
  idle: measureIdle,
  back: measureReturn,
  start: measureStart,
  webhooks: measureWebhooks,
  pull: measurePull,
  livetext: measureLiveText,
  doors: measureDoors,
  lists: measureLists,
  search: measureSearch,
  ...(hasChromium() ? { console: measureConsole, widget: measureWidget } : {}),
  ...AGENT_PARTS,
  ...COMMIT_PARTS,
  citus: measureCitus,
  ...(hasRedis() ? { nodes: measureNodes } : {}),
};

await runToEnd(async () => {
  const options = readOptions(Object.keys(PARTS));
  const machine = await lookAtMachine();
  const directory = await makeDirectory();
  const postgres = await startPostgres(directory);
  const bench = { ...options, machine, directory, postgres, load: findLoad() };
  print([...headLines(bench), warningOf(machine)]);
  Object.assign(bench, await prepareTenants(postgres, directory));
  bench.pair = once(() => startPair(bench, 'load'));
  const rows = [];
  const limits = {};
  for (const name of options.only) {
    print(['', name]);
    const results = await PARTS[name](bench);
    rows.push(...results.filter((result) => !isLimit(result)));
    limits[name] = results.filter(isLimit);
    if (limits[name].length > 0) print(limitLines(limits[name]));
  }
  if (rows.length > 0) print(['', ...headLines(bench), warningOf(machine), '', ...tableLines(rows)]);
  if (options.isWhole) print(['', `Written: ${(await writePage(bench, rows, limits)).join(', ')}`]);
});

// Readable by everyone, because as root, PostgreSQL runs under another account.
async function makeDirectory() {
  const directory = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  onEnd(() => rm(directory, { recursive: true, force: true }));
  await chmod(directory, 0o755);
  return directory;
}

function once(make) {
  let made;
  return () => (made ??= make());
}

function limitLines(limits) {
  const missed = limits.filter(({ holds }) => holds === 'NO').length;
  return ['', ...columns(limitCells(limits)), `${limits.length} figures, ${missed} of them beyond their limit`];
}

function print(lines) {
  console.log(lines.filter((line) => line !== null).join('\n'));
}
