import type { Client } from './client.js';
import type { Tenant } from './tenant.js';

/** An event as a bot gets it. */
interface PulledEvent {
  id: string;
  data: { message: { chatId: string; seq: number } };
}

/** A client that pulls without the SDK: it presents the `ack` of its own last answer with its next call. */
export class PullClient {
  /** Every event that it was given, in this order. */
  readonly events: PulledEvent[] = [];
  private ack = '';

  constructor(
    private readonly bot: Client,
    private readonly limit: number,
  ) {}

  /** Acknowledges its last answer and gets the next; returns how many events that has. */
  async poll(): Promise<number> {
    const { body } = await this.bot.get(`/events?wait=0&limit=${this.limit}${this.ack}`).expect(200);
    this.ack = `&ack=${body.ack}`;
    this.events.push(...body.events);
    return body.events.length;
  }

  /** Calls until an answer is empty. @throws Error after so many calls */
  async drain(maxCalls: number): Promise<void> {
    for (let calls = 0; calls < maxCalls; calls++) if ((await this.poll()) === 0) return;
    throw new Error(`${maxCalls} calls, and there are still events`);
  }

  /** The `seq` of the events of a chat, without repetitions, in the order in which they came first. */
  seqsOf(chatId: string): number[] {
    const ofChat = this.events.filter(({ data }) => data.message.chatId === chatId);
    return [...new Set(ofChat.map(({ data }) => data.message.seq))];
  }
}

/** Has several clients call in turn until each got an empty answer. @throws Error after so many calls of each */
export async function drainInTurn(clients: readonly PullClient[], maxCalls: number): Promise<void> {
  for (let calls = 0; calls < maxCalls; calls++) {
    let events = 0;
    for (const client of clients) events += await client.poll();
    if (events === 0) return;
  }
  throw new Error(`${maxCalls} calls of each client, and there are still events`);
}

/** Has the bot of a tenant say so many messages in each of so many new chats; returns the ids of the chats. */
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
