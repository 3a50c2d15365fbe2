import type { Lines } from './lines.js';

/** An event, as polls and webhooks carry it. */
export interface Event {
  id: string;
  type: string;
  data: { chat?: { id: string }; message?: { id: string; seq: number; content: string; sender: { type: string } } };
}

/** A request of the bot, and the service's response. */
export interface Exchange {
  method: string;
  path: string;
  key?: string;
  status: number;
  body: unknown;
  /** Whether it's a poll that waits for an event. */
  isWaiting: boolean;
  /** Whether the response is lost on its way to the bot. */
  isLost: boolean;
  milliseconds: number;
}

interface Events {
  events: Event[];
  ack: string;
  pending: number;
  gap?: { since: string };
}

/** Records and prints the traffic between the bot and the service. */
export class TrafficLog {
  /** How many events the bot received, and how many of them repeatedly. */
  given = 0;
  repeated = 0;
  /** Whether the bot has ever sent a request. */
  hasCalled = false;
  private lastAt = 0;
  /** The name of each chat in the log, by id. */
  readonly places = new Map<string, string>();
  private readonly events = new Map<string, Event>();
  /** The events that each unused `ack` acknowledges. */
  private readonly answers = new Map<string, string[]>();
  /** Events that the bot received and hasn't acknowledged. */
  private readonly open = new Set<string>();
  /** The idempotency key of each message that the bot sent, by message id. */
  private readonly keys = new Map<string, string | undefined>();

  constructor(private readonly lines: Lines) {}

  /** Milliseconds since the bot last acted or received an event. Empty polls don't count. */
  quietFor(): number {
    return performance.now() - this.lastAt;
  }

  /** Records an event that is about to be sent to the bot. */
  give(event: Event, how: string): void {
    const isAgain = this.events.has(event.id);
    this.lastAt = performance.now();
    this.given++;
    if (isAgain) this.repeated++;
    this.events.set(event.id, event);
    this.open.add(event.id);
    const text = `${this.places.get(event.data.chat?.id ?? '') ?? ''}${describe(event)} ${how}${isAgain ? ', again' : ''}`;
    this.lines.add('event', text, { eventId: event.id, type: event.type, chatId: event.data.chat?.id, isAgain });
  }

  /** Records an event that the bot accepted, so it isn't delivered again. */
  taken(event: Event): void {
    this.open.delete(event.id);
  }

  /** Whether the bot received and acknowledged this message's event. */
  isDone(messageId: string): boolean {
    const event = [...this.events.values()].find(({ data }) => data.message?.id === messageId);
    return event !== undefined && !this.open.has(event.id);
  }

  /** Records an `ack` when it's sent, because the response may come much later. */
  acknowledging(ack: string): void {
    const eventIds = this.answers.get(ack) ?? [];
    this.answers.delete(ack);
    for (const id of eventIds) this.open.delete(id);
    const { length: done } = eventIds;
    if (done > 0) this.lines.add('ack', `${done} ${done === 1 ? 'event' : 'events'} done`, { eventIds });
  }

  /** Records a request and its response. */
  answered(exchange: Exchange): void {
    if (exchange.path.endsWith('/typing') && exchange.status < 400) return;
    if (exchange.method === 'GET' && exchange.path === '/api/bot/events') return this.polled(exchange);
    this.lastAt = performance.now();
    const { method, path, status, body, key, milliseconds } = exchange;
    const { id, code } = (body ?? {}) as { id?: string; code?: string };
    if (path === '/api/bot/messages' && status === 200 && id) this.keys.set(id, key);
    const said = [`${method} ${path}`, status, code, `${Math.round(milliseconds)} ms`].filter(Boolean).join(' ');
    this.lines.add('call', said, { method, path, status, key });
  }

  /**
   * The message that a bot's message answers: the message of the event whose id, or whose message's id, is in its idempotency key.
   * Null: another event; undefined: unknown.
   */
  readonly answerOf = (messageId: string): string | null | undefined => {
    const key = this.keys.get(messageId);
    if (key === undefined) return undefined;
    for (const { id, data } of this.events.values()) {
      if (key.includes(id)) return data.message?.id ?? null;
      if (data.message && key.includes(data.message.id)) return data.message.id;
    }
    return undefined;
  };

  private polled({ status, body, isWaiting, isLost }: Exchange): void {
    this.hasCalled = true;
    const { events, ack, pending, gap, code = '' } = (body ?? {}) as Events & { code?: string };
    if (status !== 200 || !Array.isArray(events)) {
      return this.lines.add('call', `GET /api/bot/events ${status} ${code}`.trimEnd(), { status, code });
    }
    this.answers.set(
      ack,
      events.map(({ id }) => id),
    );
    if (isLost) return;
    if (gap) this.lines.add('event', `there is a gap: events since ${gap.since} were dropped`);
    for (const event of events) {
      // While a bot handles events, it polls without waiting to notice that an agent took a chat, and is sent the same events again.
      if (!isWaiting && this.open.has(event.id)) this.lastAt = performance.now();
      else this.give(event, pending > 0 ? `fetched, ${pending} more wait` : 'fetched');
    }
  }
}

function describe({ type, data: { message, chat } }: Event): string {
  if (message) return `${type} #${message.seq} of ${message.sender.type}`;
  return chat ? `${type} of ${chat.id}` : type;
}
