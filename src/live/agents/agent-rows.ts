import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { GoneRow, InboxRow } from '../../inbox/views/inbox-row.js';
import { InboxService } from '../../inbox/views/inbox.service.js';
import { AgentChats } from '../agent-state/agent-chats.js';
import { AgentFeed, type AgentSocket } from '../agent-state/agent-feed.js';
import { AgentFollows } from './agent-follows.js';
import { AgentPermissions } from '../agent-state/agent-permissions.js';
import { type ChatHint, mergeHints } from '../agent-state/agent-nodes.js';
import { AgentViews } from '../agent-state/agent-views.js';
import { Timings } from '../feeds/timings.js';
import { maySee, type Rights } from '../../chats/model/chat-rights.js';
import { type TrackedChat, isShownTo, toTrackedChat, type Watched, watchesMore } from '../agent-state/watched-view.js';

/** How long changed chats are collected before their rows are read together, in milliseconds. */
const COLLECT_MS = 10;
/** The most rows that are read together. */
const MAX_TOGETHER = 100;
/** Delay before rows that couldn't be read are read again, in milliseconds. */
const RETRY_MS = 1_000;

/** A chat whose row was sent recently, or is due. */
interface Waiting {
  organizationId: string;
  /** The earliest time for the next row, in milliseconds of `performance.now()`. */
  notBefore: number;
  /** What happened since the last row; null if nothing did. */
  hint: ChatHint | null;
}

/**
 * Sends agents the rows of changed chats (CONTRACT: Agent API): at most 4 a second for each chat, and always the last state. Rows
 * are read after the change, several together, and only for organizations with agents on this node.
 */
@Injectable()
export class AgentRows implements OnModuleDestroy {
  private readonly logger = new Logger(AgentRows.name);
  private readonly waiting = new Map<string, Waiting>();
  /** Sockets removed from a chat that still need a `gone` row, by chat id. */
  private readonly removed = new Map<string, Set<string>>();
  private timer?: NodeJS.Timeout;
  private isBusy = false;
  private isStopped = false;

  constructor(
    private readonly inbox: InboxService,
    private readonly feed: AgentFeed,
    private readonly permissions: AgentPermissions,
    private readonly chats: AgentChats,
    private readonly follows: AgentFollows,
    private readonly views: AgentViews,
    private readonly timings: Timings,
  ) {
    permissions.onRightsChanged((organizationId, before, after) => this.changeRights(organizationId, before, after));
  }

