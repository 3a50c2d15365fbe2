import { createVisitorClient, type VisitorClient } from 'parley/visitor';
import { Road } from '../../support/road.js';
import type { Ledger } from './ledger.js';
import type { Heard, Visitor } from './visitor.js';

/** A visitor with the product's own client, on a connection that leads to another node when theirs is down. */
export class ClientVisitor implements Visitor {
  readonly applied: Heard[] = [];
  chatId = '';

  private constructor(
    readonly name: string,
    private readonly road: Road,
    private readonly client: VisitorClient,
    private readonly ledger: Ledger,
  ) {}

  static async open(
    name: string,
    urls: string[],
    place: number,
    widgetKey: string,
    ledger: Ledger,
  ): Promise<ClientVisitor> {
    const road = await Road.to(urls[place % urls.length]!);
    const client = createVisitorClient({ url: road.url, widgetKey, storage: memory() });
    const visitor = new ClientVisitor(name, road, client, ledger);
    client.onMessage(({ id, seq }) => visitor.applied.push({ id, seq }));
    visitor.chatId = (await client.openChat()).id;
    let next = place;
    client.connection.subscribe(({ state }) => {
      if (state === 'offline') road.target = urls[++next % urls.length]!;
    });
    return visitor;
  }

  async say(content: string): Promise<void> {
    const begunAt = performance.now();
    const sent = this.client.send(content, { clientMessageId: content });
    const { id, seq, chatId } = await this.insist(content, sent);
    this.ledger.ack(this.name, content, { id, seq, chatId }, begunAt);
  }

  close(): void {
    this.client.close();
    void this.road.close();
  }

  // The client gives up after some attempts and lets its user decide. This one retries.
  private async insist(content: string, sent: ReturnType<VisitorClient['send']>): ReturnType<VisitorClient['send']> {
    for (;;) {
      try {
        return await sent;
      } catch (error) {
        const { code } = error as { code?: string };
        this.ledger.attempt(`a client's send`, code ?? 'failed', 0);
        if (code !== 'unavailable' && code !== 'unreachable' && code !== 'internal_error') throw error;
        this.client.discard(content);
        sent = this.client.send(content, { clientMessageId: content });
      }
    }
  }
}

function memory() {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}
