import type { Api } from '../transport/api.js';
import { ParleyError } from '../errors.js';
import { after, idle, type Timer } from '../lib/timer.js';

/** How often the signal is repeated, in milliseconds: the service ends it 10 s after the last one. */
const REPEAT = 5_000;
/** Milliseconds between two texts: the service passes on 10 a second. */
const PACE = 100;
/** The longest time in milliseconds that a message waits for a signal that is under way. */
const PATIENCE = 2_000;
/** Characters (Unicode code points) of a text, as of a message. */
const MAX_LENGTH = 5_000;

/**
 * Has the visitor see that the bot types, and what it has written so far, while a handler runs. Its requests are not repeated: the
 * next one tells the same.
 */
export class Typing {
  private timer?: Timer;
  private isShown = false;
  /** The newest text that was not told yet. */
  private text?: string;
  private isPausing = false;
  private request = Promise.resolve();

  /** @param onRefused called when the service refuses it: people have the chat, or it is gone */
  constructor(
    private readonly api: Api,
    private readonly chatId: string,
    private readonly onRefused: (error: ParleyError) => void,
  ) {}

  /** @param delay milliseconds until the first signal */
  start(delay: number): void {
    clearTimeout(this.timer);
    this.timer = after(delay, () => {
      this.tell({ isTyping: true, ifOwner: 'BOT' });
      this.start(REPEAT);
    });
  }

  /** Shows what was written so far, the whole of it. Of several texts in a short time the newest is shown. */
  write(text: string): void {
    this.text = wellFormed(text);
    if (!this.isPausing) this.writeNext();
  }

  /** Resolves when nothing is under way any more that a message would not end, or after a while. To be called before it is sent. */
  async settle(): Promise<void> {
    this.text = undefined;
    await Promise.race([this.request, idle(PATIENCE)]);
  }

  /** A message ends the signal at the service; it comes again when the handler goes on for long. */
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
    this.tell({ isTyping: true, text, ifOwner: 'BOT' });
    void Promise.all([this.request, idle(PACE)]).then(() => {
      this.isPausing = false;
      this.writeNext();
    });
  }

  private tell(body: { isTyping: boolean; text?: string; ifOwner?: 'BOT' }): void {
    this.isShown = body.isTyping;
    const path = `/chats/${encodeURIComponent(this.chatId)}/typing`;
    const told = this.api.call('POST', path, { body, isOnce: true }).catch((error: unknown) => {
      const isRefused = error instanceof ParleyError && (error.status === 404 || error.status === 409);
      if (body.isTyping && isRefused) this.onRefused(error);
    });
    this.request = Promise.all([this.request, told]).then(() => undefined);
  }
}

/** The beginning that may be shown. A part of a stream may end within a character. */
function wellFormed(text: string): string {
  const whole = text.length > MAX_LENGTH ? [...text].slice(0, MAX_LENGTH).join('') : text;
  const last = whole.charCodeAt(whole.length - 1);
  return last >= 0xd800 && last < 0xdc00 ? whole.slice(0, -1) : whole;
}
