import { Injectable } from '@nestjs/common';
import type { VisitorTokenEnded } from '../auth/auth.events.js';
import type { BotTyping, ChatChanged, ChatVisitorChanged } from '../chats/chats.events.js';
import { ChatsService } from '../chats/chats.service.js';
import type { ChatsRemoved, VisitorErased } from '../visitors/visitors.events.js';
import type { MessageCreated } from '../messages/messages.events.js';
import { OtherNodes } from '../platform/cluster/other-nodes.js';
import type { OrganizationDeleted, OriginsChanged } from '../organizations/organizations.events.js';
import { LiveFeed } from './live-feed.js';
import type { Source } from './live-metrics.js';
import { SeqHints } from './seq-hints.js';
import { Typing } from './typing.js';
import { isAllowed } from '../auth/visitor-auth.service.js';

/** What sockets are told of, or lose. */
interface LiveFacts {
  'message.created': MessageCreated;
  'chat.changed': ChatChanged;
  'chat.visitorChanged': ChatVisitorChanged;
  'bot.typing': BotTyping;
  'organization.deleted': OrganizationDeleted;
  'organization.originsChanged': OriginsChanged;
  'visitorToken.ended': VisitorTokenEnded;
  'visitor.erased': VisitorErased;
  'chats.removed': ChatsRemoved;
}

declare module '../platform/cluster/other-nodes.js' {
  interface NodeFacts extends LiveFacts {}
}

/** Brings what happened to every socket it concerns: those of this node first, then those of the others. */
@Injectable()
export class LiveUpdates {
  private readonly here: { [F in keyof LiveFacts]: (data: LiveFacts[F], source: Source) => void | Promise<void> } = {
    'message.created': (fact, source) => this.sendMessage(fact, source),
    'chat.changed': (fact) => this.sendChat(fact),
    'chat.visitorChanged': ({ chatId, visitorId }) => this.feed.leave(visitorId, chatId),
    'bot.typing': ({ chatId, bot, isTyping }) => this.typing.say(chatId, { type: 'BOT', ...bot }, isTyping),
    'organization.deleted': ({ organizationId }) => this.feed.disconnect(organizationId),
    'organization.originsChanged': ({ organizationId, allowedOrigins }) =>
      this.feed.disconnectWhere(
        (visitor, origin) => visitor.organizationId === organizationId && !isAllowed(allowedOrigins, origin),
      ),
    'visitorToken.ended': ({ organizationId, tokenId }) =>
      this.feed.disconnectWhere((visitor) => visitor.tokenId === tokenId && visitor.organizationId === organizationId),
    'visitor.erased': ({ organizationId, visitorId }) => this.feed.disconnect(organizationId, visitorId),
    'chats.removed': ({ chatIds }) => chatIds.forEach((chatId) => this.feed.disconnectListeners(chatId)),
  };

  constructor(
    private readonly feed: LiveFeed,
    private readonly chats: ChatsService,
    private readonly typing: Typing,
    private readonly hints: SeqHints,
    private readonly nodes: OtherNodes,
  ) {
    for (const fact of Object.keys(this.here) as (keyof LiveFacts)[])
      nodes.on(fact, (data) => this.here[fact](data as never, 'node'));
  }

  /** @param channel the chat, or ALL_NODES */
  async bring<F extends keyof LiveFacts>(channel: string, fact: F, data: LiveFacts[F]): Promise<void> {
    const isBrought = this.here[fact](data, 'here');
    this.nodes.publish<keyof LiveFacts>(channel, fact, data);
    await isBrought;
  }

  private sendMessage({ organizationId, message }: MessageCreated, source: Source): void {
    this.feed.sendMessage(message, source);
    this.hints.onSent(organizationId, message.chatId, message.seq);
    this.typing.stop(message.chatId, message.sender.id);
  }

  private async sendChat({ organizationId, chatId }: ChatChanged): Promise<void> {
    if (this.feed.hasListeners(chatId)) this.feed.sendChat(await this.chats.getState(organizationId, chatId));
  }
}
