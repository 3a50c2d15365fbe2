import { after, type Model, type Step } from './explore.js';

/** Each rule is one of the product's; without it, the design is a weaker one. */
export interface HandoffRules {
  /** An acceptance locks the chat before it reads the offer (`OfferAnswersService.lockOffer`). */
  acceptLocks: boolean;
  /** The offer and the hand-off are read by a statement after the one that waits for the chat's lock (`lockChat`). */
  readsUnderLock: boolean;
  /** A timer checks again, under the lock, what it listed as expired (`HandoffTimers.endOffer`). */
  expiryChecks: boolean;
  /** The same for a chat that no agent took in time (`HandoffTimers.handleUnanswered`). */
  deadlineChecks: boolean;
  /** The same for a chat whose agent is offline (`AgentLeavingService.queueAbandonedChat`). */
  absenceChecks: boolean;
}

export const TODAY: HandoffRules = {
  acceptLocks: true,
  readsUnderLock: true,
  expiryChecks: true,
  deadlineChecks: true,
  absenceChecks: true,
};

interface Chat {
  status: 'QUEUED' | 'ACTIVE' | 'CLOSED';
  /** -1: none. */
  agent: number;
  /** The running hand-off, numbered from 1; 0: none. */
  handoff: number;
  /** Whether the hand-off's time has passed. */
  isDue: boolean;
  offer: { id: number; agent: number; isOver: boolean } | null;
}

type Action =
  | 'offer'
  | 'accept'
  | 'decline'
  | 'claim'
  | 'release'
  | 'hand over'
  | 'close'
  | 'transfer'
  | 'withdraw'
  | 'expire'
  | 'return'
  | 'unassign';

/** A transaction that has begun and waits for the chat's lock. What it does under the lock is one step, because nothing comes between. */
interface Transaction {
  action: Action;
  /** The agent who acts, or gets the offer; -1: none. */
  agent: number;
  /** The offer that it's about; 0: none. */
  offer: number;
  /** What it read when it began. Null if it relies on nothing of that, which makes fewer states. */
  read: Read | null;
}

interface Read {
  chat: Chat;
  /** Whether the chat's agent was offline. */
  isAbandoned: boolean;
}

interface State {
  chat: Chat;
  /** How each offer ended, by id - 1; empty: it's pending. */
  ends: ('' | 'ACCEPTED' | 'ENDED')[];
  /** How many hand-offs have begun. */
  handoffs: number;
  /** By agent: the counters on the agent's row. */
  load: { chats: number; offers: number }[];
  /** Whether agent 0 is offline. The other one stays. */
  isOffline: boolean;
  transactions: Transaction[];
  /** The agent whose acceptance or claim was answered 200, until the chat rightly leaves that agent; -1: none. */
  promised: number;
  fault: string | null;
}

const AGENTS = [0, 1] as const;
const MAX_TRANSACTIONS = 2;
const MAX_OFFERS = 2;
const MAX_HANDOFFS = 2;

/** One chat and two agents. Two transactions of any kind run at the same time. The node of each may be killed. */
export function handoff(rules: HandoffRules): Model<State> {
  const chat: Chat = { status: 'QUEUED', agent: -1, handoff: 1, isDue: false, offer: null };
  return {
    initial: {
      chat,
      ends: [],
      handoffs: 1,
      load: AGENTS.map(() => ({ chats: 0, offers: 0 })),
      isOffline: false,
      transactions: [],
      promised: -1,
      fault: null,
    },
    *steps(state) {
      yield* stepsOfTime(state);
      if (state.transactions.length < MAX_TRANSACTIONS) yield* begin(rules, state);
      for (const place of state.transactions.keys()) yield* proceed(rules, state, place);
    },
    findBroken,
  };
}

