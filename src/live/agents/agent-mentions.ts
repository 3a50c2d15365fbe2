import { Injectable } from '@nestjs/common';
import { InboxService } from '../../inbox/views/inbox.service.js';
import type { MentionsSeen, NoteMentioned } from '../../inbox/notes/notes.events.js';
import { AgentFeed } from '../agent-state/agent-feed.js';

/** Sends notes to the sockets of agents whom they mention. What is lost is read on `inbox:stale`. */
@Injectable()
export class AgentMentions {
  constructor(
    private readonly feed: AgentFeed,
    private readonly inbox: InboxService,
  ) {}

  async send({ organizationId, chatId, note, agentIds }: NoteMentioned): Promise<void> {
    const here = agentIds.filter((agentId) => this.feed.socketsOfAgent(agentId).length > 0);
    if (here.length === 0) return;
    const [chat] = await this.inbox.findRows(organizationId, [chatId]);
    const seen = await this.inbox.findWhoMaySee(organizationId, [chatId], here);
    if (!chat) return;
    for (const agentId of here) if (seen.get(chatId)?.has(agentId)) this.feed.sendMention(agentId, { note, chat });
  }

  sendSeen({ agentId, chatId }: MentionsSeen): void {
    this.feed.sendMentionsSeen(agentId, { chatId });
  }
}
