import { Injectable } from '@nestjs/common';
import { OtherNodes } from '../../platform/cluster/other-nodes.js';
import { AgentChats } from '../agent-state/agent-chats.js';
import { AgentFeed } from '../agent-state/agent-feed.js';
import { AgentOffers } from './agent-offers.js';
import { AgentPeople } from '../agent-state/agent-people.js';
import { AgentReach, type ChatHint } from '../agent-state/agent-reach.js';
import { AgentRows } from './agent-rows.js';
import { AgentSessions } from '../agent-state/agent-sessions.js';
import type { Source } from '../feeds/live-metrics.js';
import { LiveUpdates } from '../feeds/live-updates.js';
import { signalOf } from '../feeds/typing-event.js';
import { AgentSeqHints } from './agent-seq-hints.js';
import { TypingForAgents } from '../typing/typing-for-agents.js';
import type { ChatPlace } from '../agent-state/watched-view.js';

/** Applies facts to the sockets of agents. */
@Injectable()
export class AgentUpdates {
  constructor(
    updates: LiveUpdates,
    nodes: OtherNodes,
    private readonly feed: AgentFeed,
    private readonly reach: AgentReach,
    private readonly rows: AgentRows,
    private readonly chats: AgentChats,
    offers: AgentOffers,
    people: AgentPeople,
    sessions: AgentSessions,
    hints: AgentSeqHints,
    typing: TypingForAgents,
  ) {
    updates.on('message.created', ({ organizationId, message }, source) => {
      if (!reach.isAnywhere(organizationId)) return;
      const { chatId } = message;
      feed.sendMessage(message, source);
      hints.onSent(organizationId, chatId, message.seq);
      this.touch(organizationId, { chatId, isMessage: true }, source);
    });
    updates.on('chat.changed', ({ organizationId, chatId, previousGroupId, place, hasEnded }, source) => {
      if (place) typing.assign(chatId, place.agentId);
      if (hasEnded) typing.endChat(chatId);
      if (place) this.removeListeners(chatId, place);
      this.touch(organizationId, { chatId, ...(previousGroupId && { leftGroupIds: [previousGroupId] }) }, source);
    });
    updates.on('chat.typing', (fact) => typing.apply(signalOf(fact)));
    updates.on('visitor.typing', (signal) => typing.apply(signal));
    updates.on('sender.gone', ({ senderId }) => typing.endSender(senderId));
    updates.on('chats.removed', ({ chatIds }) => {
      for (const chatId of chatIds) rows.touch(chats.get(chatId)?.organizationId ?? '', { chatId });
    });
    updates.on('visitor.erased', ({ organizationId, visitorId }) => this.touchThoseOf(organizationId, visitorId));
    updates.on('organization.deleted', ({ organizationId }) =>
      feed.endWhere((agent) => agent.organizationId === organizationId, 'DELETED'),
    );
    updates.on('agentSession.ended', (fact, source) => sessions.end(fact, source === 'here'));
    updates.on('agent.changed', (fact) => people.change(fact));
    updates.on('agent.presenceChanged', ({ organizationId, ...presence }) => people.show(organizationId, presence));
    updates.on('chatOffer.made', (offer) => offers.send(offer));
    updates.on('chatOffer.ended', (offer) => offers.sendEnd(offer));
    nodes.on('agents.chats', ({ organizationId, hints }) => {
      for (const hint of hints) rows.touch(organizationId, hint);
    });
  }

  /** Sends the row of a chat to the agents of every node whom it concerns. */
  touch(organizationId: string, hint: ChatHint, source: Source): void {
    this.rows.touch(organizationId, hint);
    if (source === 'here') this.reach.hint(organizationId, hint);
  }

  /** Ends at once the listening of agents who may not see a chat in its new place. Their row says so later. */
  removeListeners(chatId: string, place: Pick<ChatPlace, 'agentId' | 'groupId'>): void {
    this.rows.removeListeners(chatId, place);
  }

  private touchThoseOf(organizationId: string, visitorId: string): void {
    if (!this.feed.hasOrganization(organizationId)) return;
    const ofVisitor = this.chats.of(organizationId).filter((place) => place.visitorId === visitorId);
    for (const { id } of ofVisitor) this.rows.touch(organizationId, { chatId: id });
  }
}
