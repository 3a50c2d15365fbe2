import { eventually } from '../../support/eventually.js';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';

/** A visitor on a page with the widget, with elements by their accessible names. */
export class Visit {
  /** Errors that the page reported. A test that expects none checks this. */
  readonly complaints: string[] = [];

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() !== 'error') return;
      const { url } = message.location();
      this.complaints.push(URL.canParse(url) ? `${message.text()} (${new URL(url).pathname})` : message.text());
    });
  }

  static async to(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(45_000);
    const visit = new Visit(context, await context.newPage());
    await visit.page.goto(url);
    return visit;
  }

  /** The same visitor in another tab. */
  async newTab(url: string): Promise<Visit> {
    const visit = new Visit(this.context, await this.context.newPage());
    await visit.page.goto(url);
    return visit;
  }

  get launcher(): Locator {
    return this.page.locator('parley-widget .launcher');
  }

  get panel(): Locator {
    return this.page.locator('parley-widget').getByRole('dialog');
  }

  get composer(): Locator {
    return this.panel.locator('.field textarea');
  }

  /** The conversation's texts, in order. */
  get messages(): Locator {
    return this.panel.locator('.bubble');
  }

  button(name: string | RegExp): Locator {
    return this.panel.getByRole('button', { name });
  }

  /** Opens the chat, unless it was open on the previous page, and waits until the visitor can write. */
  async open(): Promise<void> {
    await this.launcher.waitFor();
    if (!(await this.page.evaluate(`sessionStorage.getItem('parley:open')`))) await this.launcher.click();
    await this.composer.waitFor();
    await this.online();
  }

  /** Opens a chat without messages, as a page with its own client would create it. */
  async openEmpty(): Promise<void> {
    await this.page.evaluate(`(async () => {
      const { src, dataset: { widgetKey } } = document.querySelector('script[data-widget-key]');
      const post = async (path, body, token) => {
        const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: 'Bearer ' + token }) };
        const options = { method: 'POST', headers, body: JSON.stringify(body) };
        return (await fetch(new URL('/api/visitor/' + path, src), options)).json();
      };
      const { token, expiresAt, visitor } = await post('sessions', { widgetKey });
      const { chat } = await post('chats', {}, token);
      const kept = { token, expiresAt, visitorId: visitor.id, chatId: chat.id };
      localStorage.setItem('parley:' + widgetKey, JSON.stringify(kept));
    })()`);
    await this.page.reload();
    await this.open();
    await this.panel.locator('header.online').waitFor();
  }

  /** Writes a message, and sends it. */
  async write(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.composer.press('Enter');
  }

  /** Sends a message, and waits until it's stored. */
  async say(text: string): Promise<void> {
    await this.write(text);
    await eventually(
      async () =>
        [await this.messages.allInnerTexts(), await this.panel.locator('.row:is(.queued, .sending)').count()] as const,
      ([texts, sending]) => texts.includes(text) && sending === 0,
    );
  }

  /** Waits until the conversation has exactly these texts, in this order. */
  async sees(...texts: string[]): Promise<void> {
    await eventually(
      () => this.messages.allInnerTexts(),
      (seen) => JSON.stringify(seen) === JSON.stringify(texts),
    );
  }

  /** Waits until messages arrive over a socket (again). Before the first message there's no connection to wait for. */
  async online(): Promise<void> {
    await this.panel.locator('header:is(.online, .idle)').waitFor();
  }

  close(): Promise<void> {
    return this.context.close();
  }
}
