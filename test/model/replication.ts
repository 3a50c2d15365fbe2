import { after, type Model, type Step } from './explore.js';

/** The rules that decide whether a failover can take back what was acknowledged. */
export interface ReplicationRules {
  /** How a retry that finds its message is answered: by a plain read, or by one that waits for the standby too. */
  replay: 'READS' | 'AWAITS';
  /** How a claim or an acceptance that finds its own first try is answered: by a plain read, or after it has locked the chat. */
  taking: 'READS' | 'LOCKS';
  /** What a sign-out's INSERT does if its row exists: nothing, or an update, whose commit waits. */
  conflict: 'DOES_NOTHING' | 'UPDATES';
  /** How a commit is answered if its wait for the standby was canceled. */
  canceled: 'STORED' | 'UNKNOWN';
  /** What a client does if a `sync` shows its unanswered message: forgets it, or keeps it until its request is answered. */
  sync: 'ACKNOWLEDGES' | 'SHOWS';
}

/** What `findStoredResult` and `findSent`, `lockChat`, `END_TOKEN`, `ReplicationCancelled`, and the outbox in `headless` do. */
export const TODAY: ReplicationRules = {
  replay: 'AWAITS',
  taking: 'LOCKS',
  conflict: 'UPDATES',
  canceled: 'UNKNOWN',
  sync: 'SHOWS',
};

/**
 * A client with one request, which it repeats with the same key until it's answered. All are for one chat, which waits: `bot`, `visitor`,
 * and `transfer` store a message, a claim and an acceptance are different agents', and the timer returns a chat that no agent took.
 */
export type ClientName = 'bot' | 'visitor' | 'transfer' | 'claim' | 'acceptance' | 'timer' | 'sign-out';

const MESSAGES: ReadonlySet<ClientName> = new Set(['bot', 'visitor', 'transfer']);
const TAKING: ReadonlySet<ClientName> = new Set(['claim', 'acceptance']);
/** The answer of a request that was refused, because another agent has the chat. */
const REFUSED = -1;

interface Client {
  tries: number;
  isAsking: boolean;
  /** The acknowledged `seq`, 0 for a request without a message; null before the answer. */
  answer: number | null;
}

/** A transaction that is committed locally and waits for the standby. Others don't see its row, and wait for its locks. */
interface Waiting {
  client: number;
  /** How many records the standby must have. */
  upTo: number;
  /** Whether it wrote the client's row. A replay of a message writes an empty record, and holds no lock. */
  hasRow: boolean;
  /** Whether the client still waits for the answer. */
  isHeard: boolean;
}

interface State {
  /** The log of the primary: the client of each row, -1 for a record without a new row. Null once it's dead. */
  primary: number[] | null;
  /** How many records the standby has. */
  copied: number;
  /** The log of the standby once it's promoted. */
  promoted: number[] | null;
  waiting: Waiting[];
  clients: Client[];
}

const MAX_TRIES = 3;

/**
 * A primary with one synchronous standby, and one failover. Commits may be killed, canceled, or outlast their clients' patience at
 * any time. The old primary dies, or it's only cut off and keeps answering clients that reach it.
 */
export function replication(rules: ReplicationRules, names: readonly ClientName[]): Model<State> {
  return new Replication(rules, names);
}

class Replication implements Model<State> {
  readonly initial: State;

  constructor(
    private readonly rules: ReplicationRules,
    private readonly names: readonly ClientName[],
  ) {
    const clients = names.map(() => ({ tries: 0, isAsking: false, answer: null }));
    this.initial = { primary: [], copied: 0, promoted: null, waiting: [], clients };
  }

  *steps(state: State): Generator<Step<State>> {
    for (const client of this.names.keys()) yield* this.stepsOfClient(state, client);
    for (const place of state.waiting.keys()) yield* this.stepsOfCommit(state, place);
    yield* this.stepsOfServers(state);
  }

  findBroken({ primary, promoted, copied, clients }: State): string | null {
    const surviving = promoted ?? primary!.slice(0, copied);
    for (const [client, { answer }] of clients.entries()) {
      const name = this.names[client]!;
      if (count(surviving, client) > 1) return `${name}: stored twice`;
      if (answer === null || answer === REFUSED) continue;
      if (this.takes(client) && this.ownerOf(surviving) !== client)
        return `${name}: acknowledged, and lost by a failover`;
      if (count(surviving, client) === 0) return `${name}: acknowledged, and lost by a failover`;
      if (this.seqOf(surviving, client) !== answer) return `${name}: acknowledged with another seq`;
    }
    return null;
  }

  private *stepsOfClient(state: State, client: number): Generator<Step<State>> {
    const { tries, isAsking, answer } = state.clients[client]!;
    const name = this.names[client]!;
    if (answer !== null) return;
    if (isAsking) return yield [`${name}: stops waiting for the answer`, after(state, (next) => giveUp(next, client))];
    if (tries < MAX_TRIES && state.primary && !this.isBlocked(state, client)) yield this.ask(state, client);
    if (state.promoted) {
      const next = after(state, (draft) => this.answerFrom(draft, draft.promoted!, client));
      yield [`${name}: is answered by the new primary`, next];
    }
    if (tries > 0 && this.rules.sync === 'ACKNOWLEDGES' && isVisible(state, client)) {
      yield [`${name}: sees its message in a sync`, after(state, (next) => this.settle(next, next.primary!, client))];
    }
  }

