import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { InboxRow } from '../../inbox/inbox-row.js';
import { InboxService } from '../../inbox/inbox.service.js';
import { AgentChats } from '../agent-state/agent-chats.js';
import { AgentFeed, type AgentSocket } from '../agent-state/agent-feed.js';
import { AgentFollows } from './agent-follows.js';
import { AgentPeople } from '../agent-state/agent-people.js';
import { type ChatHint, together } from '../agent-state/agent-reach.js';
import { AgentViews } from '../agent-state/agent-views.js';
import { Timings } from '../feeds/timings.js';
import { maySee, type Rights } from '../../chats/model/chat-rights.js';
import { type ChatPlace, concerns, placeOf, type Watched, watchesMore } from '../agent-state/watched-view.js';

/** Milliseconds in which changed chats are collected before their rows are read together. */
const COLLECT = 10;
/** The most rows that are read together. */
const MAX_TOGETHER = 100;
/** Milliseconds before rows that could not be read are read again. */
const RETRY = 1_000;

/** A chat whose row was sent or is to be sent. */
interface Waiting {
  organizationId: string;
  /** The row may be sent from this time on, in milliseconds of `performance.now()`. */
  notBefore: number;
  /** What happened since the last row; null when it was sent. */
  hint: ChatHint | null;
}

/**
 * Sends rows of chats to the agents whom they concern (CONTRACT section 10): at most 4 a second for a chat, the last state
 * always. Rows are read after the change, several together, and only for organizations with agents on this node.
 */
@Injectable()
export class AgentRows implements OnModuleDestroy {
  private readonly logger = new Logger(AgentRows.name);
  private readonly waiting = new Map<string, Waiting>();
  /** By chat, the sockets that listen to it no more and were not told so yet. */
  private readonly removed = new Map<string, Set<string>>();
  private timer?: NodeJS.Timeout;
  private isBusy = false;
  private isStopped = false;

  constructor(
    private readonly inbox: InboxService,
    private readonly feed: AgentFeed,
    private readonly people: AgentPeople,
    private readonly chats: AgentChats,
    private readonly follows: AgentFollows,
    private readonly views: AgentViews,
    private readonly timings: Timings,
  ) {
    people.onRightsChanged((organizationId, before, after) => this.changeRights(organizationId, before, after));
  }

