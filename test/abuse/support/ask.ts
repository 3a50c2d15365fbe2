import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';

export interface Answer {
  status: number;
  body: any;
  retryAfter: number;
}

/** Sends requests from its own address: all of 127.0.0.0/8 is this machine, and the service sees different clients. */
export class Stranger {
  private readonly agent: Agent;

  constructor(
    readonly address: string,
    private readonly url: string,
    { connections = 32 } = {},
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: connections, localAddress: address });
  }

  async ask(method: string, path: string, token?: string, body?: unknown): Promise<Answer> {
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const outgoing = request(this.url + path, { method, headers, agent: this.agent }).end(text);
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    const answer = await json(response).catch(() => null);
    return { status: response.statusCode!, body: answer, retryAfter: Number(response.headers['retry-after']) };
  }

  /** Sends the same request many times, some at a time. Returns how often each status came. */
  async flood(times: number, ask: (count: number) => Promise<Answer>): Promise<Record<number, number>> {
    const counts: Record<number, number> = {};
    let count = 0;
    const work = async () => {
      while (count < times) {
        const { status } = await ask(++count);
        counts[status] = (counts[status] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: 16 }, work));
    return counts;
  }

  close(): void {
    this.agent.destroy();
  }
}
