import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { AuditService } from '../../auth/audit/audit.service.js';
import type { FieldChange } from '../../auth/audit/audit-changes.js';
import type { RequestContext } from '../../auth/context/request-context.js';
import type { Viewer } from '../../chats/model/chat-rights.js';
import '../../chats/model/chats.events.js';
import { raiseRev } from '../../chats/moves/chat-transitions.queries.js';
import { ChatTransitions } from '../../chats/moves/chat-transitions.service.js';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import { transaction } from '../../platform/database/transaction.js';
import { type Page, type PageQuery, toPage } from '../../platform/validation/paging.js';
import {
  type BlockedVisitor,
  findBlock,
  listBlocked,
  removeBlock,
  storeBlock,
  type VisitorBlock,
} from '../../visitors/visitor-blocks.queries.js';
import '../../visitors/visitors.events.js';
import { VisitorsService } from '../../visitors/visitors.service.js';
import { InboxService } from './inbox.service.js';

/** How a visitor is blocked. */
export interface GivenBlock {
  /** Null: until an agent unblocks the visitor. */
  until: Date | null;
  /** For agents; the visitor never sees it. */
  reason: string | null;
}

/** Agents block the visitors of chats that they see (CONTRACT: Blocked visitors). It changes no chat. */
@Injectable()
export class VisitorBlocksService {
  constructor(
    private readonly manager: EntityManager,
    private readonly inbox: InboxService,
    private readonly visitors: VisitorsService,
    private readonly transitions: ChatTransitions,
    private readonly audit: AuditService,
    private readonly events: DomainEventBus,
  ) {}

  /**
   * Blocks the visitor of a chat. When this returns, every node refuses their requests over REST, and ends their sockets as soon as
   * it's notified. Replaces an earlier block. @throws Problem not_found for a chat that the agent may not see
   */
  async block(
    agent: Viewer & { name: string },
    context: RequestContext,
    chatId: string,
    given: GivenBlock,
  ): Promise<VisitorBlock> {
    const { visitorId, block } = await this.change(agent, context, chatId, 'visitor.blocked', (tx, id) =>
      storeBlock(tx, agent.organizationId, id, given, agent),
    );
    this.events.emit('visitor.blocked', { organizationId: agent.organizationId, visitorId });
    return block!;
  }

  /** Unblocks the visitor of a chat. @throws Problem not_found for a chat that the agent may not see */
  async unblock(agent: Viewer, context: RequestContext, chatId: string): Promise<void> {
    await this.change(agent, context, chatId, 'visitor.unblocked', async (tx, id) => {
      await removeBlock(tx, agent.organizationId, id);
      return null;
    });
  }

  /** The blocked visitors of an organization, in the order of their creation. */
  async list<T>(
    organizationId: string,
    { cursor, limit }: PageQuery,
    map: (visitor: BlockedVisitor) => T,
  ): Promise<Page<T>> {
    return toPage(await listBlocked(this.manager, organizationId, { cursor, limit: limit + 1 }), limit, map);
  }

  /** Unblocks a visitor, for an administrator. Without a block, nothing changes. @throws Problem not_found */
  unblockVisitor(context: RequestContext, visitorId: string): Promise<void> {
    const { organizationId } = context;
    return transaction(this.manager, async (tx) => {
      await this.visitors.getLocked(tx, organizationId, { id: visitorId });
      const before = await findBlock(tx, organizationId, visitorId);
      await removeBlock(tx, organizationId, visitorId);
      if (!before) return;
      const changes = changesBetween(before, null);
      await this.audit.record(context, { action: 'visitor.unblocked', target: visitorId, changes }, tx);
    });
  }

  private async change(
    agent: Viewer,
    context: RequestContext,
    chatId: string,
    action: 'visitor.blocked' | 'visitor.unblocked',
    work: (tx: EntityManager, visitorId: string) => Promise<VisitorBlock | null>,
  ): Promise<{ visitorId: string; block: VisitorBlock | null }> {
    const { organizationId } = agent;
    await this.inbox.getSeenChat(agent, chatId);
    return transaction(this.manager, async (tx) => {
      const { visitorId } = await this.transitions.lockExisting(tx, context, chatId);
      const before = await findBlock(tx, organizationId, visitorId);
      const block = await work(tx, visitorId);
      const changes = changesBetween(before, block);
      if (changes.length > 0) await this.audit.record(context, { action, target: visitorId, changes }, tx);
      await raiseRev(tx, organizationId, chatId);
      this.events.emit('chat.changed', { organizationId, chatId }, tx);
      return { visitorId, block };
    });
  }
}

// Never the reason, which may name the visitor: entries outlive an erasure.
function changesBetween(before: VisitorBlock | null, after: VisitorBlock | null): FieldChange[] {
  const isBlocked = { field: 'isBlocked', from: before !== null, to: after !== null };
  const until = { field: 'until', from: before?.until ?? null, to: after?.until ?? null };
  return [isBlocked, until].filter(({ from, to }) => from !== to);
}
