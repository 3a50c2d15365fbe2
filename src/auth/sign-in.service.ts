import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { transaction } from '../platform/database/transaction.js';
import { unauthorized } from '../platform/http/bearer.js';
import { sha256 } from '../platform/lib/secrets.js';
import { lockAgent } from './agent-sessions.queries.js';
import { AgentSessionsService, type NewSession, type SignInSource } from './agent-sessions.service.js';
import { findLink, takeLink } from './sign-in-links.queries.js';
import { isToken } from './token-format.js';

/** Signs agents in (CONTRACT section 7). */
@Injectable()
export class SignInService {
  constructor(
    private readonly manager: EntityManager,
    private readonly sessions: AgentSessionsService,
  ) {}

  /** Uses a link up. @throws Problem unauthorized when it is unknown, used or expired, or its agent is disabled */
  async withLink(token: string, source: SignInSource): Promise<NewSession> {
    const hash = sha256(token);
    const target = isToken('prl_lnk_', token) ? await findLink(this.manager, hash, new Date()) : null;
    if (!target) throw unknownLink();
    const { organizationId, agentId } = target;
    return transaction(this.manager, async (tx) => {
      const agent = await lockAgent(tx, organizationId, agentId);
      if (!agent?.maySignIn || !(await takeLink(tx, organizationId, hash))) throw unknownLink();
      return this.sessions.create(tx, organizationId, agent, source);
    });
  }
}

function unknownLink(): Error {
  return unauthorized('The link was used, has expired, or does not exist');
}
