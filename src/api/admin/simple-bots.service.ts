import { Injectable } from '@nestjs/common';
import { AuditService } from '../../auth/audit/audit.service.js';
import type { RequestContext } from '../../auth/context/request-context.js';
import { ConnectionsService } from '../../bot-connections/connections/connections.service.js';
import { BotsService } from '../../bots/bots.service.js';
import type { Organization } from '../../organizations/organization.entity.js';
import type { ChangeHooks } from '../../platform/database/change-hooks.js';
import { BOT, CONNECTION } from './audit-subjects.js';

/** The bot that a new organization may begin with: the built-in script, until the organization has a better one (CONTRACT: Scripts). */
@Injectable()
export class SimpleBots {
  constructor(
    private readonly bots: BotsService,
    private readonly connections: ConnectionsService,
    private readonly audit: AuditService,
  ) {}

  /** Adds the bot in the transaction that creates the organization of `context`. */
  hooks(context: RequestContext): Pick<ChangeHooks<Organization>, 'record'> {
    const bot = { name: 'Assistant', onlyOwnChats: true, isAi: false };
    return {
      record: async (tx, _before, after) => {
        const { id } = await this.bots.add(tx, after!.id, bot, this.audit.hooks(context, BOT));
        await this.connections.addScript(tx, after!.id, id, this.audit.hooks(context, CONNECTION));
      },
    };
  }
}
