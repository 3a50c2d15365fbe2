import { BotSilenceService } from '../../../src/bot-silence/bot-silence.service.js';
import { eventually } from '../../support/eventually.js';
import type { Parley, Tenant } from '../../support/parley.js';

/** Seconds until agents get a chat in these tests. */
export const LIMIT = 1;

/** A tenant whose limit is short, and whose chats are read as the tests need it. */
export class Silence {
  constructor(
    readonly parley: Parley,
    readonly tenant: Tenant,
  ) {}

  static async start(parley: Parley, settings: object = { botSilenceSeconds: LIMIT }): Promise<Silence> {
    const tenant = await parley.createTenant();
    await tenant.admin.patch('', settings).expect(200);
    return new Silence(parley, tenant);
  }

  /** A message of the tenant's visitor. */
  async say(content = 'anybody?', chatId = this.tenant.chatId, token = this.tenant.visitorToken): Promise<void> {
    await this.parley.visitor(token).post(`/chats/${chatId}/messages`, { content }).expect(201);
  }

  /** A new chat with a message of its visitor. */
  async newChat(body: object = {}): Promise<string> {
    const { body: chat } = await this.tenant.admin.post('/chats', body).expect(201);
    await this.say('anybody?', chat.id, chat.visitorToken);
    return chat.id;
  }

  async owner(chatId = this.tenant.chatId): Promise<string> {
    return (await this.tenant.bot.get(`/chats/${chatId}`).expect(200)).body.owner;
  }

  /** The lines about transfers in a chat. */
  async transfers(chatId = this.tenant.chatId): Promise<any[]> {
    const { body } = await this.tenant.bot.get(`/chats/${chatId}/messages?afterSeq=0`).expect(200);
    return body.messages.filter(({ metadata }: any) => metadata?.event === 'chat.transferred');
  }

  /** The bot listens, as an SDK does that starts. */
  async listen(filters: object = {}): Promise<void> {
    await this.tenant.bot.put('/subscription', filters).expect(200);
  }

  /** A poll of the bot. */
  async poll(query = ''): Promise<any> {
    return (await this.tenant.bot.get(`/events?wait=0${query}`).expect(200)).body;
  }

  /** The bot takes all events that wait. */
  async take(): Promise<void> {
    const { ack } = await this.poll();
    await this.poll(`&ack=${ack}`);
  }

  /** Runs until agents have the chat. */
  untilHandedOver(chatId = this.tenant.chatId): Promise<string> {
    return this.until(
      () => this.owner(chatId),
      (owner) => owner === 'QUEUE',
    );
  }

  /** Runs until the value is as wanted. */
  until<T>(look: () => Promise<T>, holds: (seen: T) => boolean): Promise<T> {
    return eventually(async () => {
      await this.run();
      return look();
    }, holds);
  }

  /** Runs until a chat that another tenant's dead bot leaves alone is with agents: what has waited as long would be, too. */
  async letTimePass(): Promise<void> {
    const other = await Silence.start(this.parley);
    await other.listen();
    await other.say();
    await other.untilHandedOver();
    await this.run();
  }

  run(): Promise<void> {
    return this.parley.app.get(BotSilenceService).run();
  }
}
