import { Requests } from './prepare.mjs';
import { cpuFrom } from '../figures/cpu.mjs';
import { query } from '../setup/database.mjs';
import { limit } from '../figures/limits.mjs';
import { median, percentile } from '../figures/stats.mjs';

const WRONG_LOADS = `
  SELECT count(*)::integer AS count FROM agents a WHERE open_chats <> (
    SELECT count(*) FROM chats c WHERE c.organization_id = a.organization_id AND c.agent_id = a.id)`;
const OWNERS = 'SELECT id, agent_id AS "agentId" FROM chats WHERE id = ANY ($1)';
const JOINED = `
  SELECT chat_id AS "chatId", count(*)::integer AS count FROM messages
  WHERE chat_id = ANY ($1) AND metadata::jsonb ->> 'event' = 'chat.assigned' GROUP BY chat_id`;

/** Every agent claims every chat, in the same order, with one request at a time. One agent must win each chat. */
export async function measureClaims(bench, { agents, chats, spare, start }) {
  const parley = await start('agents_claims');
  const claimers = agents.slice(0, bench.agents.claimers);
  const requests = new Requests(parley, claimers.length);
  await claimAll(requests, claimers, spare);
  const countCpu = await cpuFrom(bench, parley);
  const begin = performance.now();
  const claims = await claimAll(requests, claimers, chats);
  const seconds = (performance.now() - begin) / 1000;
  const cpu = await countCpu(claims.length);
  const losses = claims.filter(({ status }) => status === 409);
  await verify(parley, chats, claims, losses);
  await requests.close();
  await parley.stop();
  const times = losses.map(({ ms }) => ms);
  const [p50, p95] = [median(times), percentile(times, 95)];
  console.log(
    `  ${claims.length} claims, ${Math.round(claims.length / seconds)}/s, p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
  );
  const title = `${claimers.length} agents claim ${chats.length} chats, all together`;
  return [
    limit({
      measure: `${title}: chats with exactly one winner`,
      unit: '',
      values: [chats.length],
      atLeast: chats.length,
    }),
    limit({ measure: "a loser's 409, p99", unit: 'ms', values: [percentile(times, 99)], below: 50 }),
    limit({ measure: 'CPU of a claim, node', unit: 'µs', values: [cpu.node] }),
    limit({ measure: 'CPU of a claim, PostgreSQL', unit: 'µs', values: [cpu.database] }),
  ];
}

async function claimAll(requests, claimers, chats) {
  const claims = [];
  const claimEach = async ({ id: agentId, token }) => {
    for (const { id } of chats) {
      const { status, body, ms } = await requests.ask(token, 'POST', `/api/agent/chats/${id}/claim`);
      claims.push({ agentId, chatId: id, status, code: body.code, ms });
    }
  };
  await Promise.all(claimers.map(claimEach));
  return claims;
}

/** Each chat has one winner in the responses, who is also the agent in the database, and its effects are stored once. */
async function verify({ databaseUrl }, chats, claims, losses) {
  const winners = new Map(
    claims.filter(({ status }) => status === 200).map(({ chatId, agentId }) => [chatId, agentId]),
  );
  const ids = chats.map(({ id }) => id);
  const owners = await query(databaseUrl, OWNERS, [ids]);
  const joined = await query(databaseUrl, JOINED, [ids]);
  const [{ count: wrongLoads }] = await query(databaseUrl, WRONG_LOADS);
  const facts = {
    'a chat without a winner, or with two':
      winners.size !== chats.length || claims.length !== losses.length + chats.length,
    'a loser without already_assigned': losses.some(({ code }) => code !== 'already_assigned'),
    'a chat that another agent has': owners.some(({ id, agentId }) => winners.get(id) !== agentId),
    'a chat without one system message': joined.length !== chats.length || joined.some(({ count }) => count !== 1),
    'a wrong count of chats of an agent': wrongLoads > 0,
  };
  const wrong = Object.keys(facts).filter((fact) => facts[fact]);
  if (wrong.length > 0) throw new Error(`the claims left ${wrong.join(', ')}`);
}
