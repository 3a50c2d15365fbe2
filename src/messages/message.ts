/** What a message is (CONTRACT section 2). */
export const MESSAGE_TYPES = ['TEXT', 'IMAGE', 'BUTTON', 'QUICK_REPLY'] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

export const SENDER_TYPES = ['VISITOR', 'BOT', 'AGENT', 'SYSTEM'] as const;
export type SenderType = (typeof SENDER_TYPES)[number];

/** The choice a message is the answer to: one of `metadata.options` of an offer in the same chat. */
export interface ReplyTo {
  messageId: string;
  value: string;
}

/** Who says something; id and name are null for SYSTEM. */
export interface Sender {
  type: SenderType;
  id: string | null;
  name: string | null;
}