  onModuleDestroy(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  /** Schedules the row of a chat that changed or got a message. Costs nothing if the organization has no connected agent. */
  markChanged(organizationId: string, hint: ChatHint): void {
    if (!this.feed.hasOrganization(organizationId)) return;
    if (hint.isMessage && !this.isShown(organizationId, hint.chatId)) return;
    const known = this.waiting.get(hint.chatId);
    if (!known) this.waiting.set(hint.chatId, { organizationId, notBefore: 0, hint });
    else known.hint = mergeHints(known.hint, hint);
    this.schedule(Math.max(COLLECT_MS, (known?.notBefore ?? 0) - performance.now()));
  }

  /** Removes agents immediately who can't see a chat after its reassignment. `markChanged` sends them the `gone` row later. */
  removeListeners(chatId: string, assignment: Pick<TrackedChat, 'agentId' | 'groupId'>): void {
    for (const socket of this.feed.listenersOf(chatId)) {
      const rights = this.permissions.rightsOf(socket.data.agent);
      if (rights && maySee(rights, assignment)) continue;
      this.follows.remove(socket, chatId);
      this.removed.set(chatId, (this.removed.get(chatId) ?? new Set()).add(socket.id));
    }
  }

  // A message changes only rows that are in someone's list.
  private isShown(organizationId: string, chatId: string): boolean {
    return this.chats.get(chatId) !== undefined || this.feed.hasChat(chatId) || this.views.wantsMore(organizationId);
  }

  private schedule(pause: number): void {
    if (this.timer || this.isBusy || this.isStopped) return;
    this.timer = setTimeout(() => void this.flush(), pause).unref();
  }

  // One flush at a time, so that a chat's older row is never sent after a newer one.
  private async flush(): Promise<void> {
    this.timer = undefined;
    this.isBusy = true;
    const due = this.takeDue();
    let pause = 0;
    for (const [organizationId, hints] of due) {
      for (let from = 0; from < hints.length; from += MAX_TOGETHER) {
        const part = hints.slice(from, from + MAX_TOGETHER);
        await this.send(organizationId, part).catch((err: unknown) => {
          this.logger.warn({ err }, 'failed to send chat rows to agents');
          pause = RETRY_MS;
          for (const hint of part) this.putBack(organizationId, hint, performance.now() + RETRY_MS);
        });
      }
    }
    this.isBusy = false;
    this.scheduleNext(pause);
  }

  private putBack(organizationId: string, hint: ChatHint, notBefore: number): void {
    const { chatId } = hint;
    const later = this.waiting.get(chatId)?.hint;
    this.waiting.set(chatId, { organizationId, hint: later ? mergeHints(hint, later) : hint, notBefore });
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
    this.schedule(Math.max(COLLECT_MS, pause, next - performance.now()));
  }

  private async send(organizationId: string, hints: readonly ChatHint[]): Promise<void> {
    const chatIds = hints.map(({ chatId }) => chatId);
    const rows = new Map((await this.inbox.findRows(organizationId, chatIds)).map((row) => [row.id, row]));
    for (const hint of hints) await this.sendOne(organizationId, hint, rows.get(hint.chatId));
  }

  private async sendOne(organizationId: string, hint: ChatHint, row: InboxRow | undefined): Promise<void> {
    const { chatId } = hint;
    const later = this.waiting.get(chatId)?.hint;
    // It changed while it was read. An outdated row must not add listeners.
    if (later && !later.isMessage) return this.putBack(organizationId, hint, performance.now() + COLLECT_MS);
    const before = this.chats.get(chatId);
    const after = row && toTrackedChat(organizationId, row);
    const [shown, gone] = this.recipients(organizationId, hint, before, after);
    const rev = row?.rev ?? (before?.rev ?? 0) + 1;
    const left: GoneRow = { id: chatId, rev, isGone: true, ...(!row && { isRemoved: true }) };
    this.feed.sendRow(this.takeRemoved(chatId, gone), left);
    if (row) this.feed.sendRow(shown, row);
    const isUpdated = this.follows.update(organizationId, chatId, before, after, gone);
    if (after) this.chats.set(after);
    else this.chats.forget(chatId);
    await isUpdated;
  }

  // A socket that can see the chat again gets its row after the `gone` row.
  private takeRemoved(chatId: string, gone: readonly string[]): string[] {
    const all = new Set([...gone, ...(this.removed.get(chatId) ?? [])]);
    this.removed.delete(chatId);
    return [...all];
  }

  /** The sockets that get the row, and the sockets that can no longer see the chat. */
  private recipients(
    organizationId: string,
    hint: ChatHint,
    before: TrackedChat | undefined,
    after: TrackedChat | undefined,
  ): [string[], string[]] {
    const shown: string[] = [];
    const gone: string[] = [];
    for (const { id, data } of this.candidates(organizationId, hint.chatId, before, after)) {
      const rights = this.permissions.rightsOf(data.agent);
      if (!rights) continue;
      const isFollowed = data.followed.has(hint.chatId) || data.kept.has(hint.chatId);
      const isVisible = after !== undefined && maySee(rights, after);
      const isNow = isFollowed || (isVisible && isShownTo(rights, data.watched, after));
      const isRecipient = isNow || wasShown(rights, data.watched, hint, before, after);
      if (isRecipient) (isVisible ? shown : gone).push(id);
    }
    return [shown, gone];
  }

  /** The sockets that may need the row: all of the organization's if the chat waits before or after the change. */
  private candidates(
    organizationId: string,
    chatId: string,
    ...states: (TrackedChat | undefined)[]
  ): Iterable<AgentSocket> {
    if (states.some((chat) => chat?.status === 'QUEUED')) return this.feed.socketsOf(organizationId);
    const owners = states.flatMap((chat) => (chat?.agentId ? this.feed.socketsOfAgent(chat.agentId) : []));
    const watchers = this.feed.socketsWith(this.views.watchersOf(organizationId));
    return new Set([...owners, ...watchers, ...this.feed.listenersOf(chatId)]);
  }

  // Chats that the agent can no longer see get a `gone` row. The client reads the rest of its lists again.
  private changeRights(organizationId: string, before: Rights, after: Rights): void {
    const sockets = this.feed.socketsOfAgent(after.agentId);
    for (const chat of this.chats.of(organizationId)) {
      if (!maySee(before, chat) || maySee(after, chat)) continue;
      const gone = sockets.filter(
        ({ data }) => data.followed.has(chat.id) || data.kept.has(chat.id) || isShownTo(before, data.watched, chat),
      );
      this.feed.sendRow(
        gone.map(({ id }) => id),
        { id: chat.id, rev: chat.rev, isGone: true },
      );
      for (const socket of gone) this.follows.remove(socket, chat.id);
    }
    this.feed.sendStale(sockets);
  }
}

/**
 * Whether a socket may have been sent the chat before a change. A watched view may have shown an unknown chat in one of its
 * previous groups.
 */
function wasShown(
  rights: Rights,
  watched: Watched | null,
  { isMessage, leftGroupIds = [] }: ChatHint,
  before: TrackedChat | undefined,
  after: TrackedChat | undefined,
): boolean {
  if (before) return isShownTo(rights, watched, before);
  if (isMessage || !watchesMore(watched)) return false;
  const groupIds = after ? [...leftGroupIds, after.groupId] : leftGroupIds;
  return groupIds.some((groupId) => maySee(rights, { groupId, agentId: null }));
}
