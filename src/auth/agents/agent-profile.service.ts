import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Config } from '../../platform/config/config.js';
import { unauthorized } from '../../platform/http/requests/bearer.js';
import { type AgentProfile, findProfile } from './agent-profile.queries.js';
import type { AgentIdentity } from './agent-sessions.queries.js';

/** Answers who is signed in (CONTRACT: Signing in). */
@Injectable()
export class AgentProfileService {
  constructor(
    private readonly manager: EntityManager,
    private readonly config: Config,
  ) {}

  /** @throws Problem unauthorized if the agent was deleted since the guard ran */
  async get(agent: AgentIdentity): Promise<AgentProfile & { expiresAt: Date }> {
    const profile = await findProfile(this.manager, agent);
    if (!profile) throw unauthorized();
    const mailWhenAway = this.config.sendsMail ? profile.agent.mailWhenAway : null;
    return { ...profile, agent: { ...profile.agent, mailWhenAway }, expiresAt: agent.expiresAt };
  }
}
