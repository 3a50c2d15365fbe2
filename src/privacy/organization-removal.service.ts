import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import {
  findChats,
  findDeleted,
  REMOVE_STATEMENTS,
  removeBatch,
  removeOrganization,
} from './organization-removal.queries.js';
import { RetentionService } from './retention.service.js';

/** Removes the data of deleted organizations, except the deliveries of their webhooks, which `DeliveryRetention` removes. */
@Injectable()
export class OrganizationRemovalService {
  constructor(
    private readonly manager: EntityManager,
    private readonly retention: RetentionService,
  ) {}

  /** Runs one pass. Several nodes can run it at the same time; after a crash, the next pass continues. */
  async run(shouldStop: () => boolean): Promise<void> {
    for (const id of await findDeleted(this.manager)) await this.remove(id, shouldStop);
  }

  private async remove(id: string, shouldStop: () => boolean): Promise<void> {
    for (let after = ''; !shouldStop();) {
      const chats = await findChats(this.manager, id, after);
      if (chats.length === 0) break;
      await this.retention.removeChats(id, chats, null, shouldStop);
      after = chats.at(-1)!;
    }
    // If another node is still removing chats, that node continues from here.
    if ((await findChats(this.manager, id, '')).length > 0) return;
    for (const statement of REMOVE_STATEMENTS)
      while (!shouldStop() && (await removeBatch(this.manager, statement, id)));
    if (!shouldStop()) await removeOrganization(this.manager, id);
  }
}
