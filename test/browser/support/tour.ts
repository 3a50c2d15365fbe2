import { expect } from '@jest/globals';
import type { Stage } from './stage.js';
import type { Visit } from './visit.js';

/** A visitor who goes from page to page of a site whose router changes the page, while the chat is open. */
export class Tour {
  private constructor(
    private readonly stage: Stage,
    readonly visit: Visit,
  ) {}

  /** Opens the chat, and leaves a draft and a mark that a loaded page doesn't have. */
  static async begin(stage: Stage, url = stage.site.url): Promise<Tour> {
    const tour = new Tour(stage, await stage.visit({}, url));
    const { visit } = tour;
    await visit.page.evaluate('window.isSamePage = true');
    await visit.open();
    await visit.say('Hello');
    await visit.composer.fill('Half a sen');
    return tour;
  }

  heading(name: string): Promise<void> {
    return this.visit.page.getByRole('heading', { name, exact: true }).waitFor();
  }

  /** A link, a form, Back, and Forward. */
  async navigate(): Promise<void> {
    const { page, composer, messages } = this.visit;
    await page.getByRole('link', { name: 'To the second' }).click();
    await this.isUnchanged('Second');
    await page.getByRole('button', { name: 'Search' }).click();
    await this.isUnchanged('Third');
    await page.goBack();
    await this.isUnchanged('Second');
    await page.goBack();
    await this.isUnchanged('First');
    await page.goForward();
    await this.isUnchanged('Second');
    await composer.press('Enter');
    await messages.getByText('Half a sen').waitFor();
  }

  /** The page has changed without a load, and the chat is as it was. */
  private async isUnchanged(title: string): Promise<void> {
    const { visit, stage } = this;
    await this.heading(title);
    expect(await visit.page.evaluate('window.isSamePage')).toBe(true);
    expect(await visit.page.locator('parley-widget').count()).toBe(1);
    expect(await visit.composer.inputValue()).toBe('Half a sen');
    await stage.say(`On ${title}`);
    await visit.messages.getByText(`On ${title}`, { exact: true }).last().waitFor();
    expect(visit.complaints).toEqual([]);
  }
}
