import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import { Config } from '../../platform/config/config.js';
import { POOL } from '../../platform/database/pool.js';
import { transaction } from '../../platform/database/transaction.js';
import { notFound } from '../../platform/errors/problem.js';
import { batch } from '../../platform/lib/batch.js';
import { newId } from '../../platform/lib/ids.js';
import { sha256 } from '../../platform/lib/secrets.js';
import { rejectOwnAgent } from '../agents/agent-accounts.service.js';
import { AuditService } from '../audit/audit.service.js';
import type { RequestContext } from '../context/request-context.js';
import { lockAccount } from '../agents/agent-sessions.queries.js';
import { SignInLink } from '../agents/sign-in-link.entity.js';
import { findLinks, type LinkTarget } from './sign-in-links.queries.js';
import { makeToken } from '../context/token-format.js';
import { withoutTrailingSlashes } from '../../platform/lib/web-url.js';

/** How long a link is valid, in milliseconds (CONTRACT: Signing in). */
const LINK_LIFETIME_MS = 72 * 60 * 60 * 1000;

/** The most links that share a query, and that may wait. Further ones get 503. */
const MAX_BATCH = 256;
const MAX_WAITING = 4_096;

/** A link with its token, which cannot be shown again. */
export interface NewLink {
  id: string;
  token: string;
  expiresAt: Date;
}

/** The agent's row of a new link. */
type LinkAccount = NonNullable<Awaited<ReturnType<typeof lockAccount>>>;

/** What a mail adds to a new link. */
export interface MailedLink {
  token: string;
  /** Called in the transaction that creates it. */
  onCreated(tx: EntityManager, agent: LinkAccount): Promise<void>;
}

/** Links that sign agents in once (CONTRACT: Signing in). */
@Injectable()
export class SignInLinksService {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly manager: EntityManager,
    private readonly audit: AuditService,
    private readonly config: Config,
  ) {}

  // Anyone can send made-up links, so checks share queries, one at a time.
  private readonly findLink = batch<Buffer, LinkTarget | null>(
    (hashes) => findLinks(this.pool, hashes, new Date()),
    MAX_BATCH,
    { maxWaiting: MAX_WAITING },
  );

  /** The agent of a link, by its token's hash; null if it's unknown, used, or expired. */
  find(tokenHash: Buffer): Promise<LinkTarget | null> {
    return this.findLink(tokenHash);
  }

  /** The address that an agent opens to sign in. @param origin the service's origin if PUBLIC_URL isn't set */
  urlOf(token: string, origin: string): string {
    return `${withoutTrailingSlashes(this.config.PUBLIC_URL ?? origin)}/console/link#${token}`;
  }

  /**
   * Creates a link, and ends the agent's earlier one.
   * @throws Problem not_found; forbidden for an administrator's own agent
   */
  create(context: RequestContext, agentId: string, mailed?: MailedLink): Promise<NewLink> {
    const { organizationId } = context;
    rejectOwnAgent(context, agentId);
    return transaction(this.manager, async (tx) => {
      const agent = (await lockAccount(tx, organizationId, agentId)) ?? notFound('Agent');
      const token = mailed?.token ?? makeToken('prl_lnk_');
      await tx.delete(SignInLink, { organizationId, agentId });
      const link = await this.add(tx, { organizationId, agentId, token, lifetime: LINK_LIFETIME_MS });
      await this.audit.record(context, { action: 'link.created', target: agentId }, tx);
      await mailed?.onCreated(tx, agent);
      return { ...link, token };
    });
  }

  /** Adds a link beside the agent's others. @param lifetime in milliseconds */
  async add(
    tx: EntityManager,
    { organizationId, agentId, token, lifetime }: LinkTarget & { token: string; lifetime: number },
  ): Promise<{ id: string; expiresAt: Date }> {
    const createdAt = new Date();
    const link = { id: newId('lnk'), expiresAt: new Date(createdAt.getTime() + lifetime) };
    await tx.insert(SignInLink, { ...link, organizationId, agentId, createdAt, tokenHash: sha256(token) });
    return link;
  }

  /** Ends a link that was not used. @throws Problem not_found */
  revoke(context: RequestContext, agentId: string, id: string): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const { affected } = await tx.delete(SignInLink, { organizationId: context.organizationId, agentId, id });
      if (!affected) notFound('Link');
      await this.audit.record(context, { action: 'link.revoked', target: agentId }, tx);
    });
  }
}
