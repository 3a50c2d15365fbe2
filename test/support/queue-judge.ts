import type { Parley } from './parley.js';

/** A chat that routing assigned or offered although an older one of the group waited that the agent could take. */
interface PassedOver {
  chatId: string;
  olderId: string;
  agentId: string;
}

// Runs in the transaction that assigns the chat, with its own snapshot (READ COMMITTED). An older chat counts when the
// test saw it waiting before that transaction began, and nothing has changed it since (`rev`): routing had to see it.
const INSTALL = `
  CREATE TABLE test_waiting (chat_id text PRIMARY KEY, rev integer NOT NULL, since timestamptz NOT NULL);
  CREATE TABLE test_passed_over (chat_id text, older_id text, agent_id text);
  CREATE TABLE test_given (chat_id text);
  CREATE FUNCTION test_judge(org text, chat text, place timestamptz, agent text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO test_given VALUES (chat);
    INSERT INTO test_passed_over SELECT chat, older.id, agent
    FROM chats given
    JOIN chats older ON older.organization_id = org AND older.group_id = given.group_id AND older.status = 'QUEUED'
      AND (older.queued_at, older.id) < (place, chat)
    JOIN test_waiting w ON w.chat_id = older.id AND w.rev = older.rev AND w.since < now()
    WHERE given.organization_id = org AND given.id = chat
      AND NOT EXISTS (SELECT FROM chat_offers o WHERE o.chat_id = older.id AND (o.ended_at IS NULL OR o.agent_id = agent))
      AND NOT EXISTS (SELECT FROM handoffs h WHERE h.chat_id = older.id AND h.previous_agent_id = agent);
  END $$;
  CREATE FUNCTION test_judge_assignment() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM test_judge(NEW.organization_id, NEW.chat_id, NEW.queued_at, NEW.agent_id);
    RETURN NULL;
  END $$;
  CREATE FUNCTION test_judge_offer() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM test_judge(NEW.organization_id, NEW.chat_id,
      (SELECT queued_at FROM chats c WHERE c.organization_id = NEW.organization_id AND c.id = NEW.chat_id), NEW.agent_id);
    RETURN NULL;
  END $$;
  CREATE TRIGGER test_judge AFTER UPDATE ON handoffs FOR EACH ROW WHEN (NEW.how = 'AUTOMATIC' AND OLD.how IS NULL)
    EXECUTE FUNCTION test_judge_assignment();
  CREATE TRIGGER test_judge AFTER INSERT ON chat_offers FOR EACH ROW EXECUTE FUNCTION test_judge_offer();`;

/**
 * Checks in the database, for each chat that routing assigns or offers, whether a chat that has waited longer in the
 * group was passed over. An agent gets no chat a second time that they have had or were offered.
 */
export class QueueJudge {
  private constructor(private readonly parley: Parley) {}

  static async install(parley: Parley): Promise<QueueJudge> {
    await parley.query(INSTALL);
    return new QueueJudge(parley);
  }

  /** Records that a chat waits, if it does. */
  async note(chatId: string): Promise<void> {
    await this.parley.query(
      `INSERT INTO test_waiting SELECT id, rev, clock_timestamp() FROM chats WHERE id = $1 AND status = 'QUEUED'
       ON CONFLICT (chat_id) DO UPDATE SET rev = excluded.rev, since = excluded.since`,
      [chatId],
    );
  }

  /** How many times routing assigned a chat. */
  async countGiven(): Promise<number> {
    const [row] = await this.parley.query<{ given: number }>('SELECT count(*)::integer AS given FROM test_given');
    return row!.given;
  }

  listPassedOver(): Promise<PassedOver[]> {
    return this.parley.query(
      'SELECT chat_id AS "chatId", older_id AS "olderId", agent_id AS "agentId" FROM test_passed_over',
    );
  }
}
