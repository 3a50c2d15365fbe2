import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { findBot } from '../../bots/bots.queries.js';
import { notFound } from '../../platform/errors/problem.js';
import { listUsage, type UsageDay } from './usage.queries.js';

/** The turns and tokens of connected bots, by day in UTC. */
@Injectable()
export class UsageService {
  constructor(private readonly manager: EntityManager) {}

  /** Days without turns are left out. @param period its first and last day @throws Problem not_found */
  async list(organizationId: string, botId: string, period: { from?: string; to?: string }): Promise<UsageDay[]> {
    if (!(await findBot(this.manager, organizationId, botId))) notFound('Bot');
    return listUsage(this.manager, { organizationId, botId }, period);
  }
}
