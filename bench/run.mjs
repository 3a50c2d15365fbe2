// Sends per second of Parley and of a hand-written Express + pg service, on one PostgreSQL, in turns.
// npm run bench [-- --quick | --rounds 5 --seconds 8]
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startEmbeddedPostgres } from '../dist/src/database/embedded-postgres.js';
import { startBaseline } from './baseline-setup.mjs';
import { onEnd, runToEnd } from './ending.mjs';
import { CONNECTIONS, findLoad, measure, PATH } from './load.mjs';
import { startParley } from './parley.mjs';
import { headLines, median, roundLine, tableLines } from './report.mjs';
import { drain, measureDelays, startParleyWithWebhooks } from './webhooks.mjs';

const CONTENT = 'Your order has left our warehouse today.';

await runToEnd(async () => {
  const { rounds, seconds } = readArguments();
  const load = findLoad();
  const directory = await makeDirectory();
  const postgres = await startPostgres(directory);
  const head = { rounds, seconds, connections: CONNECTIONS, path: PATH, loadName: load.name };
  print(headLines({ ...head, postgresVersion: postgres.version }));
  const parley = await startParley(postgres.url, join(directory, 'parley'));
  const baseline = await startBaseline(await postgres.createDatabase('baseline'), parley.tenants);
  const webhooks = await startParleyWithWebhooks(postgres, directory);
  const sides = [parley, baseline, webhooks].map((side) => ({ ...side, answered: 0, drains: [], results: [] }));
  const [, , withWebhooks] = sides;
  for (const side of sides) {
    await query(side.databaseUrl, 'ANALYZE');
    side.requestsFile = await writeRequests(directory, side.name, (side.tenants ? side : parley).tenants);
  }
  await runRounds(sides, { load, rounds, seconds });
  for (const side of sides) await verify(side, rounds + 1);
  print(['', ...tableLines(sides), '']);
  const [, ...drains] = withWebhooks.drains;
  print([
    `events/s: ${median(drains.map(({ during }) => during)).toFixed(0)} under that load, ` +
      `${median(drains.map(({ after }) => after)).toFixed(0)} after it, until none is left`,
  ]);
  const { alone, beside } = await measureDelays(webhooks, rounds, seconds);
  const delay = ({ p50, p95 }) => `p50 ${p50} ms, p95 ${p95} ms`;
  print([
    `healthy receiver, ms from message to arrival: alone ${delay(alone)}; beside a dead and a silent one ${delay(beside)}; ` +
      `p95 ratio ${(beside.p95 / alone.p95).toFixed(2)}`,
  ]);
});

function readArguments() {
  const text = { type: 'string' };
  const { values } = parseArgs({ options: { quick: { type: 'boolean' }, rounds: text, seconds: text } });
  const [rounds, seconds] = values.quick ? [3, 4] : [5, 8];
  return { rounds: count('rounds', values.rounds ?? rounds), seconds: count('seconds', values.seconds ?? seconds) };
}

function count(name, value) {
  if (!/^[1-9]\d{0,3}$/.test(value)) throw new Error(`--${name} must be an integer from 1 to 9999`);
  return Number(value);
}

// Everybody may enter: as root, PostgreSQL runs under another account.
async function makeDirectory() {
  const directory = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  onEnd(() => rm(directory, { recursive: true, force: true }));
  await chmod(directory, 0o755);
  return directory;
}

async function startPostgres(directory) {
  const starting = startEmbeddedPostgres(directory);
  onEnd(async () => (await starting.catch(() => undefined))?.stop());
  const { url } = await starting;
  const [{ server_version: version }] = await query(url, 'SHOW server_version');
  const createDatabase = async (name) => {
    await query(url, `CREATE DATABASE ${name}`);
    return Object.assign(new URL(url), { pathname: `/${name}` }).href;
  };
  return { url, version, createDatabase };
}

async function query(connectionString, text) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** All sides get the same requests: one for every chat, with a token of its organization. */
async function writeRequests(directory, name, tenants) {
  const file = join(directory, `${name}.tsv`);
  const lines = tenants.flatMap(({ token, chatIds }) =>
    chatIds.map((chatId) => `${token}\t${JSON.stringify({ chatId, content: CONTENT })}\n`),
  );
  await writeFile(file, lines.join(''), { mode: 0o600 });
  return file;
}

// Each round begins with the other side: what grows or tires as time goes by favours neither.
async function runRounds(sides, plan) {
  for (const side of sides) await runRound('warm-up', side, plan);
  for (let round = 1; round <= plan.rounds; round++) {
    const order = round % 2 ? sides : sides.toReversed();
    for (const side of order) side.results.push(await runRound(`round ${round}`, side, plan));
  }
}

async function runRound(label, side, { load, seconds }) {
  const before = await countMessages(side);
  const result = await measure(load, side, side.requestsFile, seconds);
  side.answered += result.answers;
  print([roundLine(label, side, result)]);
  if (side.receiver) await settle(side, before, seconds);
  return result;
}

/** Nothing else begins before the events of the round have all arrived. */
async function settle(side, before, seconds) {
  const { count } = await side.receiver.read();
  const left = (await countMessages(side)) - before - count;
  const after = left > 0 ? (await drain(side, left)).perSecond : Number.NaN;
  side.drains.push({ during: count / seconds, after });
  print([`${''.padEnd(20)}${count} events meanwhile, ${left} after it at ${after.toFixed(0)}/s`]);
}

async function countMessages({ databaseUrl }) {
  return Number((await query(databaseUrl, 'SELECT count(*) AS count FROM messages'))[0].count);
}

/** What was answered must be stored and counted; more only of requests that were cut off as a round ended. */
async function verify({ name, databaseUrl, answered }, loads) {
  const text = 'SELECT (SELECT sum(message_count) FROM chats) AS counted, (SELECT count(*) FROM messages) AS stored';
  const [{ counted, stored }] = await query(databaseUrl, text);
  const facts = `${answered} answered, ${stored} stored, ${counted} counted in their chats`;
  const cutOff = stored - answered;
  const isRight = counted === stored && cutOff >= 0 && cutOff <= CONNECTIONS * loads;
  if (!isRight) throw new Error(`the messages of ${name} do not add up: ${facts}`);
  print([`verified  ${name.padEnd(8)}  ${facts}`]);
}

function print(lines) {
  console.log(lines.join('\n'));
}
