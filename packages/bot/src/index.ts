export {
  Bot,
  type ChatFilter,
  createBot,
  type EventTurn,
  type MessageTurn,
  type Turns,
  type VisitorTurn,
} from './bot.js';
export { BotChat, type ChangeOptions, type OnceOptions } from './bot-chat.js';
export { ChatState } from './chat-state.js';
export { type ErrorCode, errorCodes } from './error-codes.js';
export { DeadlineError, type FieldError, NoReplyError, ParleyError, SupersededError, TurnOverError } from './errors.js';
export {
  type AgentInputMessage,
  type ModelMessage,
  type ModelMessagesOptions,
  toModelMessages,
} from './model-messages.js';
export { type Answers, answersOf, type Card, type CardOption, type Form, type FormField } from './offers.js';
export type { AttributeFilters, SearchOptions } from './search.js';
export type { FileData, FileInput, NamedFile } from './files/file-input.js';
export { ReceivedFile } from './files/received-file.js';
export type { BotOptions, Failure, LogContext, OnError, Verdict } from './options.js';
export type { ModelResult, Part, Source } from './turns/speech.js';
export type { EventTools, Tools, TurnChat } from './turns/tools.js';
export type { FetchContext } from './transport/fetch-handler.js';
export type { WebhookOptions } from './transport/receiver.js';
export { verifyWebhook, WebhookError, type WebhookHeaders } from './transport/verify.js';
export type { NodeRequest, NodeResponse } from './transport/webhook.js';
export type * from './wire.js';
