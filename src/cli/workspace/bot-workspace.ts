import { call } from './bot-client.js';
import { usage } from '../errors.js';
import type { NewChat, Subscription, Workspace } from './workspace.js';

/** The bot of the token. */
interface Me {
  name: string;
  organization: { name: string; widgetKey: string };
}

/**
 * Where the bench works without an admin token: the bot of a token. Visitors begin as on a page, with the public widget key. `remove`
 * closes their chats, because a bot can't delete them.
 */
export class BotWorkspace implements Workspace {
  private readonly chats: string[] = [];
  private hasMadeSubscription = false;

  private constructor(
    private readonly url: string,
    readonly token: string,
    private readonly me: Me,
  ) {}

  /** @throws CliError if the token is not valid there */
  static async of(url: string, token: string): Promise<BotWorkspace> {
    return new BotWorkspace(url, token, await call('GET', `${url}/api/bot/me`, token));
  }

  get description(): string {
    const { name, organization } = this.me;
    return `the bot ${name} of ${organization.name}, whose new chats are closed at the end`;
  }

  async makeChat(name: string): Promise<NewChat> {
    const { widgetKey } = this.me.organization;
    const visitor = { name };
    const session = await call<{ token: string }>('POST', `${this.url}/api/visitor/sessions`, undefined, {
      widgetKey,
      visitor,
    });
    const { chat } = await call<{ chat: { id: string } }>('POST', `${this.url}/api/visitor/chats`, session.token, {});
    this.chats.push(chat.id);
    return { id: chat.id, visitorToken: session.token };
  }

  makeWebhook(): Promise<string> {
    throw usage('--webhook needs an admin token: use `parley dev` in a clone');
  }

  subscription(): Promise<Subscription | null> {
    return this.ask<Subscription>('GET', '/subscription').catch(() => null);
  }

  async subscribe(): Promise<void> {
    if (await this.subscription()) return;
    this.hasMadeSubscription = true;
    await this.ask('PUT', '/subscription', {});
  }

  async restoreSubscription(chatId: string): Promise<void> {
    await this.ask('POST', `/chats/${chatId}/return`, {});
  }

  async remove(): Promise<void> {
    for (const id of this.chats) await this.ask('POST', `/chats/${id}/close`, {});
    if (this.hasMadeSubscription && (await this.subscription())) await this.ask('DELETE', '/subscription');
  }

  private ask<T>(method: string, path: string, body?: object): Promise<T> {
    return call(method, `${this.url}/api/bot${path}`, this.token, body);
  }
}
