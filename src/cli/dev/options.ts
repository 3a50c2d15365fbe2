/** The parsed options of `parley dev`. */
export interface DevOptions {
  url?: string;
  json?: boolean;
  org?: string;
  /** The id of an existing bot; undefined: creates one in its own organization. */
  bot?: string;
  /** The bot's webhook URL; undefined: the bot polls. */
  webhook?: string;
  port?: number;
  chaos?: boolean;
  seed?: number;
  /** A file with what to say, and what to expect. */
  script?: string;
  /** How many messages to send without a person. */
  messages?: number;
  chats: number;
  /** How many messages a visitor sends before waiting for answers. */
  burst: number;
  /** How many messages each answer has. */
  answers: number;
  /** The longest time for an answer, in seconds. */
  timeout: number;
}
