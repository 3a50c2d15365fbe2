import { Injectable, Logger } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { notFound } from '../platform/errors/problem.js';
import type { PublicWidget } from './public-widgets.js';

/** How far an organization is set up, for its first administrator (CONTRACT: Admin API). */
export interface Setup {
  /** The last page of a site that loaded the widget; null: none has. */
  widget: { seenAt: string; origin: string } | null;
  /** Whether there is more than one enabled agent, and whether a second one has signed in. */
  hasInvited: boolean;
  hasColleague: boolean;
  /** When a bot's token was used last; null: never. */
  botUsedAt: string | null;
  /** Whether an agent has written to a visitor. */
  hasAnswered: boolean;
}

// A statement of its own, because a Citus cluster doesn't keep sessions where it keeps agents.
const FIND_SIGNED_IN = `SELECT DISTINCT agent_id AS "agentId" FROM agent_sessions WHERE organization_id = $1`;

const FIND = `
  SELECT o.widget_seen_at AS "seenAt", o.widget_seen_origin AS origin,
    EXISTS (SELECT FROM agents WHERE organization_id = $1 AND is_enabled OFFSET 1) AS "hasInvited",
    EXISTS (
      SELECT FROM agents a WHERE a.organization_id = $1 AND a.is_enabled AND (
        a.password_hash IS NOT NULL OR a.last_online_at IS NOT NULL
        OR a.id = ANY ($2::text[]))
      OFFSET 1) AS "hasColleague",
    GREATEST(
      (SELECT max(last_used_at) FROM access_tokens WHERE organization_id = $1),
      (SELECT max(last_success_at) FROM bot_connections WHERE organization_id = $1)) AS "botUsedAt",
    EXISTS (SELECT FROM messages WHERE organization_id = $1 AND sender_type = 'AGENT') AS "hasAnswered"
  FROM organizations o WHERE o.id = $1 AND o.deleted_at IS NULL`;

const MARK = `
  UPDATE organizations SET widget_seen_at = statement_timestamp(), widget_seen_origin = $2 WHERE id = $1 AND deleted_at IS NULL`;

interface SetupRow extends Pick<Setup, 'hasInvited' | 'hasColleague' | 'hasAnswered'> {
  seenAt: Date | null;
  origin: string | null;
  botUsedAt: Date | null;
}

/** What the first administrator of an organization has done already. */
@Injectable()
export class SetupService {
  private readonly logger = new Logger(SetupService.name);
  /** The cached settings whose page `markSeen` has stored. */
  private readonly marked = new WeakSet<PublicWidget>();

  constructor(private readonly manager: EntityManager) {}

  /** @throws Problem not_found */
  async get(organizationId: string): Promise<Setup> {
    const signedIn: { agentId: string }[] = await this.manager.query(FIND_SIGNED_IN, [organizationId]);
    const values = [organizationId, signedIn.map(({ agentId }) => agentId)];
    const [row]: SetupRow[] = await this.manager.query(FIND, values);
    const { seenAt, origin, botUsedAt, ...rest } = row ?? notFound('Organization');
    return {
      widget: seenAt && { seenAt: seenAt.toISOString(), origin: origin ?? '' },
      ...rest,
      botUsedAt: botUsedAt?.toISOString() ?? null,
    };
  }

  /**
   * Stores that a page of this origin loaded the widget: once for each time that a node reads the settings, so at most about once a
   * minute. A failure is only logged.
   */
  async markSeen(widget: PublicWidget, origin: string): Promise<void> {
    if (this.marked.has(widget)) return;
    this.marked.add(widget);
    await this.manager
      .query(MARK, [widget.organizationId, origin])
      .catch((err: unknown) => this.logger.warn({ err }, 'failed to store where a widget was loaded'));
  }
}
