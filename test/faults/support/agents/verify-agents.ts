import type { Installation } from '../cluster.js';
import type { Database } from '../postgres.js';
import type { Crew } from './crew.js';
import { eventKey } from './journal.js';

/** The figures of the agents' work in the table. */
export interface AgentsVerdict {
  /** Transitions that were answered 200. */
  transitions: number;
  /** The longest time that a chat waited although an agent was free, in milliseconds. */
  idle: number;
  /** The longest delay of a time-out, in milliseconds. */
  late: number;
  faults: string[];
}

interface ChatEvent {
  type: string;
  data: any;
}

interface Row {
  chatId: string;
  id: string;
  seq: number;
  content: string;
  senderType: string;
  senderId: string | null;
  event: string | null;
  metadata: any;
}

const TRANSITIONS = /^chat\.(transferred|assigned|unassigned|returned|unanswered|reopened|closed)$/;

/**
 * Compares the responses of agents and bots with the stored rows and the webhook's events. Returns the faults in words.
 */
export async function verifyAgents(cluster: Installation, crew: Crew): Promise<AgentsVerdict> {
  const { postgres } = cluster;
  const faults = [...crew.journal.faults, ...crew.watch.faults];
  await checkState(postgres, crew, faults);
  const events = await receivedEvents(postgres, crew, faults);
  const rows = await postgres.query<Row>(MESSAGES, [crew.tenant.id]);
  checkHistories(events, faults);
  checkSystemMessages(events, rows, faults);
  checkAnswers(crew, events, faults);
  checkAgentsMessages(crew, events, rows, faults);
  await checkCorrections(cluster, faults);
  const late = await lateness(postgres, crew.tenant.id);
  return { transitions: crew.journal.count, idle: crew.watch.longest, late, faults };
}

// One owner by the rules of CONTRACT: Who has a chat, and counters that match the rows.
const BROKEN = `
  SELECT 'chat ' || c.id || ' is ' || c.status || ' against the rules' AS what FROM chats c
  WHERE c.organization_id = $1 AND (
    (c.agent_id IS NOT NULL AND c.status <> 'ACTIVE')
    OR (c.status = 'QUEUED') <> (c.queued_at IS NOT NULL)
    OR (SELECT count(*) FROM handoffs h WHERE h.organization_id = $1 AND h.chat_id = c.id AND h.ended_at IS NULL)
      <> CASE WHEN c.status = 'QUEUED' THEN 1 ELSE 0 END
    OR (SELECT count(*) FROM chat_offers o WHERE o.organization_id = $1 AND o.chat_id = c.id AND o.ended_at IS NULL)
      > CASE WHEN c.status = 'QUEUED' THEN 1 ELSE 0 END)
  UNION ALL
  SELECT 'agent ' || a.id || ' is counted with ' || a.open_chats || ' chats and ' || a.pending_offers || ' offers'
  FROM agents a WHERE a.organization_id = $1 AND (
    a.open_chats <> (SELECT count(*) FROM chats c WHERE c.organization_id = $1 AND c.agent_id = a.id)
    OR a.pending_offers <> (SELECT count(*) FROM chat_offers o
      WHERE o.organization_id = $1 AND o.agent_id = a.id AND o.ended_at IS NULL))`;

async function checkState(postgres: Database, { tenant }: Crew, faults: string[]): Promise<void> {
  const broken = await postgres.query<{ what: string }>(BROKEN, [tenant.id]);
  faults.push(...broken.map(({ what }) => what));
}

