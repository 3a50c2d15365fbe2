import type { OnUnanswered } from '../../groups/routing.js';

/** Why a chat was taken from its agent. */
export type UnassignReason = 'RELEASED' | 'OFFLINE' | 'DISABLED' | 'DELETED' | 'LEFT_GROUP';

/** What a queued chat waits for. */
export interface HandoffRequest {
  groupId: string;
  /** Why the chat is transferred. The visitor and webhooks see it. */
  reason?: string | null;
  /** For agents only. */
  summary?: string | null;
  /** Seconds until the chat is unanswered; 0: never. Defaults to the group's value. */
  maxWaitSeconds?: number | null;
  /** Defaults to the group's value. */
  onUnanswered?: OnUnanswered | null;
}