  /** Whether a statement waits for a lock: for its row's, or for the chat's. */
  private isBlocked({ waiting }: State, client: number): boolean {
    return waiting.some(
      (one) => one.hasRow && (one.client === client || (this.locksChat(client) && this.locksChat(one.client))),
    );
  }

  private ask(state: State, client: number): Step<State> {
    const name = this.names[client]!;
    if (this.isRefused(state.primary!, client)) {
      return [`${name}: is refused`, after(state, (next) => this.settle(next, next.primary!, client))];
    }
    const isReplay = state.primary!.includes(client);
    if (isReplay && this.readsPlainly(client)) {
      return [`${name}: retries, and is answered`, after(state, (next) => this.settle(next, next.primary!, client))];
    }
    const next = after(state, (draft) => {
      draft.primary!.push(isReplay ? -1 : client);
      const hasRow = !isReplay || !this.isMessage(client);
      draft.waiting.push({ client, upTo: draft.primary!.length, hasRow, isHeard: true });
      const { tries } = draft.clients[client]!;
      draft.clients[client] = { tries: tries + 1, isAsking: true, answer: null };
    });
    return [`${name}: ${isReplay ? 'retries' : 'asks'}, and its commit waits for the standby`, next];
  }

  /** Whether a retry that finds its own row is answered without a commit. */
  private readsPlainly(client: number): boolean {
    const { replay, taking, conflict } = this.rules;
    if (this.isMessage(client)) return replay === 'READS';
    return this.locksChat(client) ? taking === 'READS' : conflict === 'DOES_NOTHING';
  }

  /** Whether another agent has the chat, or, for the timer, any agent. */
  private isRefused(log: readonly number[], client: number): boolean {
    const owner = this.ownerOf(log);
    return (this.takes(client) || this.names[client] === 'timer') && owner !== null && owner !== client;
  }

  /** The client who took the chat, and still has it. */
  private ownerOf(log: readonly number[]): number | null {
    const last = log.findLast((one) => this.takes(one) || this.names[one] === 'timer') ?? -1;
    return this.takes(last) ? last : null;
  }

  /** A primary without a standby: a commit is stored immediately. */
  private answerFrom(state: State, log: number[], client: number): void {
    if (!this.isRefused(log, client) && !log.includes(client)) log.push(client);
    this.settle(state, log, client);
  }

  private settle(state: State, log: readonly number[], client: number): void {
    const answer = this.isRefused(log, client) ? REFUSED : this.seqOf(log, client);
    state.clients[client] = { tries: MAX_TRIES, isAsking: false, answer };
  }

  private *stepsOfCommit(state: State, place: number): Generator<Step<State>> {
    const { client, upTo, isHeard } = state.waiting[place]!;
    const name = this.names[client]!;
    const end = (isAnswered: boolean) =>
      after(state, (next) => {
        next.waiting.splice(place, 1);
        if (!isHeard) return;
        if (isAnswered) this.settle(next, next.primary!, client);
        else next.clients[client]!.isAsking = false;
      });
    if (!state.promoted && upTo <= state.copied) yield [`${name}: its commit is replicated, and answered`, end(true)];
    yield [`${name}: the process of its commit is killed`, end(false)];
    if (this.rules.canceled === 'STORED')
      yield [`${name}: the wait of its commit is canceled, and answered`, end(true)];
  }

  private *stepsOfServers(state: State): Generator<Step<State>> {
    const { primary, promoted, copied } = state;
    if (!primary || promoted) return;
    if (copied < primary.length) yield ['the standby receives a record', after(state, (next) => void next.copied++)];
    const promote = (next: State) => void (next.promoted = primary.slice(0, copied));
    yield ['the standby is promoted; the primary is cut off', after(state, promote)];
    const failOver = (next: State) => {
      promote(next);
      next.primary = null;
      for (const { client } of next.waiting.splice(0)) next.clients[client]!.isAsking = false;
    };
    yield ['the standby is promoted; the primary is dead', after(state, failOver)];
  }

  private isMessage(client: number): boolean {
    return client >= 0 && MESSAGES.has(this.names[client]!);
  }

  private takes(client: number): boolean {
    return client >= 0 && TAKING.has(this.names[client]!);
  }

  private locksChat(client: number): boolean {
    return this.names[client] !== 'sign-out';
  }

  /** The `seq` of a client's message: its place among the messages. 0 for other requests. */
  private seqOf(log: readonly number[], client: number): number {
    if (!this.isMessage(client)) return 0;
    return log.slice(0, log.indexOf(client) + 1).filter((one) => this.isMessage(one)).length;
  }
}

function giveUp(state: State, client: number): void {
  state.clients[client]!.isAsking = false;
  for (const one of state.waiting) if (one.client === client) one.isHeard = false;
}

/** Whether a client's row is on the old primary, and its transaction no longer waits. */
function isVisible({ primary, waiting }: State, client: number): boolean {
  return count(primary ?? [], client) > 0 && !waiting.some((one) => one.hasRow && one.client === client);
}

function count(log: readonly number[], client: number): number {
  return log.filter((one) => one === client).length;
}