/** Each chat's events in the order of their lane. Every event arrived, and no other. */
async function receivedEvents(postgres: Database, crew: Crew, faults: string[]): Promise<Map<string, ChatEvent[]>> {
  const { receiver, tenant } = crew;
  const stored = await postgres.query<{ id: string }>(
    `SELECT payload::json ->> 'id' AS id FROM deliveries WHERE organization_id = $1`,
    [tenant.id],
  );
  const ids = () => new Set(receiver.received.map(({ event }) => event.id as string));
  const missed = () => stored.filter(({ id }) => !ids().has(id)).length;
  await receiver.until(() => missed() === 0, 60_000).catch(() => undefined);
  if (missed() > 0) faults.push(`the receiver has not heard of ${missed()} of ${stored.length} events`);
  if (ids().size > stored.length) faults.push('the receiver has heard of events that are not there');
  const first = new Map(receiver.received.map(({ event }) => [event.id as string, event as ChatEvent]));
  const byChat = new Map<string, ChatEvent[]>();
  for (const event of first.values()) {
    const chatId = event.data.chat.id;
    byChat.set(chatId, [...(byChat.get(chatId) ?? []), event]);
  }
  return byChat;
}

/** The chat's owner after an event, if it's allowed after that owner; otherwise a fault. */
function next({ type, data }: ChatEvent, owner: string): string | null {
  switch (type) {
    case 'chat.transferred':
      return (data.previousAgent?.id ?? null) === agentOf(owner) && owner !== 'NOBODY' ? 'QUEUE' : null;
    case 'chat.assigned':
      return (data.previousAgent?.id ?? null) === agentOf(owner) && owner !== 'NOBODY' ? data.agent.id : null;
    case 'chat.unassigned':
      return owner === data.agent.id ? 'QUEUE' : null;
    case 'chat.returned':
      return owner === 'NOBODY' || owner === 'BOT' ? null : 'BOT';
    case 'chat.unanswered':
      return owner === 'QUEUE' ? (data.then === 'KEPT' ? 'QUEUE' : 'BOT') : null;
    case 'chat.closed':
      return owner === 'NOBODY' ? null : 'NOBODY';
    case 'chat.reopened':
      return owner === 'NOBODY' ? (data.agent?.id ?? data.owner) : null;
    default:
      return null;
  }
}

const agentOf = (owner: string) => (owner === 'BOT' || owner === 'QUEUE' ? null : owner);

/** No chat was assigned twice: each event matches the owner before it, and the chat has the owner of the last event. */
function checkHistories(byChat: Map<string, ChatEvent[]>, faults: string[]): void {
  for (const [chatId, events] of byChat) {
    let owner = 'BOT';
    for (const event of events.filter(({ type }) => TRANSITIONS.test(type))) {
      const after = next(event, owner);
      if (after === null) {
        faults.push(`${event.type} of ${chatId} came when ${owner} had it`);
        break;
      }
      const { owner: told, assignedTo } = event.data.chat;
      if ((assignedTo?.id ?? told) !== after)
        faults.push(`${event.type} of ${chatId} says ${assignedTo?.id ?? told} instead of ${after}`);
      owner = after;
    }
  }
}

const MESSAGES = `
  SELECT m.chat_id AS "chatId", m.id, m.seq, m.content, m.sender_type AS "senderType", m.sender_id AS "senderId",
    m.metadata ->> 'event' AS event, m.metadata
  FROM messages m WHERE m.organization_id = $1 ORDER BY m.chat_id, m.seq`;

/** Each event with a system message has it once, in the same order, and the webhook has that message's event. */
function checkSystemMessages(byChat: Map<string, ChatEvent[]>, rows: Row[], faults: string[]): void {
  const created = new Set<string>();
  for (const event of [...byChat.values()].flat())
    if (event.type === 'message.created') created.add(event.data.message.id);
  const missing = rows.filter(({ id }) => !created.has(id));
  if (missing.length > 0) faults.push(`the receiver has not heard of ${missing.length} messages`);
  for (const [chatId, events] of byChat) {
    const told = events
      .filter(({ type, data }) => TRANSITIONS.test(type) && data.then !== 'KEPT')
      .map(({ type, data }) => `${type} ${(type === 'chat.assigned' && data.agent.id) || ''}`);
    const said = rows
      .filter((row) => row.chatId === chatId && row.event !== null)
      .map(({ event, metadata }) => `${event} ${metadata.agentId ?? ''}`);
    if (told.join() !== said.join())
      faults.push(`the events and the system messages of ${chatId} differ: ${told.join()}; ${said.join()}`);
  }
}

