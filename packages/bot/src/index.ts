export { Bot, createBot, type EventTurn, type MessageTurn, type Turns } from './bot.js';
export { DeadlineError, ParleyError, SupersededError, TurnOverError } from './errors.js';
export type { BotOptions } from './options.js';
export type { Source } from './speech.js';
export type { Tools } from './turn.js';
export type { WebhookOptions } from './webhook.js';
export type * from './wire.js';