function findBroken({ chat, load, promised, fault }: State): string | null {
  if (fault) return fault;
  if (promised >= 0 && chat.agent !== promised) return 'an accepted chat was taken back';
  if ((chat.status === 'QUEUED') !== chat.handoff > 0)
    return 'a waiting chat has no hand-off, or another one has: it is lost';
  if (chat.offer && chat.status !== 'QUEUED') return 'a chat that does not wait is offered';
  if (chat.agent >= 0 && chat.status !== 'ACTIVE') return 'a chat that is not active has an agent';
  const isCounted = load.every(
    ({ chats, offers }, agent) =>
      chats === Number(chat.agent === agent) && offers === Number(chat.offer?.agent === agent),
  );
  return isCounted ? null : "an agent's counters are wrong";
}

function* stepsOfTime(state: State): Generator<Step<State>> {
  const { chat, isOffline } = state;
  if (chat.offer?.isOver === false)
    yield ['the offer expires', after(state, (next) => void (next.chat.offer!.isOver = true))];
  if (chat.handoff > 0 && !chat.isDue)
    yield ['the deadline passes', after(state, (next) => void (next.chat.isDue = true))];
  yield [
    `agent 0 ${isOffline ? 'returns' : 'goes offline'}`,
    after(state, (next) => void (next.isOffline = !isOffline)),
  ];
}

/** What may begin. It has read the state without a lock. */
function* begin(rules: HandoffRules, state: State): Generator<Step<State>> {
  const { chat, ends, isOffline } = state;
  const start = (action: Action, agent = -1, offer = 0): Step<State> => {
    const isUsed = !rules.readsUnderLock || (action === 'accept' && !rules.acceptLocks);
    const next = after(state, ({ transactions }) => {
      transactions.push({ action, agent, offer, read: isUsed ? readNow(state) : null });
      transactions.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    });
    return [`${nameOf(action, agent)}: begins`, next];
  };
  const isWaiting = chat.status === 'QUEUED';
  for (const agent of AGENTS) {
    if (isWaiting && !chat.offer && ends.length < MAX_OFFERS && !(isOffline && agent === 0))
      yield start('offer', agent);
    if (chat.offer?.agent === agent) {
      yield start('accept', agent, chat.offer.id);
      yield start('decline', agent, chat.offer.id);
    }
    if (isWaiting) yield start('claim', agent);
    if (chat.agent === agent) {
      yield start('release', agent);
      yield start('hand over', agent);
    }
  }
  if (chat.status !== 'CLOSED') yield start('close');
  if (chat.status === 'ACTIVE' && chat.agent < 0) yield start('transfer');
  if (isWaiting) yield start('withdraw');
  if (chat.offer?.isOver) yield start('expire', -1, chat.offer.id);
  if (chat.isDue) yield start('return');
  if (isOffline && chat.agent === 0) yield start('unassign', 0);
}

function* proceed(rules: HandoffRules, state: State, place: number): Generator<Step<State>> {
  const { action, agent } = state.transactions[place]!;
  const name = nameOf(action, agent);
  yield [`${name}: its node is killed`, after(state, ({ transactions }) => void transactions.splice(place, 1))];
  const next = after(state, (draft) => {
    const [transaction] = draft.transactions.splice(place, 1);
    commit(rules, draft, transaction!, seenBy(rules, state, transaction!));
  });
  yield [`${name}: commits`, next];
}

function readNow({ chat, isOffline }: State): Read {
  return { chat, isAbandoned: isOffline && chat.agent === 0 };
}

/** What a transaction knows when it writes. */
function seenBy(rules: HandoffRules, state: State, { action, read }: Transaction): Read {
  if (read && action === 'accept' && !rules.acceptLocks) return read;
  const now = readNow(state);
  if (rules.readsUnderLock) return now;
  // The statement that waits for the lock returns the chat's newest row, but other tables as they were when it began.
  const { handoff, isDue, offer } = read!.chat;
  return { ...now, chat: { ...now.chat, handoff, isDue, offer } };
}

