import type { ServerResponse } from 'node:http';
import { eventually } from '../../support/eventually.js';
import { Parley, type Tenant } from '../../support/parley.js';
import { Receiver } from '../../support/receiver.js';

/** A chunk of a stream of chat completions. */
export const delta = (fields: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: fields, finish_reason: finish }] })}\n\n`;
export const text = (content: string) => delta({ content });
export const call = (name: string, args: object | string, index = 0) =>
  delta({
    tool_calls: [
      {
        index,
        id: `call_${index}`,
        type: 'function',
        function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
      },
    ],
  });
export const usage = (input: number, output: number) =>
  `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: input, completion_tokens: output } })}\n\n`;
export const STOP = `${delta({}, 'stop')}data: [DONE]\n\n`;

/** Begins a stream of events. */
export function stream(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream' });
}

/** Answers with a whole stream. */
export const says =
  (...parts: string[]) =>
  (_: unknown, response: ServerResponse): void =>
    void stream(response).end(parts.join('') + STOP);

/** A tenant whose bot is connected to a model on loopback. */
export class ConnectedBot {
  private constructor(
    readonly parley: Parley,
    readonly tenant: Tenant,
    readonly model: Receiver,
  ) {}

  static async start(parley: Parley, settings: Record<string, unknown> = {}): Promise<ConnectedBot> {
    const [tenant, model] = [await parley.createTenant(), await Receiver.start(says(text('Hello!')))];
    const bot = new ConnectedBot(parley, tenant, model);
    await bot.connect(settings);
    return bot;
  }

  get base(): string {
    return `http://127.0.0.1:${this.model.port}/v1`;
  }

  get path(): string {
    return `/bots/${this.tenant.botId}/connection`;
  }

  connect(settings: Record<string, unknown> = {}) {
    const ofOpenAi = settings.kind === undefined && { kind: 'openai', key: 'sk-1', model: 'm-1' };
    const body = { ...ofOpenAi, url: this.base, collectFor: 0, tries: 1, ...settings };
    return this.tenant.admin.put(this.path, body).expect(200);
  }

  /** Lets the model keep requests without an answer. @returns lets it answer them and all later ones */
  holdAnswers(answer: ReturnType<typeof says>): () => void {
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    this.model.become(async (received, response) => {
      await isReleased;
      answer(received, response);
    });
    return release;
  }

  /** The visitor writes. */
  async say(content: string, token = this.tenant.visitorToken, chatId = this.tenant.chatId) {
    return this.parley.visitor(token).post(`/chats/${chatId}/messages`, { content }).expect(201);
  }

  /** What the chat has, apart from system messages. */
  async said(chatId = this.tenant.chatId): Promise<string[]> {
    return (await this.messages(chatId))
      .filter(({ sender }) => sender.type !== 'SYSTEM')
      .map(({ sender, content }) => `${sender.type}: ${content}`);
  }

  async messages(chatId = this.tenant.chatId): Promise<any[]> {
    const { body } = await this.tenant.bot.get(`/chats/${chatId}/messages?limit=200`).expect(200);
    return body.messages;
  }

  async turns(query = ''): Promise<any[]> {
    return (await this.tenant.admin.get(`/bots/${this.tenant.botId}/turns${query}`).expect(200)).body.turns;
  }

  /** Waits until so many turns have ended, and returns them, the oldest first. */
  async ended(count: number): Promise<any[]> {
    const hasEnded = (turns: any[]) => turns.filter(({ endedAt }) => endedAt !== null).length >= count;
    return (await eventually(() => this.turns(), hasEnded)).toReversed();
  }

  async owner(chatId = this.tenant.chatId): Promise<string> {
    return (await this.tenant.bot.get(`/chats/${chatId}`).expect(200)).body.owner;
  }

  close(): Promise<void> {
    return this.model.close();
  }
}
