/** Runs tasks of the same chat one after the other, and tasks of different chats concurrently, up to a limit. */
export class ChatQueues {
  private readonly waiting = new Map<string, (() => Promise<void>)[]>();
  private readonly ready: string[] = [];
  private running = 0;

  constructor(private readonly limit: number) {}

  /** Queues a task. @returns its result */
  add<T>(chatId: string, task: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const run = () => task().then(resolve, reject);
      const queue = this.waiting.get(chatId);
      if (queue) return void queue.push(run);
      this.waiting.set(chatId, [run]);
      this.ready.push(chatId);
      this.start();
    });
  }

  private start(): void {
    while (this.running < this.limit && this.ready.length > 0) {
      this.running++;
      void this.runNext(this.ready.shift()!);
    }
  }

  private async runNext(chatId: string): Promise<void> {
    const queue = this.waiting.get(chatId)!;
    await queue[0]!();
    this.running--;
    queue.shift();
    if (queue.length > 0) this.ready.push(chatId);
    else this.waiting.delete(chatId);
    this.start();
  }
}
