import { after, type Model, type Step } from './explore.js';

export interface RoutingRules {
  /** Whether a lane checks, once it has locked the agent, that its chat is still the next one. */
  checksNext: boolean;
  /** Whether picking an agent locks the agent's row, so that no one else takes the room. */
  locksAgent: boolean;
}

/** What `RoutingService.route` and `pickAgent` do. */
export const TODAY: RoutingRules = { checksNext: true, locksAgent: true };

/** Which agent may take which chat (`canTake`): `rights[agent][chat]`. Chats are in the order of the queue. */
export type Rights = readonly (readonly boolean[])[];

/** A node's worker, the last step of its transaction, the chat, and the agent. */
interface Lane {
  did: 'NOTHING' | 'FIND' | 'LOCK' | 'PICK' | 'CHECK';
  chat: number;
  agent: number;
  /** By agent: whether at some moment of the transaction it was right to give the chat to that agent. */
  wasRight: boolean[];
}

interface State {
  /** By chat: its agent; null while it waits. */
  chats: (number | null)[];
  /** By agent: room for more chats. */
  room: number[];
  /** By agent: whether room may still appear, because a chat is closed or the capacity is raised. */
  mayGetRoom: boolean[];
  rights: boolean[][];
  /** Whether a right may still appear, because the time since an earlier offer has passed. */
  mayGetRight: boolean;
  lanes: Lane[];
  isUnfair: boolean;
}

const IDLE: Lane = { did: 'NOTHING', chat: -1, agent: -1, wasRight: [] };

/**
 * The lanes of two nodes route the same waiting chats. Agents have no room at first, and get room for one chat each at any time; at
 * any time, one right appears too.
 */
export function routing(rules: RoutingRules, rights: Rights): Model<State> {
  return {
    initial: {
      chats: rights[0]!.map(() => null),
      room: rights.map(() => 0),
      mayGetRoom: rights.map(() => true),
      rights: rights.map((row) => [...row]),
      mayGetRight: true,
      lanes: [IDLE, IDLE],
      isUnfair: false,
    },
    *steps(state) {
      for (const [label, next] of stepsOf(rules, state)) yield [label, observe(next)];
    },
    findBroken({ room, isUnfair }) {
      if (room.some((places) => places < 0)) return 'an agent has more chats than room';
      return isUnfair ? 'a younger chat went to an agent who could have taken an older one' : null;
    },
  };
}

function* stepsOf(rules: RoutingRules, state: State): Generator<Step<State>> {
  for (const place of state.lanes.keys()) yield* stepsOfLane(rules, state, place);
  for (const agent of state.room.keys()) {
    if (state.mayGetRoom[agent] && !isLocked(rules, state, agent))
      yield [`agent ${agent} gets room`, getRoom(state, agent)];
    for (const chat of state.chats.keys()) {
      if (!state.mayGetRight || state.rights[agent]![chat]) continue;
      yield [`agent ${agent} may take chat ${chat} now`, getRight(state, agent, chat)];
    }
  }
}

function* stepsOfLane(rules: RoutingRules, state: State, place: number): Generator<Step<State>> {
  const lane = state.lanes[place]!;
  const { did, chat, agent } = lane;
  const proceed = (to: Lane) => after(state, ({ lanes }) => void (lanes[place] = to));
  if (did === 'NOTHING') {
    const found = findNext(state);
    if (found !== null) yield [`a lane finds chat ${found}`, proceed({ ...IDLE, did: 'FIND', chat: found })];
  } else if (did === 'FIND') {
    const isFree = !state.lanes.some((one) => one.chat === chat && one.did !== 'FIND');
    if (isFree)
      yield [`a lane locks chat ${chat}`, proceed(state.chats[chat] === null ? { ...lane, did: 'LOCK' } : IDLE)];
  } else if (did === 'LOCK') {
    yield* pick(rules, state, lane, proceed);
  } else if (did === 'PICK' && rules.checksNext) {
    const isNext = findNext(state) === chat;
    yield [`a lane checks that chat ${chat} is the next one`, proceed(isNext ? { ...lane, did: 'CHECK' } : IDLE)];
  } else {
    yield [`a lane gives chat ${chat} to agent ${agent}`, assign(state, place)];
  }
}

/** The agent with the fewest chats, without waiting for one that the other lane has locked; otherwise it waits. */
function* pick(rules: RoutingRules, state: State, lane: Lane, proceed: (to: Lane) => State): Generator<Step<State>> {
  const load = (agent: number) => state.chats.filter((one) => one === agent).length;
  const able = [...state.room.keys()].filter((agent) => canTake(state, agent, lane.chat));
  const free = able.filter((agent) => !isLocked(rules, state, agent)).toSorted((a, b) => load(a) - load(b));
  const [agent] = free;
  if (able.length === 0) yield [`a lane finds no agent for chat ${lane.chat}`, proceed(IDLE)];
  else if (agent !== undefined)
    yield [`a lane picks agent ${agent} for chat ${lane.chat}`, proceed({ ...lane, did: 'PICK', agent })];
}

function assign(state: State, place: number): State {
  const { chat, agent, wasRight } = state.lanes[place]!;
  return after(state, (next) => {
    next.chats[chat] = agent;
    next.room[agent]!--;
    next.isUnfair = !wasRight[agent];
    next.lanes[place] = IDLE;
  });
}

function getRoom(state: State, agent: number): State {
  return after(state, (next) => {
    next.room[agent]!++;
    next.mayGetRoom[agent] = false;
  });
}

function getRight(state: State, agent: number, chat: number): State {
  return after(state, (next) => {
    next.rights[agent]![chat] = true;
    next.mayGetRight = false;
  });
}

/** The longest-waiting chat that an agent can take (`findNext`). */
function findNext(state: State): number | null {
  const able = (chat: number) => state.room.some((_, agent) => canTake(state, agent, chat));
  return [...state.chats.keys()].find(able) ?? null;
}

function canTake({ chats, room, rights }: State, agent: number, chat: number): boolean {
  return chats[chat] === null && room[agent]! > 0 && rights[agent]![chat]!;
}

function isLocked({ locksAgent }: RoutingRules, { lanes }: State, agent: number): boolean {
  return locksAgent && lanes.some((lane) => lane.agent === agent);
}

/** Notes for each lane which agents could rightly get its chat now. The order of the lanes means nothing. */
function observe(state: State): State {
  for (const lane of state.lanes) {
    if (lane.did === 'NOTHING') continue;
    const isRight = (agent: number) =>
      canTake(state, agent, lane.chat) &&
      !state.chats.some((_, older) => older < lane.chat && canTake(state, agent, older));
    lane.wasRight = state.room.map((_, agent) => lane.wasRight[agent] === true || isRight(agent));
  }
  state.lanes.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return state;
}
