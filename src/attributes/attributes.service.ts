import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { RequestContext } from '../auth/context/request-context.js';
import '../chats/model/chats.events.js';
import { ChatTransitions } from '../chats/moves/chat-transitions.service.js';
import { queueChatEvent } from '../chats/reading/chat-events.queries.js';
import type { Lane } from '../receivers/lane.js';
import '../receivers/deliveries.events.js';
import { DomainEventBus } from '../platform/database/domain-events.js';
import { transaction } from '../platform/database/transaction.js';
import { invalid, notFound } from '../platform/errors/problem.js';
import {
  type AttributeChange,
  type Attributes,
  type ChangedAttributes,
  differenceOf,
  findAttributeFault,
  isEmpty,
  mergeAttributes,
} from './attributes.js';
import {
  findAttributesOfChat,
  lockAttributesOfVisitor,
  queueVisitorEvent,
  raiseOpenChats,
  storeAttributesOfChat,
  storeAttributesOfVisitor,
  storeVerifiedAttributes,
} from './attributes.queries.js';

/** Attributes of chats and visitors, by bots, agents, administrators, and signed identities (CONTRACT: Attributes). */
@Injectable()
export class AttributesService {
  constructor(
    private readonly manager: EntityManager,
    private readonly transitions: ChatTransitions,
    private readonly events: DomainEventBus,
  ) {}

  /**
   * Merges a change into the attributes of a chat. Undefined changes nothing.
   * @throws Problem not_found, also for a chat whose visitor was erased; validation_failed if the result has too many keys or is too long
   */
  async changeOfChat(context: RequestContext, chatId: string, change: AttributeChange | undefined): Promise<void> {
    if (change) await transaction(this.manager, (tx) => this.changeInTransaction(tx, context, chatId, change));
  }

  /** Does what `changeOfChat` does, in the transaction `tx`. */
  async changeInTransaction(
    tx: EntityManager,
    context: RequestContext,
    chatId: string,
    change: AttributeChange,
  ): Promise<void> {
    const { organizationId, traceparent, actor } = context;
    await this.transitions.lockExisting(tx, context, chatId);
    const before = await findAttributesOfChat(tx, organizationId, chatId);
    const { attributes, changed } = merge(before, change);
    if (isEmpty(changed)) return;
    await storeAttributesOfChat(tx, organizationId, chatId, attributes);
    const more = { changed, by: actor };
    this.deliver(tx, await queueChatEvent(tx, organizationId, chatId, 'chat.updated', traceparent, more));
    this.events.emit('chat.changed', { organizationId, chatId }, tx);
  }

  /**
   * Merges a change into the attributes of a visitor. Returns the result.
   * @throws Problem not_found; validation_failed if the result has too many keys or is too long
   */
  changeOfVisitor(context: RequestContext, visitorId: string, change: AttributeChange): Promise<Attributes> {
    const { organizationId } = context;
    return transaction(this.manager, async (tx) => {
      const before = (await lockAttributesOfVisitor(tx, organizationId, visitorId)) ?? notFound('Visitor');
      const { attributes, changed } = merge(before.attributes, change);
      if (isEmpty(changed)) return attributes;
      await storeAttributesOfVisitor(tx, organizationId, visitorId, attributes);
      await this.announce(tx, context, visitorId, { changed, changedVerified: {} });
      return attributes;
    });
  }

  /** Replaces what signed identities say of a known visitor. The same again changes nothing. */
  async replaceVerified(context: RequestContext, visitorId: string, attributes: Attributes): Promise<void> {
    const { organizationId } = context;
    await transaction(this.manager, async (tx) => {
      const before = await lockAttributesOfVisitor(tx, organizationId, visitorId);
      const changedVerified = before ? differenceOf(before.verifiedAttributes, attributes) : {};
      if (isEmpty(changedVerified)) return;
      await storeVerifiedAttributes(tx, organizationId, visitorId, attributes);
      await this.announce(tx, context, visitorId, { changed: {}, changedVerified });
    });
  }

  private async announce(
    tx: EntityManager,
    { organizationId, traceparent, actor }: RequestContext,
    visitorId: string,
    changes: { changed: AttributeChange; changedVerified: AttributeChange },
  ): Promise<void> {
    const more = { ...changes, by: actor };
    this.deliver(tx, await queueVisitorEvent(tx, organizationId, visitorId, traceparent, more));
    for (const chatId of await raiseOpenChats(tx, organizationId, visitorId))
      this.events.emit('chat.changed', { organizationId, chatId }, tx);
  }

  private deliver(tx: EntityManager, lanes: Lane[]): void {
    if (lanes.length > 0) this.events.emit('deliveries.queued', { lanes }, tx);
  }
}

function merge(before: Attributes | null, change: AttributeChange): ChangedAttributes {
  const merged = mergeAttributes(before, change);
  const fault = isEmpty(merged.changed) ? null : findAttributeFault(merged.attributes, false);
  if (fault) throw invalid('/attributes', `${fault.detail} after the change`);
  return merged;
}