/** Does what the product does with what the transaction knows. A refusal changes nothing. */
function commit(rules: HandoffRules, state: State, transaction: Transaction, { chat: seen, isAbandoned }: Read): void {
  const { action, agent, offer: offerId } = transaction;
  const { offer } = seen;
  const isOpen = seen.status !== 'CLOSED';
  const isWithAgent = seen.agent === agent;
  const isMeant = offer?.id === offerId;
  if (action === 'offer' && seen.status === 'QUEUED' && !offer && seen.handoff > 0) makeOffer(state, agent);
  if (action === 'accept' && isMeant && !offer!.isOver) assign(state, seen, agent, 'ACCEPTED');
  if (action === 'decline' && isMeant && !offer!.isOver) endOffer(state, seen, 'ENDED');
  if (action === 'expire' && (!rules.expiryChecks || (isMeant && offer!.isOver))) expire(state, seen);
  if (action === 'claim' && isOpen && seen.agent < 0) {
    const isOffered = offer !== null && !offer.isOver;
    if (!isOffered || offer.agent === agent) assign(state, seen, agent, isOffered ? 'ACCEPTED' : 'ENDED');
  }
  if (action === 'release' && isWithAgent) leave(state, seen, 'QUEUED');
  if (action === 'hand over' && isWithAgent && isOpen) {
    state.promised = -1;
    assign(state, seen, 1 - agent, 'ENDED');
  }
  if (action === 'close' && isOpen) leave(state, seen, 'CLOSED');
  if (action === 'transfer' && seen.status === 'ACTIVE' && seen.agent < 0) leave(state, seen, 'QUEUED');
  if (action === 'withdraw' && seen.status === 'QUEUED') leave(state, seen, 'ACTIVE');
  if (action === 'return' && (!rules.deadlineChecks || (seen.handoff > 0 && seen.isDue)))
    change(state, seen, 'ACTIVE', -1, 'ENDED');
  if (action === 'unassign' && isAbandoned) leave(state, seen, 'QUEUED');
  else if (action === 'unassign' && !rules.absenceChecks && isOpen) change(state, seen, 'QUEUED', -1, 'ENDED');
}

/** The chat rightly leaves its agent or the queue. */
function leave(state: State, seen: Chat, to: Chat['status']): void {
  state.promised = -1;
  change(state, seen, to, -1, 'ENDED');
}

function assign(state: State, seen: Chat, agent: number, end: 'ACCEPTED' | 'ENDED'): void {
  if (state.promised >= 0 && state.promised !== agent) state.fault = 'a chat was given to two agents';
  state.promised = agent;
  change(state, seen, 'ACTIVE', agent, end);
}

/** `ChatTransitions.change`: what it changes follows from what was seen. The last hand-off of the model closes the chat instead. */
function change(state: State, seen: Chat, to: Chat['status'], agent: number, end: 'ACCEPTED' | 'ENDED'): void {
  const { chat, load } = state;
  const status = to === 'QUEUED' && state.handoffs === MAX_HANDOFFS ? 'CLOSED' : to;
  if (seen.agent >= 0) add(load[seen.agent]!, -1, 0);
  if (agent >= 0) add(load[agent]!, 1, 0);
  endOffer(state, seen, end);
  chat.status = status;
  chat.agent = agent;
  if (chat.handoff === seen.handoff) Object.assign(chat, { handoff: 0, isDue: false });
  if (status === 'QUEUED') chat.handoff = ++state.handoffs;
}

function makeOffer(state: State, agent: number): void {
  state.ends.push('');
  state.chat.offer = { id: state.ends.length, agent, isOver: false };
  add(state.load[agent]!, 0, 1);
}

function expire(state: State, seen: Chat): void {
  if (seen.offer?.isOver === false) state.fault = 'an offer ended before its time';
  endOffer(state, seen, 'ENDED');
}

function endOffer(state: State, { offer }: Chat, end: 'ACCEPTED' | 'ENDED'): void {
  if (!offer) return;
  state.ends[offer.id - 1] ||= end;
  if (state.chat.offer?.id === offer.id) state.chat.offer = null;
  add(state.load[offer.agent]!, 0, -1);
}

function add(load: { chats: number; offers: number }, chats: number, offers: number): void {
  load.chats = Math.max(0, load.chats + chats);
  load.offers = Math.max(0, load.offers + offers);
}

function nameOf(action: Action, agent: number): string {
  return agent < 0 ? action : `${action} (agent ${agent})`;
}
