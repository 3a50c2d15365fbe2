import { call } from './bot-client.js';
import { CliError, EXIT } from '../errors.js';
import { checkId, findOrganization } from '../organization.js';
import { type Item, reasonOf, type Service } from '../service.js';

/** Milliseconds until an existing bot's temporary token expires, in case it isn't revoked at the end. */
const TOKEN_LIFETIME_MS = 24 * 60 * 60 * 1000;
const SENDER_TYPES = ['VISITOR', 'AGENT', 'SYSTEM'];

/** A chat, and the token of its visitor. */
export interface NewChat {
  id: string;
  visitorToken: string;
}

export interface Subscription {
  /** How many events wait. */
  pending: number;
  lastPolledAt: string | null;
}

/** Where the bench works. */
export interface Workspace {
  /** What it is, and what happens to it at the end. */
  readonly description: string;
  /** The bot's access token. */
  readonly token: string;
  /** Creates a visitor with a chat. */
  makeChat(name: string): Promise<NewChat>;
  /** Creates a webhook to this address. @returns its secret */
  makeWebhook(url: string): Promise<string>;
  /** The bot's subscription; null if there is none, or the service doesn't respond. */
  subscription(): Promise<Subscription | null>;
  /** Creates a subscription, unless the bot has one. */
  subscribe(): Promise<void>;
  /** Returns a chat to the bots. */
  restoreSubscription(chatId: string): Promise<void>;
  /** Removes what was created, newest first. @throws CliError */
  remove(): Promise<void>;
}

/** With the admin token: an organization of its own, or an existing bot. `remove` deletes everything that was created. */
export class AdminWorkspace implements Workspace {
  botId = '';
  token = '';
  private readonly made: string[] = [];
  private hasMadeSubscription = false;

  private constructor(
    private readonly service: Service,
    /** The organization's path in the admin API. */
    private readonly path: string,
    private readonly isOwn: boolean,
  ) {}

  get description(): string {
    return `${this.isOwn ? 'an organization of its own' : 'a bot of yours'}, removed at the end`;
  }

  /** Creates an organization with a bot. */
  static async make(service: Service): Promise<AdminWorkspace> {
    const { id } = await service.post('', { name: `parley dev ${new Date().toISOString()}` });
    const workspace = new AdminWorkspace(service, `/${id as string}`, true);
    workspace.made.push(workspace.path);
    await workspace.orRemove(async () => {
      const bot = await service.post(`${workspace.path}/bots`, { name: 'Bot' });
      await workspace.takeBot(bot.id as string);
    });
    return workspace;
  }

  /** Uses an existing bot. */
  static async of(service: Service, bot: string, org?: string): Promise<AdminWorkspace> {
    const workspace = new AdminWorkspace(service, `/${await findOrganization(service, org)}`, false);
    await workspace.takeBot(checkId(bot, '--bot'));
    return workspace;
  }

  async makeChat(name: string): Promise<NewChat> {
    const chat = await this.service.post(`${this.path}/chats`, { visitor: { name } });
    this.made.push(`${this.path}/visitors/${(chat.visitor as Item).id as string}`);
    return { id: chat.id as string, visitorToken: chat.visitorToken as string };
  }

  async makeWebhook(url: string): Promise<string> {
    const webhook = await this.service
      .post(`${this.path}/webhooks`, { url, senderTypes: SENDER_TYPES })
      .catch((error: unknown) => {
        const hint = 'start it with WEBHOOK_ALLOWED_HOSTS=127.0.0.1, on this machine';
        throw new CliError(EXIT.failed, `the service does not send to this program: ${reasonOf(error)} (${hint})`);
      });
    this.made.push(`${this.path}/webhooks/${webhook.id as string}`);
    return webhook.secret as string;
  }

  subscription(): Promise<Subscription | null> {
    return this.service.get<Subscription>(`${this.path}/bots/${this.botId}/subscription`).catch(() => null);
  }

  async subscribe(): Promise<void> {
    if (await this.subscription()) return;
    this.hasMadeSubscription = true;
    await this.callBot('PUT', '/subscription', {});
  }

  async restoreSubscription(chatId: string): Promise<void> {
    await this.callBot('POST', `/chats/${chatId}/return`, {});
  }

  async remove(): Promise<void> {
    if (!this.isOwn && this.hasMadeSubscription && (await this.subscription()))
      await this.callBot('DELETE', '/subscription');
    const paths = this.isOwn ? this.made.slice(0, 1) : this.made.toReversed();
    for (const path of paths) await this.service.delete(this.isOwn ? `${path}?now=true` : path);
  }

  private async takeBot(id: string): Promise<void> {
    this.botId = id;
    const expiresAt = new Date(Date.now() + TOKEN_LIFETIME_MS).toISOString();
    const path = `${this.path}/bots/${id}/tokens`;
    const made = await this.service.post(path, { name: 'parley dev', expiresAt });
    this.made.push(`${path}/${made.id as string}`);
    this.token = made.token as string;
  }

  private async orRemove(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      await this.remove();
      throw error;
    }
  }

  private callBot(method: string, path: string, body?: object): Promise<unknown> {
    return call(method, `${this.service.connection.url}/api/bot${path}`, this.token, body);
  }
}
