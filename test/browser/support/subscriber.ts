import type { CDPSession } from 'playwright-core';
import type { FakeBrowser } from '../../push/support/push-service.js';
import { eventually } from '../../support/eventually.js';
import type { Desk } from './desk.js';

/** What a notification of the browser shows. */
export interface Shown {
  title: string;
  body: string;
  tag: string;
}

const READ_SHOWN = `navigator.serviceWorker.getRegistration()
  .then((registration) => registration?.getNotifications() ?? [])
  .then((all) => all.map(({ title, body, tag }) => ({ title, body, tag })))`;

/**
 * An agent's browser that may show notifications. A push service of the browser's maker can't be used in a test, so the page gets the
 * subscription of `browser`, and the test passes on what arrives there.
 */
export class Subscriber {
  private registrationId?: string;

  private constructor(
    readonly desk: Desk,
    private readonly devtools: CDPSession,
  ) {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      this.registrationId = registrations.find(({ isDeleted }) => !isDeleted)?.registrationId ?? this.registrationId;
    });
  }

  static async at(desk: Desk, { subscription }: FakeBrowser): Promise<Subscriber> {
    const { context } = desk.visit;
    await context.grantPermissions(['notifications']);
    await context.addInitScript(`{
      const NAME = 'fake subscription';
      const make = (key) => ({
        endpoint: ${JSON.stringify(subscription.endpoint)},
        options: { applicationServerKey: Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0)).buffer },
        toJSON: () => (${JSON.stringify(subscription)}),
        unsubscribe: async () => (localStorage.removeItem(NAME), true),
      });
      PushManager.prototype.getSubscription = async () => localStorage.getItem(NAME) && make(localStorage.getItem(NAME));
      PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
        localStorage.setItem(NAME, applicationServerKey);
        return make(applicationServerKey);
      };
      window.isAway = false;
      Object.defineProperty(document, 'hidden', { get: () => window.isAway });
      document.hasFocus = () => !window.isAway;
      Object.defineProperty(document, 'visibilityState', { get: () => (window.isAway ? 'hidden' : 'visible') });
    }`);
    await desk.page.reload();
    await desk.isLive();
    const devtools = await context.newCDPSession(desk.page);
    const subscriber = new Subscriber(desk, devtools);
    await devtools.send('ServiceWorker.enable');
    return subscriber;
  }

  /** Opens the settings. */
  async open(): Promise<void> {
    await this.desk.button('Account').click();
    await this.desk.page.getByRole('menuitem', { name: 'Notifications' }).click();
    await this.desk.page.getByRole('dialog', { name: 'Notifications' }).getByText('Notify me of').waitFor();
  }

  /** The page is hidden, or visible again. */
  async hide(isAway: boolean): Promise<void> {
    await this.desk.page.evaluate(
      `isAway = ${isAway}; document.dispatchEvent(new Event('visibilitychange')); dispatchEvent(new Event(isAway ? 'blur' : 'focus'))`,
    );
  }

  /** Passes a payload on to the service worker. */
  async deliver(data: string): Promise<void> {
    const registrationId = await eventually(
      () => this.registrationId,
      (id) => id !== undefined,
    );
    const origin = new URL(this.desk.page.url()).origin;
    await this.devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId: registrationId!, data });
  }

  /** Waits until this many notifications are shown. */
  shows(count: number): Promise<Shown[]> {
    return eventually(
      () => this.desk.page.evaluate<Shown[]>(READ_SHOWN),
      ({ length }) => length === count,
    );
  }
}
