import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { defaultGroupOf } from '../support/tenant.js';

/** Who has a chat, by the table of CONTRACT: Who has a chat; an agent by name. */
type Owner = 'BOT' | 'QUEUE' | 'NOBODY' | 'Ada' | 'Ben' | 'Chief';
type Person = 'Ada' | 'Ben' | 'Chief';

interface Action {
  what:
    | 'transfer'
    | 'withdraw'
    | 'bot writes'
    | 'visitor writes'
    | 'visitor closes'
    | 'claim'
    | 'release'
    | 'return'
    | 'close'
    | 'reopen'
    | 'undo'
    | 'write'
    | 'snooze'
    | 'wake'
    | 'assign to Ada';
  who: Person;
  chat: number;
  node: number;
}

/** What the service knows of a chat. */
interface State {
  owner: Owner;
  /** Its stays in the queue, and direct moves, in order. Undoing an end continues the stay that ended with the chat. */
  stays: readonly ('RUNNING' | 'CLOSED' | 'OVER')[];
  /** Whether its agent snoozes it; DUE: until a moment ago, because the visitor wrote. */
  snooze: 'NONE' | 'SNOOZED' | 'DUE';
  /** How an ended chat was before. */
  was: { owner: Owner; snooze: State['snooze'] } | null;
}

const NEW: State = { owner: 'BOT', stays: [], snooze: 'NONE', was: null };

const isOpen = (owner: Owner) => owner !== 'NOBODY';
const isPerson = (owner: Owner): owner is Person => owner === 'Ada' || owner === 'Ben' || owner === 'Chief';

/** The state after a chat has left its owner, and its stay in the queue is over. */
function move(state: State, owner: Owner, end: 'CLOSED' | 'OVER' = 'OVER'): State {
  if (owner === state.owner) return state;
  const stays = state.stays.map((stay) => (stay === 'RUNNING' ? end : stay));
  return { owner, stays: owner === 'QUEUE' ? [...stays, 'RUNNING'] : stays, snooze: 'NONE', was: null };
}

function close(state: State): State {
  const { owner, snooze } = state;
  return isOpen(owner) ? { ...move(state, 'NOBODY', 'CLOSED'), was: { owner, snooze } } : state;
}

/** The state after the last stay that is over continues. */
function resume(state: State, place: number): State {
  const { stays } = move(state, 'NOBODY');
  return { ...NEW, owner: 'QUEUE', stays: stays.map((stay, index) => (index === place ? 'RUNNING' : stay)) };
}

function undo(state: State, who: Person): State | null {
  const { owner, stays, was } = state;
  if (isPerson(owner)) return owner === who ? state : null;
  const place = stays.findLastIndex((stay) => stay !== 'RUNNING');
  if (!was) return who === 'Chief' && stays[place] === 'CLOSED' ? resume(state, place) : state;
  if (who !== 'Chief' && who !== was.owner) return null;
  if (was.owner === 'QUEUE') return resume(state, place);
  return { ...move(state, was.owner), snooze: was.snooze === 'SNOOZED' ? 'SNOOZED' : 'NONE' };
}

/** The state after an action; null when it's rejected. */
function after({ what, who }: Action, state: State): State | null {
  const { owner, snooze } = state;
  const mayHandOn = owner === who || who === 'Chief';
  switch (what) {
    case 'transfer':
      return isOpen(owner) ? move(state, 'QUEUE') : null;
    case 'withdraw':
      return owner === 'QUEUE' ? move(state, 'BOT') : null;
    case 'bot writes':
      return isOpen(owner) ? state : move(state, 'BOT');
    case 'visitor writes':
      return isOpen(owner) ? { ...state, snooze: snooze === 'NONE' ? 'NONE' : 'DUE' } : move(state, 'BOT');
    case 'visitor closes':
      return close(state);
    case 'claim':
      return owner === who || owner === 'QUEUE' || owner === 'BOT' ? move(state, who) : null;
    case 'snooze':
      return owner === who ? { ...state, snooze: 'SNOOZED' } : null;
    case 'wake':
      return owner === who ? { ...state, snooze: 'NONE' } : null;
    case 'release':
      return owner === who ? move(state, 'QUEUE') : null;
    case 'return':
      return isOpen(owner) && mayHandOn ? move(state, 'BOT') : null;
    case 'close':
      return !isOpen(owner) || mayHandOn ? close(state) : null;
    case 'undo':
      return undo(state, who);
    case 'reopen':
    case 'write':
      return owner === who || !isOpen(owner) ? move(state, who) : null;
    case 'assign to Ada':
      return isOpen(owner) ? assignToAda(state) : null;
  }
}

