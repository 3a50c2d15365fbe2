import type { Message, ParleyEvent } from '../wire.js';

/** The most messages of one turn. */
const MAX_MESSAGES = 50;
/** The longest wait for a turn, as a multiple of `collectFor`. */
const MAX_COLLECT_FACTOR = 5;

export type MessageEvent = ParleyEvent<'message.created'>;

/** The visitor's messages that one turn answers. */
export interface Burst {
  /** The events that the turn completes. */
  events: MessageEvent[];
  /** Oldest first. */
  messages: Message[];
  /** Whether a message that the bot has sent names exactly these messages. */
  isPinned: boolean;
}

/** `answers` in the metadata of the bot's messages: the `seq` range of the visitor's messages that it answers. */
export interface Answers {
  fromSeq: number;
  toSeq: number;
}

/** The waiting events of each chat, in the order of arrival. */
export class Bursts {
  private readonly waiting = new Map<string, ParleyEvent[]>();
  private readonly watchers = new Map<string, (isLast: boolean) => void>();

  add(event: ParleyEvent): void {
    const { id } = event.data.chat;
    this.waiting.set(id, [...(this.waiting.get(id) ?? []), event]);
    this.watchers.get(id)?.(false);
  }

  remove(event: ParleyEvent): void {
    const { id } = event.data.chat;
    const left = (this.waiting.get(id) ?? []).filter((one) => one !== event);
    if (left.length > 0) this.waiting.set(id, left);
    else this.waiting.delete(id);
  }

  /** A message and the messages directly after it. Another event in between ends the burst. */
  from(event: MessageEvent, isWanted: (event: ParleyEvent) => boolean): Burst {
    const all = this.waiting.get(event.data.chat.id) ?? [];
    const rest = all.slice(all.indexOf(event) + 1);
    const end = rest.findIndex((one) => !isWanted(one));
    const events = [event, ...(end === -1 ? rest : rest.slice(0, end))].slice(0, MAX_MESSAGES) as MessageEvent[];
    return { events, messages: events.map(({ data }) => data.message), isPinned: false };
  }

  /** Waits until a chat has been quiet for this many milliseconds, or the bot stops. */
  quiet(chatId: string, milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        clearTimeout(last);
        this.watchers.delete(chatId);
        resolve();
      };
      let timer = setTimeout(end, milliseconds);
      const last = setTimeout(end, milliseconds * MAX_COLLECT_FACTOR);
      this.watchers.set(chatId, (isLast) => {
        if (isLast) return end();
        clearTimeout(timer);
        timer = setTimeout(end, milliseconds);
      });
    });
  }

  /** Ends every wait. */
  close(): void {
    for (const watcher of this.watchers.values()) watcher(true);
  }
}

/** The range that a message of the bot answers; null without one. */
export function answersOf({ sender, metadata }: Message): Answers | null {
  const { answers } = metadata as { answers?: Partial<Answers> };
  const isRange = Number.isInteger(answers?.fromSeq) && Number.isInteger(answers?.toSeq);
  return sender.type === 'BOT' && isRange ? (answers as Answers) : null;
}

export function isIn({ fromSeq, toSeq }: Answers, { seq }: Message): boolean {
  return seq >= fromSeq && seq <= toSeq;
}

/**
 * The beginning of a burst without a gap, in the order of the chat. Webhooks may arrive in any order, and an answer names the range of the
 * messages that it answers: one that's still on its way must not be in it.
 * @param later the chat's messages after the burst's first, as far as they're known
 */
export function withoutGap({ events: [first, ...others], isPinned }: Burst, later: readonly Message[]): Burst {
  const notOfVisitor = new Set(later.filter(({ sender }) => sender.type !== 'VISITOR').map(({ seq }) => seq));
  const events = [first!];
  for (let seq = first!.data.message.seq + 1; ; seq++) {
    if (notOfVisitor.has(seq)) continue;
    const next = others.find(({ data }) => data.message.seq === seq);
    if (!next) break;
    events.push(next);
  }
  return { events, messages: events.map(({ data }) => data.message), isPinned };
}

/** The beginning of a burst, up to the first message that doesn't belong to it. */
export function until(burst: Burst, isOther: (message: Message) => boolean): Burst {
  const end = burst.messages.findIndex(isOther);
  if (end === -1) return burst;
  return { ...burst, events: burst.events.slice(0, end), messages: burst.messages.slice(0, end) };
}
