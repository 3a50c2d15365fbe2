import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { estimateWait } from '../chats/reading/queue-sql.js';
import type { Availability } from './availability.js';
import { findAvailability, findPosition, type GroupAvailability, listAvailabilities } from './availability.queries.js';

/** A group's availability, as bots see it (CONTRACT section 8). */
export interface AvailabilityView {
  groupId: string;
  availability: Availability;
  onlineAgents: number;
  waitingChats: number;
  /** How long the next chat would wait; null if too few chats were assigned recently for an estimate. */
  estimatedWaitSeconds: number | null;
}

/** The position of a waiting chat. */
export interface QueuePosition {
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

  /** The position of a waiting chat. */
  async positionOf(
    organizationId: string,
    chat: { id: string; groupId: string },
    manager = this.manager,
  ): Promise<QueuePosition> {
    const group = await findAvailability(manager, organizationId, chat.groupId);
    const position = await findPosition(manager, organizationId, chat.id);
    const estimatedWaitSeconds = estimateWait(position, group?.pace ?? null);
    return { availability: group?.availability ?? 'OFFLINE', position, estimatedWaitSeconds };
  }
}
