import { setMaxListeners } from 'node:events';
import { type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '../service.js';
import { withTimeLimit } from '../time-limit.js';
import type { Chaos, Fault } from './chaos.js';
import type { Lines } from './lines.js';
import type { Event, TrafficLog } from './traffic-log.js';

/** The longest duration of an attempt in milliseconds, the same as the service's. */
const ATTEMPT_TIMEOUT_MS = 15_000;
/** The first and longest delay before a retry, in milliseconds. The delay doubles each time. */
const FIRST_RETRY_PAUSE_MS = 500;
const MAX_RETRY_PAUSE_MS = 10_000;
const GONE = 410;
/** The headers that are forwarded to the bot. */
const PASSED: readonly string[] = [
  'content-type',
  'traceparent',
  'user-agent',
  'webhook-id',
  'webhook-signature',
  'webhook-timestamp',
];

interface Delivery {
  event: Event;
  headers: { [name: string]: string };
  body: Buffer;
}

/**
 * Receives the service's webhook events and posts them to the bot. Without chaos, each attempt is forwarded and gets the bot's
 * response. With chaos, the service gets an immediate 2xx and this class makes the attempts, so that a fault doesn't cause the
 * service's retry delays of minutes.
 */
export class Deliveries {
  /** Deliveries that the bot hasn't accepted yet. */
  waiting = 0;
  private readonly ended = new AbortController();
  /** By chat id: resolves when the first attempts so far have ended. */
  private readonly chats = new Map<string, Promise<unknown>>();

  constructor(
    private readonly target: string,
    private readonly log: TrafficLog,
    private readonly lines: Lines,
    private readonly chaos: Chaos | null,
  ) {
    // Every delivery that runs or waits for its retry listens.
    setMaxListeners(0, this.ended.signal);
  }

  async receive(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
    const delivery = { event: JSON.parse(body.toString()) as Event, headers: toHeaders(request), body };
    if (this.chaos) {
      this.begin(delivery);
      return void response.writeHead(202).end();
    }
    const answer = await this.attempt(delivery, null);
    if (!answer) return void response.socket?.resetAndDestroy();
    if (isTaken(answer.status)) this.log.taken(delivery.event);
    if (answer.retryAfter) response.setHeader('Retry-After', answer.retryAfter);
    response.writeHead(answer.status).end();
  }

  close(): void {
    this.ended.abort();
  }

  /** Makes the first attempts of a chat one after the other. A retry may come after later deliveries. */
  private begin(delivery: Delivery): void {
    this.waiting++;
    const chatId = delivery.event.data.chat?.id ?? '';
    const first = (this.chats.get(chatId) ?? Promise.resolve()).then(() => this.try(delivery));
    this.chats.set(chatId, first);
    void first
      .then((isTaken) => (isTaken ? undefined : this.repeat(delivery)))
      .catch(() => undefined)
      .finally(() => this.waiting--);
  }

  private async repeat(delivery: Delivery): Promise<void> {
    const { signal } = this.ended;
    for (let pause = FIRST_RETRY_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_RETRY_PAUSE_MS)) {
      await sleep(pause, undefined, { signal });
      if (await this.try(delivery)) return;
    }
  }

  /** @returns whether the delivery is finished */
  private async try(delivery: Delivery): Promise<boolean> {
    const fault = this.chaos!.draw('delivery');
    if (fault) this.lines.add('chaos', `${delivery.event.type}: ${WORDS[fault]}`, { fault });
    if (fault === 'delay') await sleep(this.chaos!.delay(), undefined, { signal: this.ended.signal });
    const answer = await this.attempt(delivery, fault);
    if (fault === 'lose' || fault === 'repeat' || !answer || !isTaken(answer.status)) return false;
    this.log.taken(delivery.event);
    return true;
  }

  /** @returns null without a response */
  private async attempt(
    delivery: Delivery,
    fault: Fault | null,
  ): Promise<{ status: number; retryAfter?: string } | null> {
    if (fault !== 'cut') this.log.give(delivery.event, 'posted');
    const beginning = performance.now();
    const post = (signal: AbortSignal) => this.post(delivery, fault === 'cut', signal);
    const answer = await withTimeLimit(ATTEMPT_TIMEOUT_MS, this.ended.signal, post).catch((error: unknown) =>
      reasonOf(error),
    );
    const outcome = typeof answer === 'string' ? answer : answer.status;
    const milliseconds = Math.round(performance.now() - beginning);
    const { id, type } = delivery.event;
    this.lines.add('delivery', `${type} → ${outcome} ${milliseconds} ms`, { eventId: id, outcome });
    return typeof answer === 'string' ? null : answer;
  }

  /** @param isCut whether to kill the connection in the middle of the request */
  private post(
    { headers, body }: Delivery,
    isCut: boolean,
    signal: AbortSignal,
  ): Promise<{ status: number; retryAfter?: string }> {
    return new Promise((resolve, reject) => {
      const send = this.target.startsWith('https:') ? requestHttps : requestHttp;
      const request = send(this.target, {
        method: 'POST',
        headers: { ...headers, 'Content-Length': body.length },
        signal,
      });
      request.once('error', reject).once('response', (response) => {
        response.resume().once('error', reject);
        resolve({ status: response.statusCode!, retryAfter: response.headers['retry-after'] });
      });
      if (!isCut) return void request.end(body);
      request.write(body.subarray(0, body.length / 2), () => request.destroy(new Error('killed')));
    });
  }
}

const WORDS: { [fault in Fault]?: string } = {
  delay: 'it waits',
  cut: 'its connection is killed in the middle of the request',
  lose: 'the answer is lost',
  repeat: 'it comes again',
};

function isTaken(status: number): boolean {
  return (status >= 200 && status < 300) || status === GONE;
}

function toHeaders({ headers }: IncomingMessage): { [name: string]: string } {
  const names = Object.keys(headers).filter((name) => PASSED.includes(name));
  return Object.fromEntries(names.map((name) => [name, String(headers[name])]));
}
