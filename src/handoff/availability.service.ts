import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { estimateWait } from '../chats/reading/queue-sql.js';
import type { Availability } from './availability.js';
import { findAvailability, findPosition, type GroupAvailability, listAvailabilities } from './availability.queries.js';

/** A group's chance of an answer, as bots see it (CONTRACT section 8). */
export interface AvailabilityView {
  groupId: string;
  availability: Availability;
  onlineAgents: number;
  waitingChats: number;
  /** How long the next chat would wait; null when too few chats were assigned lately to tell. */
  estimatedWaitSeconds: number | null;
}

/** The place of a waiting chat. */
export interface QueuePlace {
  availability: Availability;
  position: number;
  estimatedWaitSeconds: number | null;
}

/** Whether and when agents of a group can take a chat. */
@Injectable()
export class AvailabilityService {
  constructor(private readonly manager: EntityManager) {}

  /** Every group, by name. */
  async list(organizationId: string): Promise<AvailabilityView[]> {
    const rows = await listAvailabilities(this.manager, organizationId);
    return rows.map(({ pace, ...group }) => ({
      ...group,
      estimatedWaitSeconds: estimateWait(group.waitingChats + 1, pace),
    }));
  }

  /** Null for an unknown group. */
  find(organizationId: string, groupId: string, manager = this.manager): Promise<GroupAvailability | null> {
    return findAvailability(manager, organizationId, groupId);
  }

  /** The place of a chat that waits in a group. */
  async place(
    organizationId: string,
    chat: { id: string; groupId: string },
    manager = this.manager,
  ): Promise<QueuePlace> {
    const group = await findAvailability(manager, organizationId, chat.groupId);
    const position = await findPosition(manager, organizationId, chat.id);
    const estimatedWaitSeconds = estimateWait(position, group?.pace ?? null);
    return { availability: group?.availability ?? 'OFFLINE', position, estimatedWaitSeconds };
  }
}
