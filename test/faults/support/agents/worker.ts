import { setTimeout as sleep } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import type { Random } from '../random.js';
import { type Answer, Caller } from './caller.js';
import { eventKey, type Journal } from './journal.js';

/** The probability that an offer expires, and the probability that it's declined. */
const IGNORE = 0.05;
const DECLINE = 0.2;

export interface WorkerOptions {
  id: string;
  token: string;
  urls: string[];
  /** The group where the agent claims chats; null for an agent who gets chats by routing. */
  claimsIn: string | null;
  /** The groups that the agent transfers chats to. */
  groupIds: string[];
  /** Slows down the agent by this factor. */
  pace: number;
}

/**
 * A working agent with a socket and the REST API: accepts offers, claims waiting chats, writes, and releases the chat.
 * Connects to the next node when the connection ends.
 */
export class Worker {
  /** When the socket connected, in milliseconds of `performance.now()`; null while it isn't connected. */
  connectedAt: number | null = null;
  lostAt = 0;
  private readonly busy = new Set<string>();
  /** The last row of each chat that arrived while the agent was busy with it. */
  private readonly missed = new Map<string, any>();
  /** The newest state of each chat that the agent has seen: older rows are dropped (CONTRACT: Agent API). */
  private readonly revs = new Map<string, number>();
  private readonly tasks = new Set<Promise<void>>();
  private socket?: Socket;
  private isClosed = false;
  private count = 0;

  constructor(
    private readonly options: WorkerOptions,
    private readonly caller: Caller,
    private readonly journal: Journal,
    private readonly random: Random,
    private readonly onPresence: (seen: { agentId: string; presence: string }) => void,
  ) {
    void this.stayConnected();
  }

  get id(): string {
    return this.options.id;
  }

  /** Waits until no work is in progress. */
  async rest(): Promise<void> {
    while (this.tasks.size > 0) await Promise.all(this.tasks);
  }

  close(): void {
    this.isClosed = true;
    this.socket?.close();
    this.caller.close();
  }

  private async stayConnected(): Promise<void> {
    const { urls, token } = this.options;
    for (let place = Math.floor(this.random.next() * urls.length); !this.isClosed; place++) {
      const url = `${urls[place % urls.length]}/agent`;
      const socket = io(url, { auth: { token }, transports: ['websocket'], forceNew: true, reconnection: false });
      this.socket = socket;
      socket.on('offer', ({ id, chat }) => this.begin(chat.id, () => this.answerOffer(id, chat)));
      socket.on('chat', (row) => this.look(row));
      socket.on('presence', (presence) => this.seePresence(presence));
      socket.on('inbox:stale', () => this.begin('inbox', () => this.read()));
      const ended = new Promise((resolve) => socket.once('connect_error', resolve).once('disconnect', resolve));
      socket.once('connect', () => (this.connectedAt = performance.now()));
      await ended;
      if (this.connectedAt !== null) this.lostAt = performance.now();
      this.connectedAt = null;
      socket.close();
      await sleep(this.random.between(50, 150));
    }
  }

  private begin(what: string, work: () => Promise<void>): void {
    if (this.busy.has(what) || this.isClosed) return;
    this.busy.add(what);
    const task = work()
      .catch((error: Error) => this.journal.faults.push(`an agent: ${error.message}`))
      .then(() => {
        this.busy.delete(what);
        this.tasks.delete(task);
        const row = this.missed.get(what);
        if (this.missed.delete(what)) this.look(row);
      });
    this.tasks.add(task);
  }

  /** Reads the agent's chats again when something may have been missed. */
  private async read(): Promise<void> {
    const offers = await this.call('an agent reads offers', '/offers', 'GET');
    for (const { id, chat } of offers.body?.offers ?? []) this.begin(chat.id, () => this.answerOffer(id, chat));
    const views = ['MINE', ...(this.options.claimsIn === null ? [] : ['WAITING'])];
    for (const view of views) {
      const { body } = await this.call(`an agent reads ${view}`, `/chats?view=${view}&limit=100`, 'GET');
      for (const row of body?.chats ?? []) this.look(row);
    }
  }

