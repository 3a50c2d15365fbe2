import { Injectable } from '@nestjs/common';

/** The state of the process. */
@Injectable()
export class Lifecycle {
  private isShuttingDown = false;
  private readonly listeners: (() => void)[] = [];

  /** Whether the process is shutting down: it finishes accepted work and accepts no more. */
  get isDraining(): boolean {
    return this.isShuttingDown;
  }

  /** Begins to shut down. */
  drain(): void {
    this.isShuttingDown = true;
    for (const listener of this.listeners) listener();
  }

  /** Calls the listener when the process begins to shut down: requests that wait must be answered. */
  onDrain(listener: () => void): void {
    this.listeners.push(listener);
  }
}
