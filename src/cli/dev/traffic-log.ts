import type { Lines } from './lines.js';

/** An event as pull and webhooks carry it. */
export interface Event {
  id: string;
  type: string;
  data: { chat?: { id: string }; message?: { id: string; seq: number; content: string; sender: { type: string } } };
}

/** A request of the bot, and what the service answered. */
export interface Exchange {
  method: string;
  path: string;
  key?: string;
  status: number;
  body: unknown;
  /** Whether the bot does not get the answer. */
  isLost: boolean;
  milliseconds: number;
}

interface Events {
  events: Event[];
  ack: string;
  pending: number;
  gap?: { since: string };
}

/** Keeps and prints what passes between the bot and the service. */
export class TrafficLog {
  /** How many events came to the bot, and how many of them again. */
  given = 0;
  repeated = 0;
  /** Whether the bot has ever called. */
  hasCalled = false;
  private lastAt = 0;
  /** What the lines call a chat, by its id. */
  readonly places = new Map<string, string>();
  private readonly events = new Map<string, Event>();
  /** By each `ack` that the service gave and that was not presented: the events that it marks as done. */
  private readonly answers = new Map<string, string[]>();
  /** Events that the bot got, and has not marked as done. */
  private readonly open = new Set<string>();
  /** By the id of a message of the bot: the key that it was sent with. */
  private readonly keys = new Map<string, string | undefined>();

  constructor(private readonly lines: Lines) {}

  /** Milliseconds since the bot did something, or got an event; calls that find no event do not count. */
  quietFor(): number {
    return performance.now() - this.lastAt;
  }

  /** Takes note of an event that is about to be given to the bot. */
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

  /** Takes note of an event that the bot has taken, and that does not come again. */
  taken(event: Event): void {
    this.open.delete(event.id);
  }

  /** Whether the bot got the event of this message, and is done with it. */
  isDone(messageId: string): boolean {
    const event = [...this.events.values()].find(({ data }) => data.message?.id === messageId);
    return event !== undefined && !this.open.has(event.id);
  }

  /** Takes note of an `ack` that is on its way to the service: the answer may be a long wait for the next event. */
  acknowledging(ack: string): void {
    const eventIds = this.answers.get(ack) ?? [];
    this.answers.delete(ack);
    for (const id of eventIds) this.open.delete(id);
    const { length: done } = eventIds;
    if (done > 0) this.lines.add('ack', `${done} ${done === 1 ? 'event' : 'events'} done`, { eventIds });
  }

  /** Takes note of a request that the service has answered. */
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
   * The message that a message of the bot answers: the one of the event whose id, or whose message's id, is in the key it
   * was sent with. Null: another event; undefined: not known.
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

  private polled({ status, body, isLost }: Exchange): void {
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
    for (const event of events) this.give(event, pending > 0 ? `fetched, ${pending} more wait` : 'fetched');
  }
}

function describe({ type, data: { message, chat } }: Event): string {
  if (message) return `${type} #${message.seq} of ${message.sender.type}`;
  return chat ? `${type} of ${chat.id}` : type;
}
