import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { RequestContext } from '../auth/context/request-context.js';
import '../chats/model/chats.events.js';
import { ChatTransitions } from '../chats/moves/chat-transitions.service.js';
import { queueChatEvent } from '../chats/reading/chat-events.queries.js';
import { idempotency, keyReused, type Replayable } from '../idempotency/idempotency.js';
import { replaceStoredResult, reserveKey } from '../idempotency/idempotency.queries.js';
import '../receivers/deliveries.events.js';
import { DomainEventBus } from '../platform/database/domain-events.js';
import { clientOf, transaction } from '../platform/database/transaction.js';
import { invalid, Problem } from '../platform/errors/problem.js';
import { addTags, findTagsOfChat, isFullOfTags, lockTags, type NamedTag, storeChatTags } from './chat-tags.queries.js';
import { MAX_TAGS, MAX_TAGS_OF_ORGANIZATION, tagKey } from './tag-key.js';

/** The names of a chat's tags. */
export interface TagsOfChat {
  tags: string[];
}

/** Tags that a chat gets and loses. */
export interface TagChange {
  add?: readonly string[] | null;
  remove?: readonly string[] | null;
}

const TOO_MANY = `The organization has ${MAX_TAGS_OF_ORGANIZATION} tags; merge or delete some first`;
/** How often tags are looked up while other transactions add or delete them. */
const ATTEMPTS = 3;

/** Tags of chats, by bots and agents (CONTRACT: Tags). */
@Injectable()
export class ChatTagsService {
  constructor(
    private readonly manager: EntityManager,
    private readonly transitions: ChatTransitions,
    private readonly events: DomainEventBus,
  ) {}

  /**
   * Replaces the tags of a chat. The same tags again change nothing.
   * @throws Problem not_found; conflict if a tag is new and the organization has its 5,000
   */
  replace(context: RequestContext, chatId: string, names: readonly string[]): Promise<TagsOfChat> {
    return transaction(this.manager, async (tx) => {
      await this.transitions.lockExisting(tx, context, chatId);
      const before = await findTagsOfChat(tx, context.organizationId, chatId);
      const wanted = unique(await this.getTags(tx, context.organizationId, names));
      return this.store(tx, context, chatId, before, wanted);
    });
  }

  /**
   * Adds and removes tags in one transaction.
   * @throws Problem not_found; validation_failed if the same tag is added and removed; conflict beyond 20 tags; idempotency_key_reused
   */
  change(
    context: RequestContext,
    chatId: string,
    { add, remove }: TagChange,
    key: string | null = null,
  ): Promise<Replayable<TagsOfChat>> {
    const change = { add: add ?? [], remove: remove ?? [] };
    const asked = idempotency(key, 'tags', [chatId, change]);
    const { organizationId, actor } = context;
    const actorId = actor.id ?? '';
    return transaction(this.manager, async (tx) => {
      const client = await clientOf(tx);
      const kept = asked && (await reserveKey(client, organizationId, actorId, asked, { chatId }));
      if (kept?.fingerprint.equals(asked!.fingerprint)) {
        const { tags } = kept.response as TagsOfChat;
        return { result: { tags }, isReplay: true };
      }
      await this.transitions.lockExisting(tx, context, chatId);
      if (kept) throw keyReused();
      const result = await this.changeIn(tx, context, chatId, change);
      const stored = { chatId, ...result };
      if (asked) await replaceStoredResult(client, organizationId, actorId, asked, stored);
      return { result, isReplay: false };
    });
  }

  /**
   * Adds and removes tags in the caller's transaction, which has locked the chat.
   * @throws Problem validation_failed, conflict
   */
  async changeIn(
    tx: EntityManager,
    context: RequestContext,
    chatId: string,
    { add, remove }: { add: readonly string[]; remove: readonly string[] },
  ): Promise<TagsOfChat> {
    const { organizationId } = context;
    const keys = new Set(add.map(tagKey));
    if (remove.some((name) => keys.has(tagKey(name)))) throw addedAndRemoved();
    // Locked first, so that no merge of them begins after the chat's tags are read.
    const removed = new Set([...(await lockTags(tx, organizationId, remove)).values()].map(({ id }) => id));
    const before = await findTagsOfChat(tx, organizationId, chatId);
    const kept = before.filter((tag) => !removed.has(meantBy(tag)));
    if (before.length + add.length > MAX_TAGS) {
      const known = await lockTags(tx, organizationId, add);
      if ([...known.values()].some(({ id }) => removed.has(id))) throw addedAndRemoved();
      const missing = new Set(add.map(tagKey).filter((key) => !known.has(key)));
      // A change that is refused adds no tags to the organization, even if the transaction goes on.
      checkCount(countOf([...kept, ...known.values()]) + missing.size, countOf(before));
    }
    const added = await this.getTags(tx, organizationId, add);
    if (added.some(({ id }) => removed.has(id))) throw addedAndRemoved();
    const wanted = unique([...kept, ...added]);
    checkCount(countOf(wanted), countOf(before));
    return this.store(tx, context, chatId, before, wanted);
  }

  // Finds the tags with these names, and adds the missing ones.
  private async getTags(tx: EntityManager, organizationId: string, names: readonly string[]): Promise<NamedTag[]> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const found = await lockTags(tx, organizationId, names);
      const missing = names.filter((name) => !found.has(tagKey(name)));
      if (missing.length === 0) return [...found.values()];
      if (await isFullOfTags(tx, organizationId)) throw new Problem('conflict', TOO_MANY);
      await addTags(tx, organizationId, missing);
    }
    throw new Problem('conflict', 'A tag is being changed; try again');
  }

  private async store(
    tx: EntityManager,
    context: RequestContext,
    chatId: string,
    before: readonly NamedTag[],
    wanted: readonly NamedTag[],
  ): Promise<TagsOfChat> {
    const { organizationId, traceparent, actor } = context;
    const tags = namesOf(wanted);
    const added = without(wanted, before);
    const removed = without(before, wanted);
    if (added.length + removed.length === 0) return { tags };
    await storeChatTags(tx, organizationId, chatId, { added, removed });
    const more = { added: namesOf(added), removed: namesOf(removed), tags, by: actor };
    const lanes = await queueChatEvent(tx, organizationId, chatId, 'chat.tagged', traceparent, more);
    if (lanes.length > 0) this.events.emit('deliveries.queued', { lanes }, tx);
    this.events.emit('chat.changed', { organizationId, chatId }, tx);
    return { tags };
  }
}

const addedAndRemoved = () => invalid('/remove', 'must not have a tag that add has');

/** @throws Problem conflict */
function checkCount(count: number, before: number): void {
  if (count > MAX_TAGS && count > before)
    throw new Problem('conflict', `A chat can have ${MAX_TAGS} tags; remove some first`);
}

const meantBy = ({ id, mergedInto }: NamedTag) => mergedInto ?? id;

const countOf = (tags: readonly NamedTag[]) => new Set(tags.map(meantBy)).size;

const unique = (tags: readonly NamedTag[]) => [...new Map(tags.map((tag) => [tag.id, tag])).values()];

function without(tags: readonly NamedTag[], others: readonly NamedTag[]): NamedTag[] {
  const ids = new Set(others.map(({ id }) => id));
  return tags.filter(({ id }) => !ids.has(id));
}

function namesOf(tags: readonly NamedTag[]): string[] {
  return tags.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ name }) => name);
}
