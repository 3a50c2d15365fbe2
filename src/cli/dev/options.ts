/** The parsed options of `parley dev`. */
export interface DevOptions {
  url?: string;
  json?: boolean;
  org?: string;
  /** A bot that exists; undefined: one is made, in an organization of its own. */
  bot?: string;
  /** Where the bot takes webhook events; undefined: it fetches them. */
  webhook?: string;
  port?: number;
  chaos?: boolean;
  seed?: number;
  /** How many messages to send unattended. */
  messages?: number;
  chats: number;
  /** How many messages a visitor sends at once, before they are answered. */
  burst: number;
  /** How many messages one answer of the bot has. */
  answers: number;
  /** Seconds that an answer may take. */
  timeout: number;
}
