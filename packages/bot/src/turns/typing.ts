import type { Api } from '../transport/api.js';
import { ParleyError } from '../errors.js';
import { storable } from '../lib/text.js';
import { after, idle, type Timer } from '../lib/timer.js';

/** Milliseconds between two signals. The service clears the indicator 10 s after the last one. */
const REPEAT_INTERVAL_MS = 5_000;
/** Milliseconds between two texts. The service forwards 10 a second. */
const TEXT_INTERVAL_MS = 100;
/** The longest time that a message waits for an unfinished signal, in milliseconds. */
const SIGNAL_TIMEOUT_MS = 2_000;
/** The most characters (Unicode code points) of a live text, as of a message. */
const MAX_LENGTH = 5_000;
/** Characters of a status. */
const MAX_STATUS = 200;

interface Written {
  text: string;
  status?: string;
}

/**
 * Shows the visitor that the bot is typing, and its text so far, while a handler runs. Its requests aren't retried, because the next one
 * replaces them.
 */
export class Typing {
  private timer?: Timer;
  private isShown = false;
  /** The newest text that wasn't sent yet, and what the bot is doing. */
  private text?: Written;
  private isPausing = false;
  private request = Promise.resolve();

  /**
   * @param onRefused called if the service refuses it, because people have the chat or it was erased
   * @param onStopped called if the visitor has stopped what the bot writes
   */
  constructor(
    private readonly api: Api,
    private readonly chatId: string,
    private readonly onRefused: (error: ParleyError) => void,
    private readonly onStopped: () => void,
  ) {}

  /** @param delay milliseconds until the first signal */
  start(delay: number): void {
    clearTimeout(this.timer);
    this.timer = after(delay, () => {
      this.tell({ isTyping: true, ifOwner: 'BOT' });
      this.start(REPEAT_INTERVAL_MS);
    });
  }

  /** Shows the whole text so far, and what the bot is doing. Of several texts in a short time, only the newest is sent. */
  write(text: string, status?: string): void {
    this.text = { text: beginningOf(text, MAX_LENGTH), ...(status && { status: beginningOf(status, MAX_STATUS) }) };
    if (!this.isPausing) this.writeNext();
  }

  /** Resolves when no signal is in flight, or after a while. Call this before you send a message. */
  async settle(): Promise<void> {
    this.text = undefined;
    await Promise.race([this.request, idle(SIGNAL_TIMEOUT_MS)]);
  }

  /** A sent message clears the indicator. It's shown again if the handler keeps running. */
  messageWasSent(): void {
    this.isShown = false;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.text = undefined;
    if (this.isShown) this.tell({ isTyping: false });
  }

  private writeNext(): void {
    const { text } = this;
    this.text = undefined;
    if (text === undefined) return;
    this.isPausing = true;
    this.tell({ isTyping: true, ...text, canStop: true, ifOwner: 'BOT' });
    void Promise.all([this.request, idle(TEXT_INTERVAL_MS)]).then(() => {
      this.isPausing = false;
      this.writeNext();
    });
  }

  private tell(body: { isTyping: boolean; canStop?: true; ifOwner?: 'BOT' } & Partial<Written>): void {
    this.isShown = body.isTyping;
    const path = `/chats/${encodeURIComponent(this.chatId)}/typing`;
    const sent = this.api.call<{ isStopped?: boolean }>('POST', path, { body, isOnce: true });
    const onSent = (answer: { body: { isStopped?: boolean } }) => {
      if (body.isTyping && answer.body.isStopped) this.onStopped();
    };
    const told = sent.then(onSent, (error: unknown) => {
      const isRefused = error instanceof ParleyError && (error.status === 404 || error.status === 409);
      if (body.isTyping && isRefused) this.onRefused(error);
    });
    this.request = Promise.all([this.request, told]).then(() => undefined);
  }
}

function beginningOf(text: string, limit: number): string {
  return storable(text.length > limit ? [...text].slice(0, limit).join('') : text);
}
