import type { Sender } from '../messages/message.js';

/** `typing`: a sender started or stopped typing in a chat. */
export interface TypingEvent {
  chatId: string;
  sender: Sender;
  isTyping: boolean;
}
