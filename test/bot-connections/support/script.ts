import { Client } from '../../support/client.js';
import { eventually } from '../../support/eventually.js';
import type { Parley, Tenant } from '../../support/parley.js';

/** A script with choices, a question, and each way to end. */
export const SHOP = {
  steps: [
    {
      id: 'start',
      text: 'What is it about?',
      choices: [
        { label: 'Opening hours', next: { action: 'step', step: 'hours' } },
        { label: 'My order', next: { action: 'step', step: 'order' } },
        { label: 'Nothing more', next: { action: 'step', step: 'bye' } },
      ],
    },
    { id: 'hours', text: 'We are **open** from 9 to 5.', keywords: ['when', 'open until'] },
    { id: 'order', text: 'What is its number?', ask: 'text', next: { action: 'step', step: 'people' } },
    { id: 'people', text: 'A colleague will look.', next: { action: 'hand_over' } },
    { id: 'bye', text: 'Bye.', next: { action: 'close' } },
  ],
};

/** A tenant whose bot follows a script. */
export class ScriptedBot {
  private constructor(
    readonly parley: Parley,
    readonly tenant: Tenant,
  ) {}

  static async start(parley: Parley, settings: Record<string, unknown> = { script: SHOP }): Promise<ScriptedBot> {
    const bot = new ScriptedBot(parley, await parley.createTenant());
    await bot.connect(settings);
    return bot;
  }

  /** The same bot, with requests to another node. */
  at(node: Parley): ScriptedBot {
    const { id, token } = this.tenant;
    const admin = node.admin.below(`/${id}`);
    return new ScriptedBot(node, { ...this.tenant, admin, bot: new Client(`${node.url}/api/bot`, token) });
  }

  get path(): string {
    return `/bots/${this.tenant.botId}/connection`;
  }

  connect(settings: Record<string, unknown> = {}) {
    return this.tenant.admin.put(this.path, { kind: 'script', collectFor: 0, ...settings }).expect(200);
  }

  /** The visitor writes. */
  send(content: string, more: object = {}) {
    const { visitorToken, chatId } = this.tenant;
    return this.parley
      .visitor(visitorToken)
      .post(`/chats/${chatId}/messages`, { content, ...more })
      .expect(201);
  }

  /** The visitor writes, and the bot has answered. Returns the texts of the new messages of the bot. */
  async ask(content: string, more: object = {}): Promise<string[]> {
    const before = await this.ended();
    const { length } = await this.said();
    await this.send(content, more);
    await eventually(
      () => this.ended(),
      (count) => count > before,
    );
    return (await this.said()).slice(length).filter((text) => text !== `VISITOR: ${content}`);
  }

  /** The visitor clicks a choice of the newest question, and the bot has answered. */
  async choose(label: string): Promise<string[]> {
    const { id } = await this.offer();
    return this.ask(label, { replyTo: { messageId: id, value: label } });
  }

  /** The newest message with choices. */
  async offer(): Promise<any> {
    return (await this.messages()).findLast(({ type }) => type === 'QUICK_REPLY');
  }

  async labels(): Promise<string[]> {
    return (await this.offer()).metadata.options.map(({ label }: { label: string }) => label);
  }

  async said(): Promise<string[]> {
    return (await this.messages())
      .filter(({ sender }) => sender.type !== 'SYSTEM')
      .map(({ sender, content }) => `${sender.type}: ${content}`);
  }

  async messages(): Promise<any[]> {
    return (await this.tenant.bot.get(`/chats/${this.tenant.chatId}/messages?limit=200`).expect(200)).body.messages;
  }

  /** The turns, newest first. */
  async turns(): Promise<any[]> {
    return (await this.tenant.admin.get(`/bots/${this.tenant.botId}/turns?limit=50`).expect(200)).body.turns;
  }

  async ended(): Promise<number> {
    return (await this.turns()).filter(({ endedAt }) => endedAt !== null).length;
  }

  async chat(): Promise<any> {
    return (await this.tenant.bot.get(`/chats/${this.tenant.chatId}`).expect(200)).body;
  }
}
