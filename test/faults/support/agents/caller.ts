import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from '../ledger.js';
import type { Random } from '../random.js';

/** Time limit of an attempt, in milliseconds; an unanswered one counts as a fault long before. */
const PATIENCE = 15_000;

export interface Call {
  /** The name in the ledger: `an agent's claim`. */
  what: string;
  method?: 'GET' | 'POST' | 'PUT';
  path: string;
  body?: object;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  body: any;
  /** Whether an earlier attempt got no response, or a 503, and may have succeeded. */
  isRepeated: boolean;
}

/** Calls the REST API with one token, and retries after a 503 or a broken connection at the next node. */
export class Caller {
  private readonly agent = new Agent({ keepAlive: true });
  private place: number;
  private isClosed = false;

  constructor(
    private readonly urls: string[],
    private readonly token: string,
    private readonly ledger: Ledger,
    private readonly random: Random,
  ) {
    this.place = Math.floor(random.next() * urls.length);
  }

  /** Retries until the response is neither a 503 nor a 429. @throws Error after `close` */
  async call(call: Call): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      const startedAt = performance.now();
      const answer = await this.try(call).catch((error: NodeJS.ErrnoException) => error.code ?? error.message);
      const outcome = typeof answer === 'string' ? answer : answer.status;
      this.ledger.attempt(call.what, outcome, performance.now() - startedAt);
      if (typeof answer === 'string') this.onBroken(answer);
      else if (answer.status < 500 && answer.status !== 429) return { ...answer, isRepeated: attempt > 0 };
      if (this.isClosed) throw new Error(`${call.what} was given up: ${outcome}`);
      this.place++;
      await sleep(Math.min(25 * 2 ** attempt, 500) * this.random.between(0.5, 1));
    }
  }

  close(): void {
    this.isClosed = true;
    this.agent.destroy();
  }

  private onBroken(reason: string): void {
    if (reason !== 'ECONNREFUSED') this.ledger.broken++;
  }

  private try({ method = 'POST', path, body, headers }: Call): Promise<Omit<Answer, 'isRepeated'>> {
    const payload = method === 'GET' ? '' : JSON.stringify(body ?? {});
    const options = {
      method,
      agent: this.agent,
      timeout: PATIENCE,
      headers: {
        Authorization: `Bearer ${this.token}`,
        ...(payload && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(payload) }),
        ...headers,
      },
    };
    return new Promise((resolve, reject) => {
      const asked = request(this.urls[this.place % this.urls.length] + path, options, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.once('error', reject);
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, body: text === '' ? null : JSON.parse(text) }),
        );
      });
      asked.once('timeout', () => asked.destroy(new Error('no answer at all')));
      asked.once('error', reject);
      asked.end(payload);
    });
  }
}