  private look(row: any): void {
    if (row.isGone || row.rev < (this.revs.get(row.id) ?? 0)) return;
    if (this.busy.has(row.id)) return void this.missed.set(row.id, row);
    if (row.assignedTo?.id === this.id) return this.begin(row.id, () => this.handle(row));
    const isWaiting = row.owner === 'QUEUE' && row.offer === null;
    if (isWaiting && row.group.id === this.options.claimsIn) this.begin(row.id, () => this.claim(row));
  }

  private seePresence(seen: { agentId: string; presence: string; reason?: string }): void {
    this.onPresence(seen);
    if (seen.agentId !== this.id || seen.reason !== 'MISSED_OFFERS') return;
    this.begin('presence', async () => {
      await this.call('an agent accepts again', '/presence', 'PUT', { isAccepting: true });
    });
  }

  private async answerOffer(offerId: string, row: any): Promise<void> {
    await sleep(this.random.between(0, 100));
    if (this.random.isHeads(IGNORE)) return;
    if (this.random.isHeads(DECLINE)) {
      await this.call('an agent declines', `/offers/${offerId}/decline`);
      return;
    }
    const answer = await this.call('an agent accepts', `/offers/${offerId}/accept`);
    if (this.journal.note(eventKey('chat.assigned', row.id, this.id), answer)) await this.handle(row);
  }

  // A few agents want a chat at the same moment; many would be a stampede at each of them.
  private async claim(row: any): Promise<void> {
    await sleep(this.random.between(0, 300) * (this.options.pace - 1));
    if ((this.missed.get(row.id)?.owner ?? 'QUEUE') !== 'QUEUE') return;
    const answer = await this.call('an agent claims', `/chats/${row.id}/claim`);
    if (this.journal.note(eventKey('chat.assigned', row.id, this.id), answer)) await this.handle(row);
  }

  /** Writes, and releases the chat. */
  private async handle({ id, group }: any): Promise<void> {
    const think = () => sleep(this.random.between(50, 300) * this.options.pace);
    await think();
    if (!(await this.say(id))) return;
    await think();
    const others = this.options.groupIds.filter((groupId) => groupId !== group.id);
    const choice = this.random.next();
    if (choice < 0.45) await this.give(id, 'chat.returned', '/return', { note: this.mark() });
    else if (choice < 0.7) await this.give(id, 'chat.closed', '/close');
    else if (choice < 0.85) await this.give(id, 'chat.unassigned', '/release');
    else await this.give(id, 'chat.transferred', '/transfer', { groupId: this.random.pick(others) });
  }

  private async say(chatId: string): Promise<boolean> {
    const content = this.mark();
    const body = { content, clientMessageId: content };
    const { status, body: answer } = await this.call('an agent writes', `/chats/${chatId}/messages`, 'POST', body);
    if (status === 201) {
      const { id, seq } = answer.message;
      this.journal.said.set(content, { id, seq, agentId: this.id });
    } else if (status !== 409 && status !== 404) this.journal.faults.push(`an agent's message was answered ${status}`);
    return status === 201;
  }

  private async give(chatId: string, type: string, path: string, body: { note?: string; groupId?: string } = {}) {
    const answer = await this.call(`an agent's ${path}`, `/chats/${chatId}${path}`, 'POST', body);
    this.journal.note(eventKey(type, chatId, body.note ?? this.id), answer);
  }

  private mark(): string {
    return `${this.id}-${this.count++}`;
  }

  private async call(
    what: string,
    path: string,
    method: 'GET' | 'POST' | 'PUT' = 'POST',
    body: object = {},
  ): Promise<Answer> {
    const answer = await this.caller.call({ what, path: `/api/agent${path}`, method, body });
    const { id, rev } = answer.body ?? {};
    if (rev > (this.revs.get(id) ?? 0)) this.revs.set(id, rev);
    return answer;
  }
}
