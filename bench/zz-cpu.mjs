import { mkdtempSync, chmodSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../dist/src/database/embedded-postgres.js';
import { onEnd, runToEnd } from './ending.mjs';
import { startParley, adminOf } from './parley.mjs';
import { startParleyWithWebhooks } from './webhooks.mjs';
import { findLoad, measure } from './load.mjs';
await runToEnd(async () => {
  const directory = mkdtempSync('/tmp/cpu-');
  chmodSync(directory, 0o755);
  const p = await startEmbeddedPostgres(directory);
  onEnd(() => p.stop());
  const createDatabase = async (name) => {
    const c = new pg.Client(p.url);
    await c.connect();
    await c.query('CREATE DATABASE ' + name);
    await c.end();
    return Object.assign(new URL(p.url), { pathname: '/' + name }).href;
  };
  const sides = [];
  sides.push({ ...(await startParley(p.url, join(directory, 'a'))), name: 'plain' });
  sides.push(await startParleyWithWebhooks({ createDatabase }, directory));
  const load = findLoad();
  const cpu = () => {
    const by = {};
    for (const d of readdirSync('/proc')) {
      if (!/^\d+$/.test(d)) continue;
      try {
        const s = readFileSync(`/proc/${d}/stat`, 'utf8');
        const cmd = readFileSync(`/proc/${d}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const f = s.slice(s.lastIndexOf(')') + 2).split(' ');
        const t = (+f[11] + +f[12]) * 10;
        const name = cmd.includes('receiver.mjs')
          ? 'receiver'
          : cmd.includes('dist/src/main.js')
            ? 'node'
            : /postgres/.test(cmd)
              ? cmd.includes('checkpointer') ||
                cmd.includes('walwriter') ||
                cmd.includes('background') ||
                cmd.includes('autovac') ||
                cmd.includes('io worker')
                ? 'pg-bg'
                : 'pg'
              : cmd.startsWith('wrk')
                ? 'wrk'
                : null;
        if (name) by[name] = (by[name] || 0) + t;
      } catch {}
    }
    return by;
  };
  for (let r = 0; r < 3; r++)
    for (const side of sides) {
      const lines = side.tenants.flatMap(({ token, chatIds }) =>
        chatIds.map(
          (chatId) => `${token}\t${JSON.stringify({ chatId, content: 'Your order has left our warehouse today.' })}\n`,
        ),
      );
      const file = join(directory, side.name + '.tsv');
      writeFileSync(file, lines.join(''));
      const c = new pg.Client(side.databaseUrl);
      await c.connect();
      const st = async () => {
        await c.query('select pg_stat_clear_snapshot()');
        return (
          await c.query(
            "select (select xact_commit from pg_stat_database where datname=current_database())::int as commits, coalesce((select n_tup_upd from pg_stat_user_tables where relname='webhook_lanes'),0)::int as lanes, (select n_tup_upd from pg_stat_user_tables where relname='deliveries')::int as dupd, (select n_tup_hot_upd from pg_stat_user_tables where relname='deliveries')::int as dhot",
          )
        ).rows[0];
      };
      const b = cpu(),
        s0 = await st();
      const res = await measure(load, side, file, 6);
      await new Promise((r) => setTimeout(r, 1500));
      const a = cpu(),
        s1 = await st();
      const per = Object.fromEntries(
        Object.keys(a).map((k) => [k, Math.round(((a[k] - (b[k] || 0)) * 1000) / res.answers)]),
      );
      console.log(
        side.name.padEnd(9),
        res.perSecond.toFixed(0) + '/s',
        'us/send',
        JSON.stringify(per),
        'total',
        Object.values(per).reduce((x, y) => x + y),
        'per s',
        JSON.stringify(Object.fromEntries(Object.keys(s1).map((k) => [k, Math.round((s1[k] - s0[k]) / 6)]))),
      );
      await c.end();
      if (side.receiver) await side.receiver.read();
    }
});
