import { Injectable } from '@nestjs/common';
import { isAllowed } from '../../auth/visitors/visitor-auth.service.js';
import { LiveUpdates } from '../feeds/live-updates.js';
import { signalOf } from '../feeds/typing-event.js';
import { VisitorMissedMessages } from './visitor-missed-messages.js';
import { TypingForVisitors } from '../typing/typing-for-visitors.js';
import { VisitorFeed } from '../feeds/visitor-feed.js';
import { ConnectedChats } from './connected-chats.js';
import { VisitorStates } from './visitor-states.js';

/** Applies facts to visitors' sockets. */
@Injectable()
export class VisitorUpdates {
  constructor(
    updates: LiveUpdates,
    feed: VisitorFeed,
    typing: TypingForVisitors,
    hints: VisitorMissedMessages,
    states: VisitorStates,
    connected: ConnectedChats,
  ) {
    updates.on('message.created', ({ organizationId, message }, source) => {
      feed.sendMessage(message, source);
      hints.onSent(organizationId, message.chatId, message.seq);
    });
    updates.on('message.deleted', ({ message }) => feed.sendDeleted(message));
    updates.on('chat.changed', async ({ organizationId, chatId, previousGroupId, hasEnded }) => {
      if (hasEnded) typing.endChat(chatId);
      if (previousGroupId !== undefined) await connected.refresh(organizationId, chatId);
      if (feed.hasChat(chatId)) await states.send(organizationId, chatId);
    });
    updates.on('connections.changed', async ({ organizationId }) => {
      for (const chatId of await connected.refresh(organizationId)) await states.send(organizationId, chatId);
    });
    updates.on('chat.takenOver', ({ chatId, visitorId }) => feed.leave(visitorId, chatId));
    updates.on('chat.typing', (fact) => {
      if (!fact.isForAgentsOnly) typing.apply(signalOf(fact));
    });
    updates.on('sender.gone', ({ senderId }) => typing.endSender(senderId));
    updates.on('organization.deleted', ({ organizationId }) => feed.disconnect(organizationId));
    updates.on('organization.originsChanged', ({ organizationId, allowedOrigins }) =>
      feed.disconnectWhere(
        (visitor, origin) => visitor.organizationId === organizationId && !isAllowed(allowedOrigins, origin),
      ),
    );
    updates.on('token.ended', ({ organizationId, tokenId }) =>
      feed.disconnectWhere((visitor) => visitor.tokenId === tokenId && visitor.organizationId === organizationId),
    );
    updates.on('visitor.blocked', ({ organizationId, visitorId }) => feed.disconnect(organizationId, visitorId));
    updates.on('visitor.erased', ({ organizationId, visitorId }) => feed.disconnect(organizationId, visitorId));
    updates.on('chats.removed', ({ chatIds }) => chatIds.forEach((chatId) => feed.disconnectListeners(chatId)));
  }
}
