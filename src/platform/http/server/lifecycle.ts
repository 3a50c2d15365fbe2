import { Injectable } from '@nestjs/common';

/** Whether the process is shutting down. */
@Injectable()
export class Lifecycle {
  private isShuttingDown = false;
  private readonly listeners: (() => void)[] = [];

  /** Whether the process is shutting down: it finishes accepted work and accepts nothing new. */
  get isDraining(): boolean {
    return this.isShuttingDown;
  }

  /** Starts the shutdown. */
  drain(): void {
    this.isShuttingDown = true;
    for (const listener of this.listeners) listener();
  }

  /** Calls the listener when the shutdown starts: waiting requests must be answered. */
  onDrain(listener: () => void): void {
    this.listeners.push(listener);
  }
}
