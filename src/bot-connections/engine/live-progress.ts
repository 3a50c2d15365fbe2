import type { RequestContext } from '../../auth/context/request-context.js';
import type { BotTyping } from '../../live/typing/bot-typing.js';
import type { Progress } from '../drivers/driver.js';
import { newestPart, storable } from '../drivers/split-text.js';

/** Milliseconds between two texts, and between two signs of life: typing ends by itself after 10 s. */
const INTERVAL_MS = 50;
const ALIVE_MS = 5_000;
const MAX_STATUS = 60;

/** Shows the visitor what an endpoint is writing. The first text is shown immediately, later ones at a limited rate. */
export class LiveProgress implements Progress {
  private read: () => string = () => '';
  private status: string | undefined;
  private timer?: NodeJS.Timeout;
  private readonly alive: NodeJS.Timeout;
  private lastAt = -Infinity;
  private sending: Promise<void> | null = null;
  private isDirty = false;
  private hasEnded = false;
  private hasShown = false;

  constructor(
    private readonly typing: BotTyping,
    private readonly context: RequestContext,
    private readonly chatId: string,
    private readonly options: { showSteps: boolean; onToken: () => void },
  ) {
    this.alive = setInterval(() => this.schedule(), ALIVE_MS);
    this.alive.unref();
    this.schedule();
  }

  onText(read: () => string): void {
    this.options.onToken();
    this.read = read;
    this.status = undefined;
    this.schedule();
  }

  onStatus(name: string): void {
    this.options.onToken();
    if (!this.options.showSteps) return;
    this.status = storable(name).replaceAll('_', ' ').replaceAll('-', ' ').trim().slice(0, MAX_STATUS) || undefined;
    this.schedule();
  }

  /** Ends the signals. @param isCleared whether to clear the text, because no message takes its place */
  end(isCleared: boolean): void {
    this.hasEnded = true;
    clearTimeout(this.timer);
    clearInterval(this.alive);
    if (!isCleared) return;
    // Regardless of who has the chat: an agent who took it must not see the text any longer.
    const clear = () => this.typing.report(this.context, this.chatId, { isTyping: false });
    void (this.sending ?? Promise.resolve()).then(clear).catch(() => undefined);
  }

  private schedule(): void {
    this.isDirty = true;
    if (this.timer || this.sending || this.hasEnded) return;
    const wait = this.lastAt + INTERVAL_MS - performance.now();
    if (wait <= 0) return this.begin();
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.begin();
    }, wait);
  }

  private begin(): void {
    this.sending = this.send().then(() => {
      this.sending = null;
      if (this.isDirty) this.schedule();
    });
  }

  // A signal that fails is replaced by the next one.
  private async send(): Promise<void> {
    this.isDirty = false;
    this.lastAt = performance.now();
    const text = newestPart(storable(this.read()));
    this.hasShown ||= text !== '' || this.status !== undefined;
    const shown = this.hasShown ? { text, ...(this.status !== undefined && { status: this.status }) } : {};
    await this.typing
      .report(this.context, this.chatId, { isTyping: true, ...shown, ifOwner: 'BOT' })
      .catch(() => undefined);
  }
}
