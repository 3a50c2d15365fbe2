import type { Bot } from './bot.js';
import { TestService } from './test-service.js';
import type { Chat, GroupAvailability, HandOverOptions, Message } from './wire.js';

export interface TestOptions {
  /** The visitor; Vera, without an e-mail address, when omitted. */
  visitor?: Partial<Chat['visitor']>;
  /** Whether agents can take the chat; AVAILABLE when omitted. */
  availability?: GroupAvailability['availability'];
}

/** What a bot did about one event. */
export interface TestResult {
  /** What it said, oldest first. */
  replies: Message[];
  /** How it handed the chat over; null: it did not. */
  handedOver: HandOverOptions | null;
  /** What its handlers threw. */
  errors: unknown[];
}

/** A visitor's chat with a bot, without a server. */
export class TestChat {
  private readonly service: TestService;

  constructor(
    private readonly bot: Bot,
    options: TestOptions,
  ) {
    this.service = new TestService(options);
    bot.connectTo(this.service);
  }

  /** Everything that was said so far, by all sides. */
  get messages(): readonly Message[] {
    return this.service.messages;
  }

  /** The chat as it is now. */
  get chat(): Chat {
    return this.service.snapshot();
  }

  /** What the visitor sees the bot write, while it streams; empty when it writes nothing. */
  get typing(): string {
    return this.service.typing;
  }

  /** Writes as the visitor. @returns what the bot did, when its turn is over */
  say(content: string, more: Partial<Pick<Message, 'metadata' | 'replyTo'>> = {}): Promise<TestResult> {
    return this.result(() => this.service.write(content, more));
  }

  /** An agent takes the chat: a running turn ends. */
  claim(agent = 'Ada'): Promise<TestResult> {
    return this.result(() => this.service.claim(agent));
  }

  /** The agent gives the chat back to the bot. */
  return(note: string | null = null): Promise<TestResult> {
    return this.result(() => this.service.giveBack(note));
  }

  /** The chat ends. */
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
 * Talks with a bot in a test, without a server: what the bot asks Parley for is answered in memory. The bot then belongs to the
 * test, and `run()` is not called.
 */
export function testBot(bot: Bot, options: TestOptions = {}): TestChat {
  return new TestChat(bot, options);
}
