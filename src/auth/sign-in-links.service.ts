import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { transaction } from '../platform/database/transaction.js';
import { notFound } from '../platform/http/problem.js';
import { newId } from '../platform/lib/ids.js';
import { sha256 } from '../platform/lib/secrets.js';
import { lockAgent } from './agent-sessions.queries.js';
import { SignInLink } from './sign-in-link.entity.js';
import { makeToken } from './token-format.js';

/** How long a link works, in milliseconds (CONTRACT section 7). */
const LIFETIME = 72 * 60 * 60 * 1000;

/** A link with its token, which cannot be shown again. */
export interface NewLink {
  id: string;
  token: string;
  expiresAt: Date;
}

/** Links with which agents sign in once (CONTRACT section 7). */
@Injectable()
export class SignInLinksService {
  constructor(private readonly manager: EntityManager) {}

  /** Makes a link, which ends the earlier one of the agent. @throws Problem not_found */
  create(organizationId: string, agentId: string): Promise<NewLink> {
    return transaction(this.manager, async (tx) => {
      if (!(await lockAgent(tx, organizationId, agentId))) notFound('Agent');
      const token = makeToken('prl_lnk_');
      const createdAt = new Date();
      const link = { id: newId('lnk'), expiresAt: new Date(createdAt.getTime() + LIFETIME) };
      await tx.delete(SignInLink, { organizationId, agentId });
      await tx.insert(SignInLink, { ...link, organizationId, agentId, createdAt, tokenHash: sha256(token) });
      return { ...link, token };
    });
  }
}
