import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { signIn } from '../agents/prepare.mjs';
import { limit, ratioLimit } from '../figures/limits.mjs';
import { inTurns } from '../figures/rounds.mjs';
import { percentile, pluck } from '../figures/stats.mjs';
import { CONTENT, writeRequests } from '../load/load.mjs';
import { sender } from '../setup/pair.mjs';
import { adminOf, runParley, startParley, TEMPLATE } from '../setup/parley.mjs';
import { chatsOf } from '../setup/tenants.mjs';

const TYPING = 20;
/** Milliseconds between two letters, and from the last one to the search: the console waits so long. */
const LETTER_MS = 150;

/** Sends with the index against sends without it, and beside agents who type into `Ctrl K`, in turns. */
export async function measureSearchLoad(bench) {
  const [{ organizationId }] = bench.tenants;
  const parley = await startParley(bench, 'search_load');
  const without = await runParley(bench, await withoutIndex(bench));
  const file = await writeRequests(bench, 'search-load', chatsOf(bench.tenants));
  const tokens = [];
  for (let number = 0; number < TYPING; number++) tokens.push(await signInSupervisor(parley, organizationId, number));
  const times = [];
  const send = (side, name) => sender(bench, side, file, { name });
  const beside = send(parley, 'while agents search');
  const [indexed, bare, searched] = await inTurns(
    [
      send(parley, 'with the index'),
      send(without, 'without the index'),
      { ...beside, run: () => typing(parley, tokens, times, beside.run) },
    ],
    bench.rounds,
  );
  await Promise.all([parley.stop(), without.stop()]);
  const rate = (results) => pluck(results, 'perSecond');
  const p99 = (results) => pluck(results, 'p99');
  const title = `of ${TYPING} agents who search while they type`;
  return [
    ratioLimit({
      measure: 'sends with the index, against without it',
      ours: rate(indexed),
      theirs: rate(bare),
      atLeast: 0.95,
    }),
    ratioLimit({ measure: `sends beside those ${title}`, ours: rate(searched), theirs: rate(indexed), atLeast: 0.95 }),
    ratioLimit({ measure: 'p99 of these sends', ours: p99(searched), theirs: p99(indexed), atMost: 1.2 }),
    limit({
      measure: `p95 of the searches ${title}`,
      unit: 'ms',
      values: [
        percentile(
          times.toSorted((a, b) => a - b),
          95,
        ),
      ],
    }),
  ];
}

// Nothing may follow the changes of an organization.
async function withoutIndex(bench) {
  const databaseUrl = await bench.postgres.createDatabase('search_load_without', TEMPLATE);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`
    DELETE FROM change_readers;
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    CREATE TRIGGER refuse BEFORE INSERT ON change_readers FOR EACH ROW EXECUTE FUNCTION refuse()`);
  await client.end();
  return databaseUrl;
}

async function signInSupervisor(parley, organizationId, number) {
  const fields = { name: `Searcher ${number}`, email: `searcher${number}@example.com`, role: 'SUPERVISOR' };
  const { id } = await adminOf(parley)(`/${organizationId}/agents`, fields);
  return signIn(parley, organizationId, id);
}

// Runs work while every agent types words of the messages, and searches after each letter.
async function typing({ url }, tokens, times, work) {
  const text = CONTENT.toLowerCase();
  let isOver = false;
  const type = async (token, number) => {
    for (let letter = number; !isOver; letter++) {
      await sleep(LETTER_MS);
      const begin = performance.now();
      const q = text.slice(0, 2 + (letter % (text.length - 2)));
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const answer = await fetch(`${url}/api/agent/search`, { method: 'POST', headers, body: JSON.stringify({ q }) });
      if (!answer.ok) throw new Error(`a search was answered ${answer.status}`);
      await answer.arrayBuffer();
      times.push(performance.now() - begin);
    }
  };
  const agents = Promise.all(tokens.map(type));
  const result = await work();
  isOver = true;
  await agents;
  return result;
}
