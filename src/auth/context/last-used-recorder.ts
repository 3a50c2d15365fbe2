import { Logger, type OnModuleDestroy } from '@nestjs/common';

/** The longest delay of `lastUsedAt`, in milliseconds. */
const WRITE_DELAY_MS = 2_000;

/** Collects the latest use of each token, and stores the uses in batches, outside of requests. */
export abstract class LastUsedRecorder<U> implements OnModuleDestroy {
  private readonly logger = new Logger(this.constructor.name);
  private pending = new Map<string, U>();
  private timer?: NodeJS.Timeout;

  /** Writes uses to the database. */
  protected abstract write(uses: U[]): Promise<void>;

  async onModuleDestroy(): Promise<void> {
    clearTimeout(this.timer);
    await this.flush();
  }

  protected add(key: string, use: U): void {
    this.pending.set(key, use);
    this.timer ??= setTimeout(() => void this.flush(), WRITE_DELAY_MS).unref();
  }

  private async flush(): Promise<void> {
    const uses = [...this.pending.values()];
    this.pending = new Map();
    this.timer = undefined;
    if (uses.length === 0) return;
    await this.write(uses).catch((err: unknown) => this.logger.warn({ err }, 'could not write lastUsedAt'));
  }
}
