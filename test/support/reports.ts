import { idAt } from '../../src/platform/lib/ids.js';
import { type ChatColumns, makeChat } from './inbox.js';
import type { Parley, Tenant } from './parley.js';

/** A time so many seconds later. */
export const seconds = (time: string, more: number): string => new Date(Date.parse(time) + more * 1_000).toISOString();

/** A stay in the queue. */
export interface Stay {
  began: string;
  /** Who got the chat. */
  agentId?: string;
  /** Seconds until the agent got it, and until this agent wrote; null: never. */
  assigned?: number | null;
  replied?: number | null;
  isUnanswered?: boolean;
}

/** Writes what reports count by SQL, with exact times. */
export class ReportData {
  private number = 0;

  constructor(
    private readonly parley: Parley,
    private readonly tenant: Tenant,
  ) {}

  /** A chat that began then. Ids contain their time of creation: a report finds the chats of its days by them. */
  async chat(created: string, columns: ChatColumns = {}): Promise<string> {
    const made = await makeChat(this.parley, this.tenant, { created_at: created, ...columns });
    const id = idAt('cht', new Date(created)).slice(0, -3) + String(++this.number).padStart(3, '0');
    await this.parley.query('UPDATE chats SET id = $2 WHERE id = $1', [made, id]);
    return id;
  }

  /** A finished hand-off. */
  async stay(
    chatId: string,
    { began, agentId, assigned = null, replied = null, isUnanswered = false }: Stay,
  ): Promise<void> {
    const end = assigned === null ? null : seconds(began, assigned);
    await this.parley.query(
      `INSERT INTO handoffs (organization_id, id, chat_id, group_id, by_type, began_at, queued_at, on_unanswered,
         unanswered_at, ended_at, outcome, agent_id, first_reply_at)
       SELECT $1, $2, $3, group_id, 'BOT', $4::timestamptz, $4::timestamptz, 'KEEP', $5::timestamptz, $6::timestamptz, $7, $8,
         $9::timestamptz FROM chats WHERE id = $3`,
      [
        this.tenant.id,
        `hof_${String(++this.number).padStart(3, '0')}`,
        chatId,
        began,
        isUnanswered ? seconds(began, 60) : null,
        end ?? seconds(began, 90),
        end === null ? 'RETURNED' : 'ASSIGNED',
        end === null ? null : agentId,
        replied === null ? null : seconds(began, replied),
      ],
    );
  }

  /** Messages of an agent, at these times. */
  async replies(chatId: string, agentId: string, ...times: string[]): Promise<void> {
    for (const at of times) {
      await this.parley.query(
        `INSERT INTO messages (organization_id, chat_id, seq, id, sender_type, sender_id, type, content, created_at)
         VALUES ($1, $2, $3, $4, 'AGENT', $5, 'TEXT', 'hello', $6)`,
        [this.tenant.id, chatId, 1_000 + ++this.number, `msg_${this.number}`, agentId, at],
      );
    }
  }

  async rating(chatId: string, score: number, at: string, comment: string | null = null): Promise<void> {
    await this.parley.query(
      'INSERT INTO ratings (organization_id, chat_id, score, comment, rated_at) VALUES ($1, $2, $3, $4, $5)',
      [this.tenant.id, chatId, score, comment, at],
    );
  }
}
