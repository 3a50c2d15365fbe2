import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { estimateWait } from '../chats/reading/queue-sql.js';
import type { Availability } from './availability.js';
import { findAvailability, findPosition, type GroupAvailability, listAvailabilities } from './availability.queries.js';

/** A group's availability, as bots see it (CONTRACT: Transfers). */
export interface AvailabilityView {
  groupId: string;
  availability: Availability;
  onlineAgents: number;
  waitingChats: number;
  /** How long the next chat would wait; null if too few chats were assigned recently for an estimate. */
  estimatedWaitSeconds: number | null;
  /** Whether it's within the group's office hours. Outside of them, it's OFFLINE. */
  isOpen: boolean;
  /** When it opens; null while it's open, and if it never opens. */
  nextOpening: string | null;
}

/** The position of a waiting chat. */
export interface QueuePosition {
  availability: Availability;
  position: number;
  estimatedWaitSeconds: number | null;
  nextOpening: string | null;
}

/** Whether and when agents of a group can take a chat. */
@Injectable()
export class AvailabilityService {
  constructor(private readonly manager: EntityManager) {}

  /** Every group, by name. */
  async list(organizationId: string): Promise<AvailabilityView[]> {
    const rows = await listAvailabilities(this.manager, organizationId);
    return rows.map(({ pace, nextOpening, ...group }) => ({
      ...group,
      estimatedWaitSeconds: estimateWait(group.waitingChats + 1, group.isOpen ? pace : null),
      nextOpening: nextOpening?.toISOString() ?? null,
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
    const estimatedWaitSeconds = estimateWait(position, group?.isOpen ? group.pace : null);
    const nextOpening = group?.nextOpening?.toISOString() ?? null;
    return { availability: group?.availability ?? 'OFFLINE', position, estimatedWaitSeconds, nextOpening };
  }
}
