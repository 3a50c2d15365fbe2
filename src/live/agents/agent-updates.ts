import { Injectable } from '@nestjs/common';
import { OtherNodes } from '../../platform/cluster/other-nodes.js';
import { AgentChats } from '../agent-state/agent-chats.js';
import { AgentFeed } from '../agent-state/agent-feed.js';
import { AgentFollows } from './agent-follows.js';
import { AgentMentions } from './agent-mentions.js';
import { AgentOffers } from './agent-offers.js';
import { AgentPermissions } from '../agent-state/agent-permissions.js';
import { AgentNodes, type ChatHint } from '../agent-state/agent-nodes.js';
import { AgentRows } from './agent-rows.js';
import { AgentSessions } from '../agent-state/agent-sessions.js';
import type { Source } from '../feeds/live-metrics.js';
import { LiveUpdates } from '../feeds/live-updates.js';
import { signalOf } from '../feeds/typing-event.js';
import { AgentMissedMessages } from './agent-missed-messages.js';
import { TypingForAgents } from '../typing/typing-for-agents.js';
import type { TrackedChat } from '../agent-state/watched-view.js';

/** Applies facts to agents' sockets. */
@Injectable()
export class AgentUpdates {
  constructor(
    updates: LiveUpdates,
    nodes: OtherNodes,
    private readonly feed: AgentFeed,
    private readonly agentNodes: AgentNodes,
    private readonly rows: AgentRows,
    private readonly chats: AgentChats,
    mentions: AgentMentions,
    follows: AgentFollows,
    offers: AgentOffers,
    permissions: AgentPermissions,
    sessions: AgentSessions,
    hints: AgentMissedMessages,
    typing: TypingForAgents,
  ) {
    updates.on('message.created', ({ organizationId, message }, source) => {
      if (!agentNodes.isAnywhere(organizationId)) return;
      const { chatId } = message;
      feed.sendMessage(message, source);
      hints.onSent(organizationId, chatId, message.seq);
      this.chatChanged(organizationId, { chatId, isMessage: true }, source);
    });
    updates.on('message.deleted', ({ organizationId, message }, source) => {
      feed.sendDeleted(message);
      this.chatChanged(organizationId, { chatId: message.chatId }, source);
    });
    updates.on('chat.changed', ({ organizationId, chatId, previousGroupId, place, hasEnded }, source) => {
      if (place) typing.assign(chatId, place.agentId);
      if (hasEnded) typing.endChat(chatId);
      if (place) this.removeListeners(chatId, place);
      this.chatChanged(organizationId, { chatId, ...(previousGroupId && { leftGroupIds: [previousGroupId] }) }, source);
    });
    updates.on('chat.typing', (fact) => typing.apply(signalOf(fact)));
    updates.on('visitor.typing', (signal) => typing.apply(signal));
    updates.on('sender.gone', ({ senderId }) => typing.endSender(senderId));
    updates.on('chats.removed', ({ chatIds }) => {
      for (const chatId of chatIds) rows.markChanged(chats.get(chatId)?.organizationId ?? '', { chatId });
    });
    updates.on('visitor.erased', ({ organizationId, visitorId }) =>
      this.chatsOfVisitorChanged(organizationId, visitorId),
    );
    updates.on('organization.deleted', ({ organizationId }) =>
      feed.endWhere((agent) => agent.organizationId === organizationId, 'DELETED'),
    );
    updates.on('agentSession.ended', (fact, source) => sessions.end(fact, source === 'here'));
    updates.on('agent.changed', (fact) => permissions.applyChange(fact));
    updates.on('agent.presenceChanged', ({ organizationId, ...presence }) =>
      permissions.showPresence(organizationId, presence),
    );
    updates.on('chatOffer.made', (offer) => offers.send(offer));
    updates.on('chatOffer.ended', (offer) => offers.sendEnd(offer));
    updates.on('note.mentioned', (fact) => mentions.send(fact));
    updates.on('chat.followed', (fact) => follows.onFollowed(fact));
    updates.on('mentions.seen', (fact) => mentions.sendSeen(fact));
    nodes.on('agents.chats', ({ organizationId, hints }) => {
      for (const hint of hints) rows.markChanged(organizationId, hint);
    });
  }

  /** Sends a chat's row to the agents of every node who need it. */
  chatChanged(organizationId: string, hint: ChatHint, source: Source): void {
    this.rows.markChanged(organizationId, hint);
    if (source === 'here') this.agentNodes.hint(organizationId, hint);
  }

  /** Removes agents immediately who can't see a chat after its reassignment. */
  removeListeners(chatId: string, assignment: Pick<TrackedChat, 'agentId' | 'groupId'>): void {
    this.rows.removeListeners(chatId, assignment);
  }

  private chatsOfVisitorChanged(organizationId: string, visitorId: string): void {
    if (!this.feed.hasOrganization(organizationId)) return;
    const ofVisitor = this.chats.of(organizationId).filter((chat) => chat.visitorId === visitorId);
    for (const { id } of ofVisitor) this.rows.markChanged(organizationId, { chatId: id });
  }
}
