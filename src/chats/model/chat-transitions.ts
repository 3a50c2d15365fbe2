import type { OnUnanswered } from '../../groups/routing.js';

/** Why a chat was taken from its agent. */
export type UnassignReason = 'RELEASED' | 'OFFLINE' | 'DISABLED' | 'DELETED' | 'LEFT_GROUP';

/** What a chat that is queued waits for. */
export interface HandoffRequest {
  groupId: string;
  /** Why; the visitor and the webhooks see it. */
  reason?: string | null;
  /** What agents should know; only agents see it. */
  summary?: string | null;
  /** After how long it is unanswered, in seconds; 0: never; omitted: as the group says. */
  maxWaitSeconds?: number | null;
  /** Omitted: as the group says. */
  onUnanswered?: OnUnanswered | null;
}
