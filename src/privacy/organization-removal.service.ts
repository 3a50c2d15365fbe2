import { Injectable, Logger } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { InstallationAudit } from '../auth/audit/installation-audit.js';
import { systemContext } from '../auth/context/request-context.js';
import '../organizations/organizations.events.js';
import { FileRemovals } from '../files/removals.service.js';
import { DomainEventBus } from '../platform/database/domain-events.js';
import { transaction } from '../platform/database/transaction.js';
import {
  beginRemoval,
  findChats,
  findDue,
  hasBegun,
  REMOVE_STATEMENTS,
  removeBatch,
  removeOrganization,
} from './organization-removal.queries.js';
import { RetentionService } from './retention.service.js';
import { SLICE_MS, Turns } from './turns.js';

/**
 * Removes the data of deleted organizations once they're due, except the deliveries of their webhooks, which `DeliveryRetention`
 * removes. The installation's audit log records when a removal begins and ends, once each.
 */
@Injectable()
export class OrganizationRemovalService {
  private readonly logger = new Logger(OrganizationRemovalService.name);

  constructor(
    private readonly manager: EntityManager,
    private readonly retention: RetentionService,
    private readonly audit: InstallationAudit,
    private readonly events: DomainEventBus,
    private readonly files: FileRemovals,
  ) {}

  /** Runs one pass. Several nodes can run it at the same time; after a crash, the next pass continues. */
  async run(now: Date, shouldStop: () => boolean): Promise<void> {
    const { manager: database, logger } = this;
    const nameOf = (organizationId: string) => ({ organizationId });
    const attempts = { database, logger, failure: 'a deleted organization was not removed', nameOf, shouldStop };
    const turns = new Turns(attempts);
    await turns.add(await findDue(database, now), (id) => this.beginAndRemove(id, now, shouldStop));
    await turns.finish();
  }

  private async *beginAndRemove(id: string, now: Date, shouldStop: () => boolean): AsyncGenerator<void> {
    await this.begin(id, now);
    if (await hasBegun(this.manager, id)) yield* this.remove(id, shouldStop);
  }

  private begin(id: string, now: Date): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const begun = await beginRemoval(tx, id, now);
      if (!begun) return;
      const record = { action: 'organization.removal_began', target: id, targetName: begun.name } as const;
      await this.audit.record(tx, systemContext(id), { ...record, details: begun.counts });
      this.events.emit('organization.removalBegan', { organizationId: id }, tx);
    });
  }

  private async *remove(id: string, shouldStop: () => boolean): AsyncGenerator<void> {
    for (let after = ''; !shouldStop();) {
      const chats = await findChats(this.manager, id, after);
      if (chats.length === 0) break;
      await this.retention.removeChats(id, chats, null, shouldStop);
      after = chats.at(-1)!;
      yield;
    }
    // If another node is still removing chats, that node continues from here.
    if ((await findChats(this.manager, id, '')).length > 0) return;
    for (let isDone = false; !isDone;) {
      const end = performance.now() + SLICE_MS;
      const isOver = () => shouldStop() || performance.now() > end;
      isDone = await this.files.removeOrganization(id, isOver);
      if (!isDone && (shouldStop() || !isOver())) return;
      yield;
    }
    for (const statement of REMOVE_STATEMENTS)
      while (!shouldStop() && (await removeBatch(this.manager, statement, id))) yield;
    if (!shouldStop()) await this.end(id);
  }

  private end(id: string): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const targetName = await removeOrganization(tx, id);
      if (targetName === null) return;
      const details = await this.audit.findDetails(tx, { action: 'organization.removal_began', target: id });
      await this.audit.record(tx, systemContext(id), {
        action: 'organization.removed',
        target: id,
        targetName,
        details,
      });
    });
  }
}
