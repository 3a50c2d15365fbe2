import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import {
  type Bot,
  type BotOptions,
  createBot,
  type LogContext,
  type MessageTurn,
} from '../../../packages/bot/src/index.js';
import { eventually, until } from '../../support/eventually.js';
import { Parley, type Tenant } from '../../support/parley.js';
import type { VisitorSocket } from '../../support/visitor.js';
import { Proxy } from './proxy.js';

export interface LogLine {
  line: string;
  level?: string;
  eventId?: string;
  chatId?: string;
  error?: unknown;
}

/** A service and, for each test, a tenant with one chat and a proxy in front of the service. Bots end with the test. */
export class Setting {
  parley!: Parley;
  tenant!: Tenant;
  proxy!: Proxy;
  /** Without the line of a bot that has connected. */
  readonly log: LogLine[] = [];
  private readonly bots: { bot: Bot; ended: Promise<unknown> }[] = [];

  constructor() {
    beforeAll(async () => {
      this.parley = await Parley.start();
    });
    afterAll(() => this.parley.stop());
    beforeEach(async () => {
      this.tenant = await this.parley.createTenant();
      this.proxy = await Proxy.start(this.parley.url);
      this.log.length = 0;
    });
    afterEach(async () => {
      for (const { bot, ended } of this.bots.splice(0)) {
        await bot.stop();
        await ended;
      }
      await this.proxy.close();
    });
  }

  make(options: Partial<BotOptions> = {}): Bot {
    const log = (line: string, about: LogContext) => {
      if (about.level !== 'info') this.log.push({ line, ...about });
    };
    return createBot({ url: this.proxy.url, token: this.tenant.token, signals: false, grace: 500, log, ...options });
  }

  /** Runs a bot, and waits until it has a subscription. @returns how it ends */
  async run(bot: Bot): Promise<{ bot: Bot; ended: Promise<unknown> }> {
    const ended = bot.run().catch((error: unknown) => error);
    this.bots.push({ bot, ended });
    const hasSubscription = async () => (await this.tenant.bot.get('/subscription')).status === 200;
    await until('the bot has a subscription', hasSubscription);
    return { bot, ended };
  }

  start(onMessage: (turn: MessageTurn) => unknown, options?: Partial<BotOptions>) {
    return this.run(this.make(options).on('message', onMessage));
  }

  async say(content: string, chatId = this.tenant.chatId, token = this.tenant.visitorToken): Promise<void> {
    await this.parley.visitor(token).post(`/chats/${chatId}/messages`, { content }).expect(201);
  }

  async messages(chatId = this.tenant.chatId): Promise<any[]> {
    return (await this.tenant.bot.get(`/chats/${chatId}/messages?limit=200`).expect(200)).body.messages;
  }

  async contents(chatId?: string): Promise<string[]> {
    return (await this.messages(chatId)).map(({ content }) => content);
  }

  async reads(wanted: string[], chatId?: string): Promise<void> {
    const isSame = (seen: string[]) => JSON.stringify(seen) === JSON.stringify(wanted);
    await eventually(() => this.contents(chatId), isSame);
  }

  async owner(): Promise<string> {
    return (await this.tenant.bot.get(`/chats/${this.tenant.chatId}`).expect(200)).body.owner;
  }

  waitsForPeople(): Promise<void> {
    return until('it waits for people', async () => (await this.owner()) === 'QUEUE');
  }

  async pending(): Promise<number> {
    return (await this.tenant.bot.get('/subscription').expect(200)).body.pending;
  }

  isDone(): Promise<void> {
    return until('all events are done', async () => (await this.pending()) === 0);
  }

  /** An agent who can take the tenant's chat. */
  async agent() {
    const [{ id }] = (await this.tenant.bot.get('/groups').expect(200)).body;
    return this.parley.signInAgent(this.tenant, { groupIds: [id] });
  }

  /** The visitor, with the chat open. */
  async watch(): Promise<VisitorSocket> {
    const visitor = await this.parley.connectVisitor(this.tenant.visitorToken);
    await visitor.ask('chat:open', { chatId: this.tenant.chatId });
    return visitor;
  }

  lines(): string {
    return this.log.map(({ line }) => line).join('\n');
  }
}