function markOf({ type, data }: ChatEvent): string {
  if (type === 'chat.transferred') return data.reason ?? data.by.id;
  if (type === 'chat.returned') return data.note ?? '';
  if (type === 'chat.closed') return data.by.id;
  return data.agent?.id ?? '';
}

/** Every transition answered 200 has its event once, and no rejected transition has an event. */
function checkAnswers({ journal }: Crew, byChat: Map<string, ChatEvent[]>, faults: string[]): void {
  const counts = new Map<string, number>();
  for (const [chatId, events] of byChat) {
    for (const event of events) {
      // Routing's own transitions, and those implied by a message, have no response.
      const isImplied = /^chat\.(unanswered|reopened)$/.test(event.type) || event.data.how === 'AUTOMATIC';
      if (!TRANSITIONS.test(event.type) || isImplied) continue;
      const key = eventKey(event.type, chatId, markOf(event));
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  for (const key of new Set([...counts.keys(), ...journal.told.keys()])) {
    const { done, perhaps } = journal.told.get(key) ?? { done: 0, perhaps: 0 };
    const count = counts.get(key) ?? 0;
    if (count < done || count > done + perhaps)
      faults.push(`${key}: answered ${done} times (${perhaps} more perhaps), and ${count} events`);
  }
}

/**
 * The messages that reopened a chat for an agent, and their agents: that happens when an agent learns late that a
 * colleague closed it. Nothing else reopens a chat for an agent here.
 */
function reopeningMessages(byChat: Map<string, ChatEvent[]>, faults: string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const [chatId, events] of byChat) {
    for (const [place, { type, data }] of events.entries()) {
      if (type !== 'chat.reopened' || !data.agent) continue;
      const isSaid = (event: ChatEvent) => event.data.message && event.data.message.sender.type !== 'SYSTEM';
      const message = events.slice(place).find(isSaid)?.data.message;
      if (message?.sender.id === data.agent.id) found.set(message.id, data.agent.id);
      else faults.push(`${chatId} was reopened for ${data.agent.id} without a message of that agent`);
    }
  }
  return found;
}

/** Agents wrote only while they had the chat, or after its end, and messages answered 201 are stored once. */
function checkAgentsMessages({ journal }: Crew, byChat: Map<string, ChatEvent[]>, rows: Row[], faults: string[]): void {
  const reopening = reopeningMessages(byChat, faults);
  const owners = new Map<string, string>();
  const stored = new Map<string, Row>();
  for (const row of rows) {
    if (row.event !== null) owners.set(row.chatId, row.metadata.agentId ?? '');
    if (reopening.has(row.id)) owners.set(row.chatId, reopening.get(row.id)!);
    if (row.senderType !== 'AGENT') continue;
    if (stored.has(row.content)) faults.push(`${row.content} is stored twice`);
    stored.set(row.content, row);
    if (owners.get(row.chatId) !== row.senderId) faults.push(`${row.content} was written into another's chat`);
  }
  for (const [content, { id, seq }] of journal.said) {
    const row = stored.get(content);
    if (row?.id !== id || row.seq !== seq) faults.push(`${content} was answered as ${id}, and is stored as ${row?.id}`);
  }
}

/** The counters were right without a correction. */
async function checkCorrections({ nodes }: Installation, faults: string[]): Promise<void> {
  for (const node of nodes) {
    const count = /^parley_agent_load_corrections_total (\d+)/m.exec(await node.metrics())?.[1];
    if (count !== '0') faults.push(`the counts of ${count} agents had to be corrected`);
  }
}

const LATE = `
  SELECT COALESCE(max(late), 0)::float8 AS late FROM (
    SELECT extract(epoch FROM unanswered_at - due_at) * 1000 AS late FROM handoffs WHERE organization_id = $1
    UNION ALL
    SELECT extract(epoch FROM ended_at - expires_at) * 1000 FROM chat_offers WHERE organization_id = $1
  ) AS times`;

async function lateness(postgres: Database, organizationId: string): Promise<number> {
  const [row] = await postgres.query<{ late: number }>(LATE, [organizationId]);
  return row!.late;
}
