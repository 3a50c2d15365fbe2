/** What agents are notified about (CONTRACT: Push). */
export const PUSH_KINDS = ['offer', 'assignment', 'mention', 'message'] as const;
export type PushKind = (typeof PUSH_KINDS)[number];

/** Something that happened in a chat, for agents who may have to be notified. */
export interface PushEvent {
  organizationId: string;
  chatId: string;
  kind: PushKind;
  /** The agent to notify; null: the agent who has the chat. */
  agentId: string | null;
  /** When a notification about it expires. */
  expiresAt: Date;
}
