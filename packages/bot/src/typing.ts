import type { Api } from './api.js';

/** How often the signal is repeated, in milliseconds: the service ends it 10 s after the last one. */
const REPEAT = 5_000;

/** Has the visitor see that the bot types, while a handler runs. Its requests are not repeated: the next one tells the same. */
export class Typing {
  private timer?: NodeJS.Timeout;
  private isShown = false;

  constructor(
    private readonly api: Api,
    private readonly chatId: string,
  ) {}

  /** @param delay milliseconds until the first signal */
  start(delay: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.tell(true);
      this.start(REPEAT);
    }, delay);
  }

  /** A message ends the signal at the service; it comes again when the handler goes on for long. */
  messageWasSent(): void {
    this.isShown = false;
  }

  stop(): void {
    clearTimeout(this.timer);
    if (this.isShown) this.tell(false);
  }

  private tell(isTyping: boolean): void {
    this.isShown = isTyping;
    const path = `/chats/${encodeURIComponent(this.chatId)}/typing`;
    this.api.call('POST', path, { body: { isTyping }, isOnce: true }).catch(() => undefined);
  }
}
