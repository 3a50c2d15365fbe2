import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { findChats, findDeleted, LEFTOVERS, removeBatch, removeOrganization } from './organization-removal.queries.js';
import { RetentionService } from './retention.service.js';

/** Removes what deleted organizations leave behind; what waits for their webhooks goes as that of any deleted webhook. */
@Injectable()
export class OrganizationRemovalService {
  constructor(
    private readonly manager: EntityManager,
    private readonly retention: RetentionService,
  ) {}

  /** One pass. Several nodes share it; after a crash the next pass goes on. */
  async run(isLate: () => boolean): Promise<void> {
    for (const id of await findDeleted(this.manager)) await this.remove(id, isLate);
  }

  private async remove(id: string, isLate: () => boolean): Promise<void> {
    for (let after = ''; !isLate();) {
      const chats = await findChats(this.manager, id, after);
      if (chats.length === 0) break;
      await this.retention.removeChats(id, chats, null, isLate);
      after = chats.at(-1)!;
    }
    // Another node may still be at some: then it goes on from here.
    if ((await findChats(this.manager, id, '')).length > 0) return;
    for (const statement of LEFTOVERS) while (!isLate() && (await removeBatch(this.manager, statement, id)));
    if (!isLate()) await removeOrganization(this.manager, id);
  }
}
