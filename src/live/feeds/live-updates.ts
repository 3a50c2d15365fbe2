import { Injectable } from '@nestjs/common';
import type { AgentChanged, AgentPresenceChanged } from '../../agents/agents.events.js';
import type { AgentSessionEnded, VisitorTokenEnded } from '../../auth/context/auth.events.js';
import type { ChatChanged, ChatOfferEnded, ChatOfferMade, ChatTakenOver } from '../../chats/model/chats.events.js';
import type { GroupChanged } from '../../groups/groups.events.js';
import type { ChatFollowed } from '../../inbox/views/followed-chats.service.js';
import type { MentionsSeen, NoteMentioned } from '../../inbox/notes/notes.events.js';
import type { MessageCreated, MessageDeleted } from '../../messages/messages.events.js';
import type { OrganizationDeleted, OriginsChanged } from '../../organizations/organizations.events.js';
import { OtherNodes } from '../../platform/cluster/other-nodes.js';
import type { TagsChanged } from '../../tags/tags.events.js';
import type { ChatsRemoved, VisitorBlocked, VisitorErased } from '../../visitors/visitors.events.js';
import type { Source } from './live-metrics.js';
import type { ChatTyping, TypingSignal } from './typing-event.js';

/** The facts that change what sockets receive. The previous release also knows these names, except for `message.deleted` and the
 * agents' facts. */
export interface LiveFacts {
  'message.created': MessageCreated;
  'message.deleted': MessageDeleted;
  'chat.changed': ChatChanged;
  /** The chat was moved from this visitor to another. */
  'chat.takenOver': ChatTakenOver;
  'chat.typing': ChatTyping;
  /** A visitor types, for agents. */
  'visitor.typing': TypingSignal;
  /** A bot or an agent was removed, or an agent disabled. */
  'sender.gone': { organizationId: string; senderId: string };
  'organization.deleted': OrganizationDeleted;
  'organization.originsChanged': OriginsChanged;
  'token.ended': VisitorTokenEnded;
  'visitor.blocked': VisitorBlocked;
  'visitor.erased': VisitorErased;
  'chats.removed': ChatsRemoved;
  /** A bot was connected, paused, or disconnected, or a group has another one. */
  'connections.changed': { organizationId: string };
  'agent.changed': AgentChanged;
  'agent.presenceChanged': AgentPresenceChanged;
  'group.changed': GroupChanged;
  'tags.changed': TagsChanged;
  'agentSession.ended': AgentSessionEnded;
  'chatOffer.made': ChatOfferMade;
  'chatOffer.ended': ChatOfferEnded;
  'note.mentioned': NoteMentioned;
  'mentions.seen': MentionsSeen;
  'chat.followed': ChatFollowed;
}

declare module '../../platform/cluster/other-nodes.js' {
  interface NodeFacts extends LiveFacts {}
}

type Fact = keyof LiveFacts;
type Handler<F extends Fact> = (data: LiveFacts[F], source: Source) => void | Promise<void>;

/** Delivers facts to every audience: on this node first, then on the others. */
@Injectable()
export class LiveUpdates {
  private readonly handlers = new Map<Fact, Handler<never>[]>();

  constructor(private readonly nodes: OtherNodes) {}

  /** Handles a fact of this node and of the others. */
  on<F extends Fact>(fact: F, handler: Handler<F>): void {
    const handlers = this.handlers.get(fact);
    if (handlers) return void handlers.push(handler as Handler<never>);
    this.handlers.set(fact, [handler as Handler<never>]);
    this.nodes.on(fact, (data) => this.handle(fact, data as never, 'node'));
  }

  /** @param channel the chat's, the channel of an organization's agents, or ALL_NODES */
  async deliver<F extends Fact>(channel: string, fact: F, data: LiveFacts[F]): Promise<void> {
    const isHandled = this.handle(fact, data, 'here');
    this.nodes.publish<Fact>(channel, fact, data);
    await isHandled;
  }

  // Handlers of messages return no promise, so none is created for them.
  private handle<F extends Fact>(fact: F, data: LiveFacts[F], source: Source): Promise<unknown> | undefined {
    const pending: Promise<void>[] = [];
    for (const handler of this.handlers.get(fact) ?? []) {
      const isHandled = handler(data as never, source);
      if (isHandled) pending.push(isHandled);
    }
    return pending.length > 0 ? Promise.all(pending) : undefined;
  }
}
