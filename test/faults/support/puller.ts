import { setTimeout as sleep } from 'node:timers/promises';

/** Seconds that a poll waits, and its time limit in milliseconds. */
const WAIT = 1;
const PATIENCE = 8_000;
/** Milliseconds between two polls, so that the senders cause most of the load. */
const PAUSE = 50;

interface Answer {
  events: { id: string; data: { message: { id: string; chatId: string; seq: number } } }[];
  ack: string;
  gap?: object;
}

/** A bot that polls its events from one node after the other, and acknowledges each response. */
export class Puller {
  /** The bodies of the events, by the id of their message. */
  readonly received = new Map<string, string>();
  /** Invariants that were broken, in words. */
  readonly faults: string[] = [];
  private readonly lastSeqs = new Map<string, number>();
  private isOver = false;
  private readonly work: Promise<void>;

  constructor(
    private readonly urls: readonly string[],
    private readonly token: string,
  ) {
    this.work = this.run();
  }

  close(): Promise<void> {
    this.isOver = true;
    return this.work;
  }

  private async run(): Promise<void> {
    let ack = '';
    for (let turn = 0; !this.isOver; turn++) {
      const answer = await this.call(this.urls[turn % this.urls.length]!, ack);
      if (answer) {
        ack = `&ack=${answer.ack}`;
        this.take(answer);
      }
      await sleep(PAUSE);
    }
  }

  private async call(url: string, ack: string): Promise<Answer | null> {
    const headers = { Authorization: `Bearer ${this.token}`, Connection: 'close' };
    try {
      const signal = AbortSignal.timeout(PATIENCE);
      const response = await fetch(`${url}/api/bot/events?wait=${WAIT}${ack}`, { headers, signal });
      const body = (await response.json()) as Answer;
      if (response.ok) return body;
      if (response.status !== 503 && response.status !== 409) this.faults.push(`a call for events: ${response.status}`);
    } catch {
      // Its node or its connection is down.
    }
    return null;
  }

  private take({ events, gap }: Answer): void {
    if (gap) this.faults.push(`a gap was told: ${JSON.stringify(gap)}`);
    for (const event of events) {
      const { id, chatId, seq } = event.data.message;
      const body = JSON.stringify(event);
      const before = this.received.get(id);
      if (before !== undefined && before !== body) this.faults.push(`event ${event.id} was fetched with two bodies`);
      if (before !== undefined) continue;
      this.received.set(id, body);
      const last = this.lastSeqs.get(chatId) ?? 0;
      if (seq <= last) this.faults.push(`${seq} of chat ${chatId} was fetched after ${last}`);
      this.lastSeqs.set(chatId, seq);
    }
  }
}