  onModuleDestroy(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  /** To be called when a chat changed or got a message. Costs nothing where no agent of the organization is connected. */
  touch(organizationId: string, hint: ChatHint): void {
    if (!this.feed.hasOrganization(organizationId)) return;
    if (hint.isMessage && !this.isShown(organizationId, hint.chatId)) return;
    const known = this.waiting.get(hint.chatId);
    if (!known) this.waiting.set(hint.chatId, { organizationId, notBefore: 0, hint });
    else known.hint = together(known.hint, hint);
    this.schedule(Math.max(COLLECT, (known?.notBefore ?? 0) - performance.now()));
  }

  /** Ends at once the listening of agents who may not see a chat in its new place; `touch` tells them later that it is gone. */
  removeListeners(chatId: string, place: Pick<ChatPlace, 'agentId' | 'groupId'>): void {
    for (const socket of this.feed.listenersOf(chatId)) {
      const rights = this.people.rightsOf(socket.data.agent);
      if (rights && maySee(rights, place)) continue;
      this.follows.remove(socket, chatId);
      this.removed.set(chatId, (this.removed.get(chatId) ?? new Set()).add(socket.id));
    }
  }

  // A message changes the rows of those only who have the chat in a list.
  private isShown(organizationId: string, chatId: string): boolean {
    return this.chats.get(chatId) !== undefined || this.feed.hasChat(chatId) || this.views.wantsMore(organizationId);
  }

  private schedule(pause: number): void {
    if (this.timer || this.isBusy || this.isStopped) return;
    this.timer = setTimeout(() => void this.flush(), pause).unref();
  }

  // One flush at a time, so that of two rows of a chat the older one is never sent last.
  private async flush(): Promise<void> {
    this.timer = undefined;
    this.isBusy = true;
    const due = this.takeDue();
    let pause = 0;
    for (const [organizationId, hints] of due) {
      for (let from = 0; from < hints.length; from += MAX_TOGETHER) {
        const part = hints.slice(from, from + MAX_TOGETHER);
        await this.send(organizationId, part).catch((err: unknown) => {
          this.logger.warn({ err }, 'rows of chats could not be sent to agents');
          pause = RETRY;
          for (const hint of part) this.putBack(organizationId, hint, performance.now() + RETRY);
        });
      }
    }
    this.isBusy = false;
    this.scheduleNext(pause);
  }

  private putBack(organizationId: string, hint: ChatHint, notBefore: number): void {
    const { chatId } = hint;
    const later = this.waiting.get(chatId)?.hint;
    this.waiting.set(chatId, { organizationId, hint: later ? together(hint, later) : hint, notBefore });
  }

  private takeDue(): Map<string, ChatHint[]> {
    const now = performance.now();
    const due = new Map<string, ChatHint[]>();
    for (const [chatId, entry] of this.waiting) {
      if (entry.notBefore > now) continue;
      const { organizationId, hint } = entry;
      if (!hint) {
        this.waiting.delete(chatId);
        continue;
      }
      this.waiting.set(chatId, { organizationId, hint: null, notBefore: now + this.timings.rows });
      due.set(organizationId, [...(due.get(organizationId) ?? []), hint]);
    }
    return due;
  }

  private scheduleNext(pause: number): void {
    if (this.waiting.size === 0) return;
    let next = Infinity;
    for (const { notBefore } of this.waiting.values()) next = Math.min(next, notBefore);
    this.schedule(Math.max(COLLECT, pause, next - performance.now()));
  }

  private async send(organizationId: string, hints: readonly ChatHint[]): Promise<void> {
    const chatIds = hints.map(({ chatId }) => chatId);
    const rows = new Map((await this.inbox.findRows(organizationId, chatIds)).map((row) => [row.id, row]));
    for (const hint of hints) await this.sendOne(organizationId, hint, rows.get(hint.chatId));
  }

  private async sendOne(organizationId: string, hint: ChatHint, row: InboxRow | undefined): Promise<void> {
    const { chatId } = hint;
    const later = this.waiting.get(chatId)?.hint;
    // It changed while it was read: nobody begins to listen by a row that is out of date.
    if (later && !later.isMessage) return this.putBack(organizationId, hint, performance.now() + COLLECT);
    const before = this.chats.get(chatId);
    const after = row && placeOf(organizationId, row);
    const [shown, gone] = this.recipients(organizationId, hint, before, after);
    const rev = row?.rev ?? (before?.rev ?? 0) + 1;
    this.feed.sendRow(this.takeRemoved(chatId, gone), { id: chatId, rev, isGone: true });
    if (row) this.feed.sendRow(shown, row);
    const isUpdated = this.follows.update(organizationId, chatId, before, after, gone);
    if (after) this.chats.keep(after);
    else this.chats.forget(chatId);
    await isUpdated;
  }

  // A socket that may see the chat again gets the row after it.
  private takeRemoved(chatId: string, gone: readonly string[]): string[] {
    const all = new Set([...gone, ...(this.removed.get(chatId) ?? [])]);
    this.removed.delete(chatId);
    return [...all];
  }

  /** The sockets that get the row, and those that may not see the chat any more. */
  private recipients(
    organizationId: string,
    hint: ChatHint,
    before: ChatPlace | undefined,
    after: ChatPlace | undefined,
  ): [string[], string[]] {
    const shown: string[] = [];
    const gone: string[] = [];
    for (const { id, data } of this.candidates(organizationId, hint.chatId, before, after)) {
      const rights = this.people.rightsOf(data.agent);
      if (!rights) continue;
      const isFollowed = data.followed.has(hint.chatId);
      const isVisible = after !== undefined && maySee(rights, after);
      const isNow = isFollowed || (isVisible && concerns(rights, data.watched, after));
      const isMeant = isNow || wasShown(rights, data.watched, hint, before, after);
      if (isMeant) (isVisible ? shown : gone).push(id);
    }
    return [shown, gone];
  }

  /** The sockets that a change of a chat can concern: all of the organization while the chat waits, before the change or after it. */
  private candidates(
    organizationId: string,
    chatId: string,
    ...places: (ChatPlace | undefined)[]
  ): Iterable<AgentSocket> {
    if (places.some((place) => place?.status === 'QUEUED')) return this.feed.socketsOf(organizationId);
    const owners = places.flatMap((place) => (place?.agentId ? this.feed.socketsOfAgent(place.agentId) : []));
    const watchers = this.feed.socketsWith(this.views.watchersOf(organizationId));
    return new Set([...owners, ...watchers, ...this.feed.listenersOf(chatId)]);
  }

  // The agent lost or gained groups: what the agent may not see any more leaves, the rest is to be read.
  private changeRights(organizationId: string, before: Rights, after: Rights): void {
    const sockets = this.feed.socketsOfAgent(after.agentId);
    for (const place of this.chats.of(organizationId)) {
      if (!maySee(before, place) || maySee(after, place)) continue;
      const gone = sockets.filter(({ data }) => data.followed.has(place.id) || concerns(before, data.watched, place));
      this.feed.sendRow(
        gone.map(({ id }) => id),
        { id: place.id, rev: place.rev, isGone: true },
      );
      for (const socket of gone) this.follows.remove(socket, place.id);
    }
    this.feed.sendStale(sockets);
  }
}

/**
 * Whether a socket may have been sent the chat before a change. Of a chat that is not known, a watched view may have shown it
 * in a group of that time.
 */
function wasShown(
  rights: Rights,
  watched: Watched | null,
  { isMessage, leftGroupIds = [] }: ChatHint,
  before: ChatPlace | undefined,
  after: ChatPlace | undefined,
): boolean {
  if (before) return concerns(rights, watched, before);
  if (isMessage || !watchesMore(watched)) return false;
  const groupIds = after ? [...leftGroupIds, after.groupId] : leftGroupIds;
  return groupIds.some((groupId) => maySee(rights, { groupId, agentId: null }));
}
