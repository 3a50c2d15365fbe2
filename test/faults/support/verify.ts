import { type AgentsVerdict, verifyAgents } from './agents/verify-agents.js';
import type { Installation } from './cluster.js';
import type { Database } from './postgres.js';
import { until } from '../../support/eventually.js';
import type { Swarm } from './swarm.js';
import type { Visitor } from './visitor.js';

interface Row {
  id: string;
  chatId: string;
  seq: number;
  content: string;
}

export interface Verdict {
  acked: number;
  lost: number;
  duplicated: number;
  internalErrors: number;
  /** The slowest response, in milliseconds. */
  slowest: number;
  /** Milliseconds from the end of the fault until every sender was acked again. */
  recovery: number;
  broken: number;
  /** Null without agents. */
  agents: AgentsVerdict | null;
  faults: string[];
  statuses: string;
}

/**
 * Compares the responses of all clients with the stored rows, once nothing is in progress. Returns the faults in words.
 */
export async function verify(cluster: Installation, swarm: Swarm): Promise<Verdict> {
  const { postgres, nodes } = cluster;
  const { ledger } = swarm;
  const faults = [...ledger.faults, ...nodes.flatMap((node) => node.complaints())];
  const rows = await postgres.query<Row>(
    `SELECT id, chat_id AS "chatId", seq, content FROM messages WHERE organization_id = $1 ORDER BY chat_id, seq`,
    [swarm.organizationId],
  );
  const { lost, duplicated } = compareAcks(swarm, rows, faults);
  await compareChats(postgres, swarm, rows, faults);
  await compareVisitors(swarm, rows, faults);
  await compareVisitors({ visitors: swarm.followers }, rows, faults);
  await compareEvents(swarm, rows, faults);
  await comparePulled(swarm, rows, faults);
  const agents = swarm.crew && (await verifyAgents(cluster, swarm.crew));
  faults.push(...(agents?.faults ?? []));
  const { internalErrors, slowest, recovery, broken, acked } = ledger;
  const statuses = [...ledger.statuses].map(([outcome, count]) => `${outcome}: ${count}`).join(', ');
  const all = { acked: acked.size, lost, duplicated, internalErrors, slowest, recovery, broken };
  return { ...all, agents, faults: summarize(faults), statuses };
}

/** Each fault once, and only the first ones. */
function summarize(faults: string[]): string[] {
  const counts = new Map<string, number>();
  for (const fault of faults) counts.set(fault, (counts.get(fault) ?? 0) + 1);
  return [...counts].slice(0, 20).map(([fault, count]) => (count > 1 ? `${fault} (${count} times)` : fault));
}

/**
 * Every acked message is stored once, with the id and seq of the ack; no rejected message and no unsent message is
 * stored.
 */
function compareAcks({ ledger }: Swarm, rows: Row[], faults: string[]): { lost: number; duplicated: number } {
  const stored = new Map(rows.map((row) => [row.content, row]));
  const duplicated = rows.length - stored.size;
  let lost = 0;
  for (const [content, { id, chatId, seq }] of ledger.acked) {
    const row = stored.get(content);
    if (!row) lost++;
    else if (row.id !== id || row.chatId !== chatId || (seq ?? row.seq) !== row.seq) {
      faults.push(`${content} was acked as ${id} ${seq}, and is stored as ${row.id} ${row.seq}`);
    }
  }
  if (lost > 0) faults.push(`${lost} acked messages are lost`);
  if (duplicated > 0) faults.push(`${duplicated} messages are stored twice`);
  const strange = rows.filter(({ content }) => !ledger.acked.has(content) || ledger.refused.has(content));
  if (strange.length > 0) faults.push(`${strange.length} are stored that were refused, or never acked in the end`);
  return { lost, duplicated };
}

/** Per chat: seq is 1..N, and messageCount is N. */
async function compareChats(postgres: Database, swarm: Swarm, rows: Row[], faults: string[]): Promise<void> {
  const chats = await postgres.query<{ id: string; count: number }>(
    'SELECT id, message_count AS count FROM chats WHERE organization_id = $1',
    [swarm.organizationId],
  );
  for (const { id, count } of chats) {
    const seqs = rows.filter(({ chatId }) => chatId === id).map(({ seq }) => seq);
    if (seqs.some((seq, index) => seq !== index + 1)) faults.push(`chat ${id} has gaps in its seq`);
    if (seqs.length !== count) faults.push(`chat ${id} counts ${count} of ${seqs.length} messages`);
  }
}

/** Every visitor has applied the stored messages, in that order. */
export async function compareVisitors(
  { visitors }: { visitors: readonly Visitor[] },
  rows: readonly Pick<Row, 'id' | 'chatId' | 'seq'>[],
  faults: string[],
): Promise<void> {
  for (const { name, chatId, applied } of visitors) {
    const stored = rows.filter((row) => row.chatId === chatId).map(({ id, seq }) => `${seq} ${id}`);
    await until(`${name} has everything`, () => applied.length >= stored.length).catch(() => undefined);
    const heard = applied.map(({ id, seq }) => `${seq} ${id}`);
    if (heard.join() === stored.join()) continue;
    const place = stored.findIndex((message, index) => heard[index] !== message);
    faults.push(`${name} applied ${heard.length} of ${stored.length}: ${heard[place]} instead of ${stored[place]}`);
  }
}

/** The receiver has every event, and repeated ones are identical. */
async function compareEvents({ receiver }: Swarm, rows: Row[], faults: string[]): Promise<void> {
  const ids = () => new Set(receiver.received.map(({ event }) => event.data.message.id as string));
  await receiver.until(() => ids().size >= rows.length, 60_000).catch(() => undefined);
  const heard = ids();
  const missed = rows.filter(({ id }) => !heard.has(id)).length;
  if (missed > 0) faults.push(`the receiver has not heard of ${missed} of ${rows.length} messages`);
  if (heard.size > rows.length - missed) faults.push('the receiver has heard of messages that are not there');
  const bodies = new Map<string, string>();
  for (const { headers, body } of receiver.received) {
    const id = headers['webhook-id']!;
    if ((bodies.get(id) ?? body) !== body) faults.push(`event ${id} was sent with two bodies`);
    bodies.set(id, body);
  }
}

/** The polling bot has every event too, each chat's in order the first time, and identical to the receiver's. */
async function comparePulled({ puller, receiver }: Swarm, rows: Row[], faults: string[]): Promise<void> {
  const { received } = puller;
  await until('everything is fetched', () => received.size >= rows.length, 60_000).catch(() => undefined);
  const missed = rows.filter(({ id }) => !received.has(id)).length;
  if (missed > 0) faults.push(`the bot has not fetched ${missed} of ${rows.length} messages`);
  if (received.size > rows.length - missed) faults.push('the bot has fetched messages that are not there');
  for (const { event } of receiver.received) {
    const fetched = received.get(event.data.message.id);
    if (fetched !== undefined && fetched !== JSON.stringify(event))
      faults.push(`${event.id} was fetched as another event`);
  }
  faults.push(...puller.faults);
}
