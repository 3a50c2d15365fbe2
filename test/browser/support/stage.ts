import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { Parley, type Tenant } from '../../support/parley.js';
import { Road } from '../../support/road.js';
import { launchBrowser } from './browser.js';
import { Site } from './site.js';
import { Visit } from './visit.js';

/**
 * A browser and a service for all tests of a file and, for each test, an organization whose site reaches the service
 * through a connection that can be cut. Everything a test opens is closed after it.
 */
export class Stage {
  browser!: Browser;
  parley!: Parley;
  tenant!: Tenant;
  road!: Road;
  site!: Site;
  private readonly visits: Visit[] = [];

  /** Call this inside `describe`. */
  static set(environment: NodeJS.ProcessEnv = {}): Stage {
    const stage = new Stage();
    beforeAll(() => stage.raise(environment));
    beforeEach(() => stage.prepare());
    afterEach(() => stage.clear());
    afterAll(() => stage.strike());
    return stage;
  }

  /** A new visitor, on the site unless another URL is given. */
  async visit(options: BrowserContextOptions = {}, url = this.site.url): Promise<Visit> {
    const visit = await Visit.to(this.browser, url, options);
    this.visits.push(visit);
    return visit;
  }

  /** The chat with the latest message. */
  async chatId(): Promise<string> {
    const { chats } = (await this.tenant.bot.get('/chats').expect(200)).body;
    return chats[0].id as string;
  }

  /** The bot sends a message to that chat. */
  async say(content: string, more: object = {}): Promise<{ id: string }> {
    const chatId = await this.chatId();
    return (await this.tenant.bot.post('/messages', { chatId, content, ...more }).expect(200)).body;
  }

  /** The stored messages of that chat, in order. */
  async stored(): Promise<{ content: string; seq: number; sender: { type: string; name: string | null } }[]> {
    return (await this.tenant.bot.get(`/chats/${await this.chatId()}/messages?limit=200`).expect(200)).body.messages;
  }

  private async raise(environment: NodeJS.ProcessEnv): Promise<void> {
    [this.browser, this.parley] = await Promise.all([launchBrowser(), Parley.start(environment)]);
  }

  private async prepare(): Promise<void> {
    this.tenant = await this.parley.createTenant();
    this.road = await Road.to(this.parley.url);
    this.site = await Site.start(this.road.url, { attributes: `data-widget-key="${this.tenant.widgetKey}"` });
  }

  private async clear(): Promise<void> {
    await Promise.all(this.visits.splice(0).map((visit) => visit.close()));
    this.site.stop();
    await this.road.close();
  }

  private async strike(): Promise<void> {
    await this.browser.close();
    await this.parley.stop();
  }
}
