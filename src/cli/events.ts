import { EXIT, CliError } from './errors.js';
import { onInterruption } from './interruption.js';
import { type Item, reasonOf, Service } from './service.js';
import { note, out } from './show.js';
import { printable } from '../platform/lib/printable.js';
import { toJson } from './text.js';
import { withTimeLimit } from './time-limit.js';

/** Seconds that a poll waits for events, and the request's timeout in milliseconds. */
const WAIT_SECONDS = 25;
const TIMEOUT_MS = 40_000;
/** Milliseconds until this command's token expires, in case it isn't revoked at the end. */
const TOKEN_LIFETIME_MS = 24 * 60 * 60 * 1000;

interface Answer {
  events: Item[];
  ack: string;
  gap?: { droppedEvents: number | null; since: string };
}

interface Page {
  events: Item[];
  nextCursor: string | null;
}

/** Prints a bot's events. */
export class BotEvents {
  private readonly interrupted = new AbortController();

  /** @param path the bot's path in the admin API */
  constructor(
    private readonly service: Service,
    private readonly path: string,
    private readonly isJson: boolean,
  ) {}

  /** @throws CliError if the bot has no subscription */
  async print(): Promise<void> {
    await this.checkSubscription();
    for (let query = ''; ;) {
      const page = await this.service.get<Page>(`${this.path}/subscription/events${query}`);
      this.show(page);
      if (page.nextCursor === null) return;
      query = `?cursor=${page.nextCursor}`;
    }
  }

  /**
   * Acknowledges printed events and waits for more, until the program is interrupted. Uses a temporary token, which is revoked at the
   * end. Interrupts the poll of a running bot.
   * @throws CliError if the bot has no subscription
   */
  async follow(): Promise<void> {
    await this.checkSubscription();
    onInterruption(() => this.interrupted.abort());
    const expiresAt = new Date(Date.now() + TOKEN_LIFETIME_MS).toISOString();
    const { id, token } = await this.service.post(`${this.path}/tokens`, { name: 'parley bot events', expiresAt });
    try {
      await this.poll(token as string);
    } finally {
      await this.service.delete(`${this.path}/tokens/${id as string}`);
    }
  }

  /** Checks first, because polling would create a subscription. */
  private async checkSubscription(): Promise<void> {
    const { hasSubscription } = await this.service.get(this.path);
    if (!hasSubscription)
      throw new CliError(EXIT.failed, 'the bot has no subscription: no events are kept for it until it calls for them');
  }

  private async poll(token: string): Promise<void> {
    for (let query = '?wait=0'; !this.interrupted.signal.aborted;) {
      const answer = await this.fetch(token, query);
      this.show(answer);
      query = `?wait=${WAIT_SECONDS}&ack=${answer.ack}`;
    }
  }

  private async fetch(token: string, query: string): Promise<Answer> {
    const { url } = this.service.connection;
    const headers = { Authorization: `Bearer ${token}` };
    try {
      return await withTimeLimit(TIMEOUT_MS, this.interrupted.signal, async (signal) => {
        const response = await fetch(`${url}/api/bot/events${query}`, { headers, signal, redirect: 'manual' });
        const body = (await response.json()) as Answer & { detail?: string };
        if (response.ok) return body;
        throw new CliError(EXIT.failed, body.detail ?? `the service answered ${response.status}`);
      });
    } catch (error) {
      if (this.interrupted.signal.aborted) return { events: [], ack: '' };
      if (error instanceof CliError) throw error;
      throw new CliError(EXIT.unreachable, `the service at ${url} cannot be reached: ${reasonOf(error)}`);
    }
  }

  private show({ events, gap }: Pick<Answer, 'events' | 'gap'>): void {
    if (gap) note(`${gap.droppedEvents ?? 'some'} events since ${gap.since} were dropped`);
    for (const event of events) out(this.isJson ? toJson(event, 0) : lineOf(event));
  }
}

function lineOf({ timestamp, type, data }: Item): string {
  const { chat, message } = data as { chat: Item; message?: Item };
  const said = message ? [(message.sender as Item).type, `#${message.seq as number}`, message.content] : [];
  return printable([timestamp, type, chat.id, ...said].join('  '));
}
