import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from './ledger.js';
import type { Random } from './random.js';

/** Time limit of an attempt, in milliseconds; an unanswered one counts as a fault long before. */
const PATIENCE = 15_000;
const REFUSED = { metadata: { text: 'x'.repeat(10_300) } };

interface Answer {
  status: number;
  body: any;
  retryAfter?: string;
}

/** A connection that ended without a response. */
interface Broken {
  reason: string;
}

export interface SenderOptions {
  name: string;
  urls: string[];
  token: string;
  chats: string[];
  /** Whether a broken connection is a fault: only a refused one is a reason to switch nodes. */
  isStrict: boolean;
}

/**
 * A bot that follows the contract: kept-alive connections, a key for each message, and retries with back-off after a
 * 503 or a broken connection, at the next node.
 */
export class Sender {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 2 });
  private place: number;

  constructor(
    private readonly options: SenderOptions,
    private readonly ledger: Ledger,
    private readonly random: Random,
  ) {
    this.place = Math.floor(random.next() * options.urls.length);
  }

  async run(isOver: () => boolean): Promise<void> {
    const { name, chats } = this.options;
    for (let count = 0; !isOver(); count++) {
      const chatId = chats[count % chats.length]!;
      const content = `${name}-${count}`;
      if (this.random.isHeads(0.02)) await this.deliver(`refused-${content}`, { chatId, ...REFUSED });
      await this.deliver(content, { chatId });
      if (this.random.isHeads(0.03)) await this.deliver(content, { chatId });
      await sleep(this.random.between(10, 50));
    }
    this.agent.destroy();
  }

  /** Retries until there's a final response. */
  private async deliver(content: string, fields: { chatId: string; metadata?: object }): Promise<void> {
    const payload = JSON.stringify({ content, ...fields });
    for (let attempt = 0; ; attempt++) {
      const startedAt = performance.now();
      const answer = await this.post(payload, content).catch(toBroken);
      const outcome = 'reason' in answer ? answer.reason : answer.status;
      this.ledger.attempt(`a bot's send`, outcome, performance.now() - startedAt);
      if ('reason' in answer) this.onBroken(answer);
      else if (this.isAnswered(answer, content, fields.chatId, startedAt)) return;
      this.place++;
      await sleep(Math.min(25 * 2 ** attempt, 500) * this.random.between(0.5, 1));
    }
  }

  private onBroken({ reason }: Broken): void {
    if (reason === 'ECONNREFUSED') return;
    this.ledger.broken++;
    if (this.options.isStrict) this.ledger.faults.push(`a request was broken off: ${reason}`);
  }

  private isAnswered({ status, body, retryAfter }: Answer, content: string, chatId: string, begunAt: number): boolean {
    const { ledger, options } = this;
    if (status === 200) {
      ledger.ack(options.name, content, { id: body.id, chatId }, begunAt);
      return true;
    }
    if (status === 503 && !(Number(retryAfter) > 0)) ledger.faults.push('a 503 without Retry-After');
    if (status === 503 && options.isStrict) ledger.faults.push(`a request failed: ${body.detail}`);
    if (status === 503 || status === 429 || status === 500) return false;
    if (status === 400) ledger.refused.add(content);
    else ledger.faults.push(`a bot's send was answered ${status} ${JSON.stringify(body)}`);
    return true;
  }

  private post(payload: string, key: string): Promise<Answer> {
    const { urls, token } = this.options;
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(payload),
      'Idempotency-Key': key,
    };
    const url = `${urls[this.place % urls.length]}/api/bot/messages`;
    return new Promise((resolve, reject) => {
      const asked = request(url, { method: 'POST', agent: this.agent, headers, timeout: PATIENCE }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.once('error', reject);
        response.once('end', () => {
          const { statusCode: status = 0 } = response;
          resolve({ status, body: JSON.parse(text), retryAfter: response.headers['retry-after'] });
        });
      });
      asked.once('timeout', () => asked.destroy(new Error('no answer at all')));
      asked.once('error', reject);
      asked.end(payload);
    });
  }
}

function toBroken({ code, message }: NodeJS.ErrnoException): Broken {
  return { reason: code ?? message };
}
