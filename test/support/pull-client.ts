import type { Client } from './client.js';
import type { Tenant } from './tenant.js';

/** An event as a bot gets it. */
interface PulledEvent {
  id: string;
  data: { message: { chatId: string; seq: number } };
}

/** A client that polls without the SDK: its next poll has the `ack` of its last response. */
export class PullClient {
  /** Every received event, in order. */
  readonly events: PulledEvent[] = [];
  private ack = '';

  constructor(
    private readonly bot: Client,
    private readonly limit: number,
  ) {}

  /** Acknowledges the last response and polls the next one. Returns its number of events. */
  async poll(): Promise<number> {
    const { body } = await this.bot.get(`/events?wait=0&limit=${this.limit}${this.ack}`).expect(200);
    this.ack = `&ack=${body.ack}`;
    this.events.push(...body.events);
    return body.events.length;
  }

  /** Polls until a response is empty. @throws Error after this many polls */
  async drain(maxCalls: number): Promise<void> {
    for (let calls = 0; calls < maxCalls; calls++) if ((await this.poll()) === 0) return;
    throw new Error(`${maxCalls} calls, and there are still events`);
  }

  /** The `seq` of a chat's events, without repetitions, in the order of their first arrival. */
  seqsOf(chatId: string): number[] {
    const ofChat = this.events.filter(({ data }) => data.message.chatId === chatId);
    return [...new Set(ofChat.map(({ data }) => data.message.seq))];
  }
}

/** Lets several clients poll in turn until each got an empty response. @throws Error after this many polls of each */
export async function drainInTurn(clients: readonly PullClient[], maxCalls: number): Promise<void> {
  for (let calls = 0; calls < maxCalls; calls++) {
    let events = 0;
    for (const client of clients) events += await client.poll();
    if (events === 0) return;
  }
  throw new Error(`${maxCalls} calls of each client, and there are still events`);
}

/** Sends this many messages as the tenant's bot in each of this many new chats. Returns the chats' ids. */
export async function sayInChats(tenant: Tenant, chats: number, messages: number): Promise<string[]> {
  return Promise.all(
    Array.from({ length: chats }, async () => {
      const { body } = await tenant.admin.post('/chats', {}).expect(201);
      for (let index = 0; index < messages; index++)
        await tenant.bot.post('/messages', { chatId: body.id, content: `${index}` }).expect(200);
      return body.id as string;
    }),
  );
}