function assignToAda(state: State): State {
  const moved = move(state, 'Ada');
  // A chat that another agent had leaves a record of the move.
  return isPerson(state.owner) && state.owner !== 'Ada' ? { ...moved, stays: [...moved.stays, 'OVER'] } : moved;
}

const WHAT = [
  'transfer',
  'withdraw',
  'bot writes',
  'visitor writes',
  'visitor closes',
  'claim',
  'claim',
  'release',
  'return',
  'close',
  'close',
  'reopen',
  'undo',
  'undo',
  'undo',
  'write',
  'snooze',
  'snooze',
  'wake',
  'assign to Ada',
] as const;

const actions = fc.record({
  what: fc.constantFrom(...WHAT),
  who: fc.constantFrom<Person>('Ada', 'Ben', 'Chief'),
  chat: fc.integer({ min: 0, max: 2 }),
  node: fc.integer({ min: 0, max: 1 }),
});

describe('random transitions of three chats by five actors on two nodes', () => {
  let nodes: Parley[];
  let tenant: Tenant;
  let agents: Record<Person, SignedInAgent>;
  let chats: { id: string; visitorToken: string }[];

  beforeAll(async () => {
    const first = await Parley.start();
    nodes = [first, await Parley.start({}, first.databaseUrl)];
  });
  afterAll(async () => {
    for (const node of nodes.toReversed()) await node.stop();
  });
  beforeEach(async () => {
    const [node] = nodes as [Parley];
    tenant = await node.createTenant();
    const group = await defaultGroupOf(tenant);
    const sign = (name: string, role?: 'SUPERVISOR') => node.signInAgent(tenant, { name, role, groupIds: [group] });
    agents = { Ada: await sign('Ada'), Ben: await sign('Ben'), Chief: await sign('Chief', 'SUPERVISOR') };
    // Its deliveries are counted, and never sent.
    await tenant.admin.post('/webhooks', { url: 'https://webhooks.invalid/' }).expect(201);
  });

  const makeChats = async () => {
    chats = [];
    for (let count = 0; count < 3; count++) chats.push((await tenant.admin.post('/chats', {}).expect(201)).body);
  };

  const run = async ({ what, who, chat, node: place }: Action): Promise<number> => {
    const node = nodes[place]!;
    const { id, visitorToken } = chats[chat]!;
    const bot = node.bot(tenant.token);
    const visitor = node.visitor(visitorToken);
    const agent = node.agent(agents[who].token);
    const chief = node.agent(agents.Chief.token);
    const on = (path: string) => `/chats/${id}${path}`;
    const send = {
      transfer: () => bot.post('/transfer', { chatId: id }),
      withdraw: () => bot.post(on('/return'), {}),
      'bot writes': () => bot.post('/messages', { chatId: id, content: 'bot' }),
      'visitor writes': () => visitor.post(on('/messages'), { content: 'visitor' }),
      'visitor closes': () => visitor.post(on('/close'), {}),
      write: () => agent.post(on('/messages'), { content: 'agent' }),
      'assign to Ada': () => chief.post(on('/assign'), { agentId: agents.Ada.id }),
      claim: () => agent.post(on('/claim'), {}),
      snooze: () => agent.post(on('/snooze'), {}),
      wake: () => agent.post(on('/wake'), {}),
      release: () => agent.post(on('/release'), {}),
      return: () => agent.post(on('/return'), {}),
      close: () => agent.post(on('/close'), {}),
      reopen: () => agent.post(on('/reopen'), {}),
      undo: () => agent.post(on('/reopen'), { undo: true }),
    }[what];
    return (await send()).status;
  };

  const owners = async (): Promise<Owner[]> =>
    Promise.all(
      chats.map(async ({ id }) => {
        const { body } = await tenant.bot.get(`/chats/${id}`).expect(200);
        return (body.assignedTo?.name ?? body.owner) as Owner;
      }),
    );

  /** Whether each chat is snoozed, and isn't due. */
  const snoozed = async (): Promise<boolean[]> => {
    const rows = await nodes[0]!.query<{ id: string; isSnoozed: boolean }>(
      `SELECT id, snoozed_by IS NOT NULL AND snoozed_until IS NULL AS "isSnoozed" FROM chats WHERE id = ANY ($1)`,
      [chats.map(({ id }) => id)],
    );
    return chats.map(({ id }) => rows.some((row) => row.id === id && row.isSnoozed));
  };

  /** Invariants of the database after every transition. */
  const broken = () =>
    nodes[0]!.query(
      `SELECT c.id, c.status FROM chats c WHERE c.organization_id = $1 AND (
         (c.status = 'QUEUED') <> ((SELECT count(*) FROM handoffs h WHERE h.organization_id = $1 AND h.chat_id = c.id AND h.ended_at IS NULL) = 1)
         OR (c.status = 'QUEUED' AND c.queued_at <> (SELECT max(h.queued_at) FROM handoffs h
           WHERE h.organization_id = $1 AND h.chat_id = c.id AND h.ended_at IS NULL))
         OR (c.snoozed_by IS NOT NULL AND c.snoozed_by IS DISTINCT FROM c.agent_id)
         OR (c.ended_snooze_until IS NOT NULL AND c.status <> 'CLOSED')
         OR c.message_count <> (SELECT count(*) FROM messages m WHERE m.organization_id = $1 AND m.chat_id = c.id)
         OR EXISTS (SELECT FROM (VALUES ('chat.assigned'), ('chat.transferred'), ('chat.returned'), ('chat.unassigned'),
             ('chat.closed'), ('chat.reopened')) AS e (type)
           WHERE (SELECT count(*) FROM deliveries d WHERE d.organization_id = $1 AND d.chat_id = c.id AND d.event_type = e.type)
             <> (SELECT count(*) FROM messages m WHERE m.organization_id = $1 AND m.chat_id = c.id AND m.metadata ->> 'event' = e.type)))
       UNION ALL
       SELECT a.id, a.open_chats::text FROM agents a WHERE a.organization_id = $1
         AND a.open_chats <> (SELECT count(*) FROM chats c WHERE c.organization_id = $1 AND c.agent_id = a.id AND c.snoozed_by IS NULL)`,
      [tenant.id],
    );

  it('transitions one after another follow the table of CONTRACT: Who has a chat', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(actions, { minLength: 10, maxLength: 25 }), async (list) => {
        await makeChats();
        const expected = [NEW, NEW, NEW];
        for (const action of list) {
          const to = after(action, expected[action.chat]!);
          const status = await run(action);
          expect([action, expected[action.chat], status < 300]).toEqual([action, expected[action.chat], to !== null]);
          if (to === null) expect(status).toBe(409);
          else expected[action.chat] = to;
          expect(await owners()).toEqual(expected.map(({ owner }) => owner));
          expect(await snoozed()).toEqual(expected.map(({ snooze }) => snooze === 'SNOOZED'));
        }
        expect(await broken()).toEqual([]);
      }),
      { numRuns: 8 },
    );
  }, 120_000);

  it('of simultaneous transitions one wins, and no partial change is left', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(actions, { minLength: 3, maxLength: 6 }), { maxLength: 8 }),
        async (rounds) => {
          await makeChats();
          const possible: State[][] = [[NEW], [NEW], [NEW]];
          for (const round of rounds) {
            const statuses = await Promise.all(round.map((action) => run(action)));
            for (const status of statuses) expect([200, 201, 409]).toContain(status);
            const now = await owners();
            const isSnoozed = await snoozed();
            // The result must match some order of the actions.
            for (const chat of [0, 1, 2]) {
              const own = round.filter((action) => action.chat === chat);
              const ends = distinct(possible[chat]!.flatMap((state) => reachable(own, state)));
              const seen = { owner: now[chat], isSnoozed: isSnoozed[chat] };
              expect(ends.map(({ owner, snooze }) => ({ owner, isSnoozed: snooze === 'SNOOZED' }))).toContainEqual(
                seen,
              );
              possible[chat] = ends.filter(
                ({ owner, snooze }) => owner === seen.owner && (snooze === 'SNOOZED') === seen.isSnoozed,
              );
            }
            expect(await broken()).toEqual([]);
          }
        },
      ),
      { numRuns: 8 },
    );
  }, 120_000);
});

/** The states after these actions in every order. */
function reachable(list: readonly Action[], state: State): State[] {
  if (list.length === 0) return [state];
  const ends = list.flatMap((action, index) =>
    reachable([...list.slice(0, index), ...list.slice(index + 1)], after(action, state) ?? state),
  );
  return distinct(ends);
}

function distinct(states: readonly State[]): State[] {
  return [...new Map(states.map((state) => [JSON.stringify(state), state])).values()];
}
