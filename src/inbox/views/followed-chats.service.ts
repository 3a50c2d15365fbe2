import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import type { AgentKey } from '../../agents/presence.queries.js';
import type { Viewer } from '../../chats/model/chat-rights.js';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import { POOL } from '../../platform/database/pool.js';
import { Problem } from '../../platform/errors/problem.js';
import { findFollowed, findFollowedBy, follow, MAX_FOLLOWED, unfollow } from './followers.queries.js';
import type { InboxRow } from './inbox-row.js';
import { InboxService } from './inbox.service.js';

/** An agent follows a chat, or no longer does. */
export interface ChatFollowed {
  organizationId: string;
  agentId: string;
  chatId: string;
  isFollowed: boolean;
}

declare module '../../platform/database/domain-events.js' {
  interface DomainEvents {
    'chat.followed': ChatFollowed;
  }
}

/** The chats that agents follow, to learn of their visitors' messages (CONTRACT: Agent API). */
@Injectable()
export class FollowedChatsService {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly inbox: InboxService,
    private readonly events: DomainEventBus,
  ) {}

  /** @throws Problem not_found for a chat that the viewer may not see; too_many beyond 50 chats */
  async follow(viewer: Viewer, chatId: string): Promise<void> {
    await this.inbox.getSeenChat(viewer, chatId);
    if (!(await follow(this.pool, viewer, chatId)))
      throw new Problem('too_many', `You can follow at most ${MAX_FOLLOWED} chats; unfollow one first`);
    this.emit(viewer, chatId, true);
  }

  /** Does nothing for a chat that the viewer doesn't follow. @throws Problem not_found for a chat that the viewer may not see */
  async unfollow(viewer: Viewer, chatId: string): Promise<void> {
    await this.inbox.getSeenChat(viewer, chatId);
    await unfollow(this.pool, viewer, chatId);
    this.emit(viewer, chatId, false);
  }

  /** The ids of the chats that the viewer follows and may see. */
  findIds(viewer: Viewer): Promise<string[]> {
    return findFollowed(this.pool, viewer);
  }

  /** The ids of the chats that each of these agents follows and may see. It leaves out an agent whose worker of a Citus cluster is down. */
  async findIdsBy(agents: readonly AgentKey[]): Promise<Map<string, Set<string>>> {
    const failures = new Map<number, Error>();
    const followed = await findFollowedBy(this.pool, agents, failures);
    const read = agents.filter((_, place) => !failures.has(place));
    const found = new Map(read.map(({ agentId }) => [agentId, new Set<string>()]));
    for (const { agentId, chatId } of followed) found.get(agentId)?.add(chatId);
    return found;
  }

  /** The rows of these chats, last followed first. */
  async list(viewer: Viewer): Promise<InboxRow[]> {
    return this.inbox.findRows(viewer.organizationId, await this.findIds(viewer));
  }

  private emit({ organizationId, agentId }: Viewer, chatId: string, isFollowed: boolean): void {
    this.events.emit('chat.followed', { organizationId, agentId, chatId, isFollowed });
  }
}
