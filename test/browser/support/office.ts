import type { BrowserContextOptions, Locator } from 'playwright-core';
import { Desk } from './desk.js';
import type { Stage } from './stage.js';

/** Navigates like the browser's arrows, and marks the previous content. */
const goWithin = (address: string) => `{
  document.querySelector('.page-body')?.setAttribute('data-left', '');
  history.pushState(null, '', ${JSON.stringify(address)});
  dispatchEvent(new PopStateEvent('popstate'));
}`;

/** An administrator in the console, with elements by their accessible names. */
export class Office {
  private constructor(
    readonly desk: Desk,
    private readonly origin: string,
  ) {}

  /** Creates an administrator who has opened a section of the administration. */
  static async open(stage: Stage, section = 'people', options: BrowserContextOptions = {}): Promise<Office> {
    const office = Office.of(await Desk.open(stage, { name: 'Ida', role: 'ADMIN' }, options), stage);
    await office.goTo(section);
    return office;
  }

  /** An administrator who has the console open. */
  static of(desk: Desk, stage: Stage): Office {
    return new Office(desk, stage.road.url);
  }

  get page() {
    return this.desk.page;
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog');
  }

  /** Errors that the page reported. */
  get complaints(): string[] {
    return this.desk.visit.complaints;
  }

  /** Opens a section of the administration, or one resource, by its path, without loading the console again. */
  async goTo(path: string): Promise<void> {
    const address = `${this.origin}/console/admin/${path}`;
    if (this.page.url() === address) await this.page.reload();
    else await this.page.evaluate(goWithin(address));
    await this.page.locator('.page-body:not([data-left])').first().waitFor();
    await this.isRead();
  }

  /** Waits until the page shows its content. */
  async isRead(): Promise<void> {
    await this.page.locator('.page-body').first().waitFor();
    await this.page.locator('.page-body[aria-busy=true], .skeleton').first().waitFor({ state: 'detached' });
    await this.page.locator('.skeleton').waitFor({ state: 'detached' });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: typeof name === 'string' });
  }

  /** A line of the page's list. */
  line(words: string | RegExp): Locator {
    return this.page.locator('.lines > li').filter({ hasText: words });
  }

  /** Returns the value that is shown once, and closes the dialog. */
  async takeSecret(): Promise<string> {
    const field = this.dialog.locator('.copy-field input');
    const value = await field.inputValue();
    await this.button("I've saved it").click();
    await field.waitFor({ state: 'detached' });
    return value;
  }

  /** Holds the changes of a resource until `release`. */
  async holdChange(path: string, method = 'PATCH'): Promise<{ asked: Promise<unknown>; release: () => void }> {
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    const asked = this.page.waitForRequest((request) => request.method() === method);
    await this.page.route(
      (url) => url.pathname.endsWith(path),
      async (route) => {
        if (route.request().method() === method) await released;
        await route.continue();
      },
    );
    return { asked, release };
  }

  /** Waits until the page shows this notice. */
  isTold(text: string | RegExp): Promise<void> {
    return this.desk.isTold(text);
  }
}
