import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Event {
  type: string;
  data: { message?: { id: string } };
}

interface Arrival {
  event: Event;
  isSigned: boolean;
}

/** A webhook receiver on this machine, which runs as long as the doctor. */
export class Receiver {
  /** Set once the webhook is created. */
  secret = '';
  private readonly arrivals: Arrival[] = [];
  private readonly waiting = new Set<() => void>();
  private readonly server = createServer((request, response) => {
    // Ignores requests that are not our events.
    void this.receive(request)
      .catch(() => undefined)
      .finally(() => response.end());
  });

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  /** Waits for this message's event. @returns whether its signature is valid */
  async next(messageId: string): Promise<boolean> {
    for (;;) {
      const found = this.arrivals.find(({ event }) => event.data.message?.id === messageId);
      if (found) return found.isSigned;
      await new Promise<void>((resolve) => this.waiting.add(resolve));
    }
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async receive(request: IncomingMessage): Promise<void> {
    const body = (await request.toArray()).join('');
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures } = request.headers;
    const key = Buffer.from(this.secret.replace('whsec_', ''), 'base64');
    const wanted = `v1,${createHmac('sha256', key)
      .update(`${String(id)}.${String(at)}.${body}`)
      .digest('base64')}`;
    const isSigned = String(signatures).split(' ').includes(wanted);
    this.arrivals.push({ event: JSON.parse(body) as Event, isSigned });
    for (const notify of this.waiting) notify();
  }
}
