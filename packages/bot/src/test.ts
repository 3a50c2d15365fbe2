import {
  aFlag,
  anObject,
  aText,
  type Check,
  type Checks,
  checkOptions,
  oneOf,
  options as optionsOf,
} from './lib/check.js';
import type { Bot } from './bot.js';
import { TestService } from './test-service.js';
import type { TestFile } from './test-files.js';

export type { TestFile } from './test-files.js';
import type { Chat, GroupAvailability, HandOverOptions, Message } from './wire.js';

export interface TestOptions {
  /** The visitor. Default: Vera, without an email address. */
  visitor?: Partial<Chat['visitor']>;
  /** Whether agents can take the chat. Default: AVAILABLE. */
  availability?: GroupAvailability['availability'];
}

const VISITOR: Checks<Chat['visitor']> = {
  id: aText,
  name: aText,
  email: aText,
  isVerified: aFlag,
  externalId: aText,
  metadata: anObject,
  attributes: anObject,
  verifiedAttributes: anObject,
};
const OPTIONS: Checks<TestOptions> = {
  visitor: optionsOf(VISITOR),
  availability: oneOf('AVAILABLE', 'BUSY', 'OFFLINE'),
};
const FILE: Checks<TestFile> = { name: aText, type: aText, data: anObject };
const FILES: Check = (value) => {
  if (!Array.isArray(value)) return 'must be an array of { name, type, data }';
  for (const file of value) checkOptions(file, FILE);
  return null;
};
const MORE = { metadata: anObject, replyTo: anObject, files: FILES };

/** What a visitor's message may have besides its text. */
export type TestMessage = Partial<Pick<Message, 'metadata' | 'replyTo'>> & { files?: readonly TestFile[] };

/** What a bot did in response to one event. */
export interface TestResult {
  /** Its messages, oldest first. */
  replies: Message[];
  /** The options of its hand-over; null: none. */
  handedOver: HandOverOptions | null;
  /** Errors of its handlers. */
  errors: unknown[];
}

/** A visitor's chat with a bot, without a server. */
export class TestChat {
  private readonly service: TestService;

  constructor(
    private readonly bot: Bot,
    options: TestOptions,
  ) {
    checkOptions(options, OPTIONS);
    this.service = new TestService(options);
    bot.connectTo(this.service);
  }

  /** All messages so far, from all sides. */
  get messages(): readonly Message[] {
    return this.service.messages;
  }

  /** The current state of the chat. */
  get chat(): Chat {
    return this.service.snapshot();
  }

  /** The bot's live text that the visitor sees while it streams; empty if there is none. */
  get typing(): string {
    return this.service.typing;
  }

  /** What the bot keeps about the chat. */
  get state(): Record<string, unknown> {
    return this.service.state.state;
  }

  /** Sends a visitor's message. @returns what the bot did, when its turn is over */
  say(content: string, more: TestMessage = {}): Promise<TestResult> {
    checkOptions(more, MORE);
    const { files, ...rest } = more;
    const sent = files?.map((file) => this.service.files.add(file));
    return this.result(() => this.service.write(content, { ...rest, ...(sent && { files: sent }) }));
  }

  /** An agent takes the chat, which ends a running turn. */
  claim(agent = 'Ada'): Promise<TestResult> {
    return this.result(() => this.service.claim(agent));
  }

  /** The agent returns the chat to the bot. */
  return(note: string | null = null): Promise<TestResult> {
    return this.result(() => this.service.giveBack(note));
  }

  /** Closes the chat. */
  close(): Promise<TestResult> {
    return this.result(() => this.service.close());
  }

  private async result(happen: () => Parameters<Bot['take']>[0]): Promise<TestResult> {
    const { service } = this;
    const [beginning, hadHandedOver, hadErrors] = [
      service.messages.length,
      service.handOvers.length,
      service.errors.length,
    ];
    await this.bot.take(happen());
    return {
      replies: service.messages.slice(beginning).filter(({ sender }) => sender.type === 'BOT'),
      handedOver: service.handOvers.slice(hadHandedOver).at(-1) ?? null,
      errors: service.errors.slice(hadErrors),
    };
  }
}

/**
 * Chats with a bot in a test, without a server: the bot's requests are handled in memory. Don't call `run()` on this bot.
 */
export function testBot(bot: Bot, options: TestOptions = {}): TestChat {
  return new TestChat(bot, options);
}
