import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import { POOL } from '../../platform/database/pool.js';
import { batch } from '../../platform/lib/batch.js';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import { notFound, unavailable } from '../../platform/errors/problem.js';
import { type Page, type PageQuery, toPage } from '../../platform/validation/paging.js';
import { newId } from '../../platform/lib/ids.js';
import { sha256 } from '../../platform/lib/secrets.js';
import { QueueDepths } from '../../platform/telemetry/queue-depths.js';
import { networkOf } from '../limits/address.js';
import { AgentSession } from './agent-session.entity.js';
import {
  type AgentAccount,
  type AgentIdentity,
  endSession,
  findSessionStates,
  findSessions,
  type FoundSession,
  listSessions,
  type SessionRow,
} from './agent-sessions.queries.js';
import type { SessionEndReason } from '../context/auth.events.js';
import { SessionLastUsedRecorder } from './session-last-used-recorder.js';
import { makeToken, type PresentedToken, readToken } from '../context/token-format.js';

/** The longest life of a session, and the longest time without use, in milliseconds (CONTRACT: Signing in). */
const SESSION_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;
const MAX_IDLE_MS = 12 * 60 * 60 * 1000;

/** The most token checks that share a query, and that may wait. Further ones get 503. */
const MAX_BATCH = 256;
const MAX_WAITING = 4_096;

/** The most characters of a `User-Agent` that are kept. */
const MAX_USER_AGENT_LENGTH = 500;

export interface SignInSource {
  address: string;
  userAgent: string | null;
}

/** A session with its token, which cannot be shown again. */
export interface NewSession {
  token: string;
  agent: AgentIdentity;
}

/** The sessions of agents who are signed in (CONTRACT: Signing in). */
@Injectable()
export class AgentSessionsService {
  // Batches concurrent checks into one query and caches no result, so that an ended session is refused immediately on every node.
  private readonly findSession = batch<Buffer, FoundSession | null>(
    (hashes) => findSessions(this.pool, hashes, new Date(), idleSince()),
    MAX_BATCH,
    { maxWaiting: MAX_WAITING },
  );

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly manager: EntityManager,
    private readonly uses: SessionLastUsedRecorder,
    private readonly events: DomainEventBus,
    queues: QueueDepths,
  ) {
    queues.add('session_check', () => this.findSession.pending);
  }

  /** Parses a token without the database; null when its form is invalid. */
  parse(text: string): PresentedToken | null {
    return readToken('prl_ags_', text);
  }

  /** The agent of a session; null if it's unknown or has ended, or its agent is disabled or deleted. */
  find(token: PresentedToken): Promise<FoundSession | null> {
    return this.findSession(token.hash);
  }

  /** Records that a session is used, so that it doesn't end as unused. */
  recordUse(session: FoundSession): void {
    this.uses.record(session, new Date());
  }

  /** The active sessions of an agent. */
  async list<T>(agent: AgentIdentity, { limit, cursor }: PageQuery, map: (row: SessionRow) => T): Promise<Page<T>> {
    const page = { after: cursor, limit: limit + 1 };
    const rows = await listSessions(this.manager, agent, { now: new Date(), usedAfter: idleSince() }, page);
    return toPage(rows, limit, map);
  }

  /** Ends an agent's session. Every node refuses it when this returns. @throws Problem not_found */
  async end(agent: AgentIdentity, sessionId: string): Promise<void> {
    if (!(await endSession(this.manager, agent, sessionId))) notFound('Session');
    const { organizationId, agentId } = agent;
    this.events.emit('agentSession.ended', { organizationId, agentId, sessionIds: [sessionId], reason: 'SIGNED_OUT' });
  }

  /**
   * Why the sessions of open sockets ended, in their order; null for active ones, which are recorded as used. Finds the sockets
   * that stayed open because a hint was lost.
   */
  async findEnded(agents: readonly AgentIdentity[]): Promise<(SessionEndReason | null)[]> {
    const now = new Date();
    const states = await findSessionStates(this.pool, agents, now, idleSince());
    states.forEach((state, index) => {
      if (state?.reason === null) this.uses.record({ ...agents[index]!, lastUsedAt: state.lastUsedAt }, now);
    });
    return states.map((state) => state?.reason ?? null);
  }

  /** Whether a session hasn't ended. It doesn't count as used. */
  async isActive(session: Pick<AgentIdentity, 'organizationId' | 'agentId' | 'sessionId'>): Promise<boolean> {
    const [state] = await findSessionStates(this.pool, [session], new Date(), idleSince());
    // Null: the worker of a Citus cluster couldn't be asked.
    if (!state) throw unavailable('The session could not be read');
    return state.reason === null;
  }

  /** Starts a session in the transaction `tx`, which has locked the agent's row. */
  async create(
    tx: EntityManager,
    organizationId: string,
    agent: AgentAccount,
    source: SignInSource,
  ): Promise<NewSession> {
    const token = makeToken('prl_ags_');
    const { agentId, name, role } = agent;
    const createdAt = new Date();
    const expiresAt = new Date(createdAt.getTime() + SESSION_LIFETIME_MS);
    const row = { organizationId, id: newId('ses'), agentId, createdAt, lastUsedAt: createdAt, expiresAt };
    await tx.insert(AgentSession, {
      ...row,
      tokenHash: sha256(token),
      userAgent: source.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
      sourceNetwork: networkOf(source.address),
    });
    return { token, agent: { organizationId, agentId, name, role, sessionId: row.id, expiresAt } };
  }
}

function idleSince(): Date {
  return new Date(Date.now() - MAX_IDLE_MS);
}
