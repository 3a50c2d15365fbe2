import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PushService } from '../push/support/push-service.js';
import { eventually } from '../support/eventually.js';
import { Desk, waitingChat } from './support/desk.js';
import { Stage } from './support/stage.js';
import { Subscriber } from './support/subscriber.js';

describe("agents' push notifications", () => {
  const stage = Stage.set({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  let service: PushService;

  beforeAll(async () => {
    service = await PushService.start();
  });
  afterAll(() => service.close());

  const write = (content: string) =>
    stage.parley
      .visitor(stage.tenant.visitorToken)
      .post(`/chats/${stage.tenant.chatId}/messages`, { content })
      .expect(201);
  const subscribed = async () => {
    const browser = service.browser();
    const desk = await Desk.open(stage);
    const ada = await Subscriber.at(desk, browser);
    await ada.open();
    await desk.button('Turn on in this browser').click();
    await desk.page.getByText('Notifications are on in this browser.').waitFor();
    return { ada, desk, browser };
  };
  const hasSubscription = (agentId: string) => `SELECT FROM push_subscriptions WHERE agent_id = '${agentId}'`;
  const isVisible = (agentId: string, wanted: boolean) =>
    stage.parley.untilRow(
      `SELECT FROM agent_connections WHERE agent_id = '${agentId}' AND closed_at IS NULL AND is_visible = ${wanted}`,
    );

  it('an agent turns them on, gets one for a message while the page is hidden, and reading the chat closes it', async () => {
    const { ada, desk, browser } = await subscribed();
    await stage.parley.untilRow(hasSubscription(desk.agentId));
    await desk.page.keyboard.press('Escape');
    const chatId = await waitingChat(stage);
    await desk.goTo(chatId);
    await isVisible(desk.agentId, true);
    await desk.page.keyboard.press('Shift');
    await desk.page.keyboard.press('c');
    await desk.composer.waitFor();
    await ada.hide(true);
    await isVisible(desk.agentId, false);
    await write('Are you still there?');
    const [push] = await browser.count(1);
    await ada.deliver(JSON.stringify(push!.payload));
    expect(await ada.shows(1)).toEqual([{ title: 'Vera', body: 'Are you still there?', tag: chatId }]);
    await write('Hello?');
    await ada.deliver(JSON.stringify((await browser.count(2))[1]!.payload));
    await ada.shows(1);
    await ada.hide(false);
    await ada.shows(0);
  });

  it("a push event that can't be read shows a notification too, and a notification opens the console only", async () => {
    const { ada } = await subscribed();
    await ada.deliver('not JSON');
    expect(await ada.shows(1)).toEqual([{ title: 'Parley', body: 'Something new in a chat', tag: 'parley' }]);
    const notification = { title: 'Elsewhere', body: '', tag: 'x', navigate: 'https://evil.example/console/mine' };
    await ada.deliver(JSON.stringify({ web_push: 8030, notification }));
    await ada.shows(2);
    const places = await ada.desk.page.evaluate<string[]>(
      `navigator.serviceWorker.getRegistration().then((one) => one.getNotifications({ tag: 'x' })).then((all) => all.map(({ data }) => data.navigate))`,
    );
    const origin = new URL(ada.desk.page.url()).origin;
    expect(places).toEqual([`${origin}/console/mine`]);
  });

  it('settings are saved immediately, and the browser can be turned off again', async () => {
    const { desk } = await subscribed();
    const dialog = desk.page.getByRole('dialog', { name: 'Notifications' });
    await dialog.getByLabel('Notes that mention me').uncheck();
    await dialog.getByLabel('Play a sound').uncheck();
    await dialog.getByLabel('Quiet hours', { exact: true }).check();
    await dialog.getByLabel('Until').fill('06:30');
    await stage.parley.untilRow(`SELECT FROM agents WHERE id = '${desk.agentId}' AND push_settings @>
      '{"kinds": ["offer", "assignment", "message"], "isSilent": true, "quietHours": {"from": "22:00", "to": "06:30"}}'`);
    await desk.button('Turn off in this browser').click();
    await desk.button('Turn on in this browser').waitFor();
    expect(await stage.parley.query(hasSubscription(desk.agentId))).toEqual([]);
  });

  it('quiet hours are shown as another device has set them, and as they were after a save that failed', async () => {
    const desk = await Desk.open(stage);
    const { client } = await stage.parley.signInAgain(stage.tenant, desk.agentId);
    const set = (from: string, to: string) =>
      client.patch('/push', { quietHours: { from, to, timeZone: 'UTC' } }).expect(200);
    await set('22:00', '07:00');
    const dialog = desk.page.getByRole('dialog', { name: 'Notifications' });
    const open = async () => {
      await desk.button('Account').click();
      await desk.page.getByRole('menuitem', { name: 'Notifications' }).click();
      await dialog.getByLabel('From').waitFor();
    };
    await open();
    await desk.page.keyboard.press('Escape');
    await set('20:00', '06:00');
    await open();
    expect(await dialog.getByLabel('From').inputValue()).toBe('20:00');
    await desk.page.route('**/push', (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 503, json: {} }) : route.continue(),
    );
    await dialog.getByLabel('Until').fill('05:00');
    await eventually(
      () => dialog.getByRole('alert').textContent(),
      (text) => text !== '',
    );
    await eventually(
      () => dialog.getByLabel('Until').inputValue(),
      (time) => time === '06:00',
    );
  });

  it('a browser that was turned on subscribes again after the next sign-in, and not for another agent', async () => {
    const { desk } = await subscribed();
    await stage.parley.untilRow(hasSubscription(desk.agentId));
    const signInAs = async (agentId: string) => {
      await stage.parley.query('DELETE FROM push_subscriptions');
      await desk.visit.context.clearCookies();
      const token = await stage.parley.mintLink(stage.tenant, agentId);
      await desk.page.goto(`${stage.road.url}/console/link#${token}`);
      await desk.page.reload();
      await desk.button('Skip for now').click();
      await desk.isLive();
    };
    await signInAs(desk.agentId);
    await stage.parley.untilRow(hasSubscription(desk.agentId));
    const other = await stage.parley.signInAgent(stage.tenant, { name: 'Bob' });
    await signInAs(other.id);
    await eventually(
      () => desk.page.evaluate<string | null>(`localStorage.getItem('fake subscription')`),
      (key) => key === null,
    );
    expect(await stage.parley.query('SELECT FROM push_subscriptions')).toEqual([]);
  });

  it('the console can be installed, and its worker handles no requests', async () => {
    const { desk } = await subscribed();
    const answer = await desk.page.reload();
    await desk.isLive();
    expect(answer!.fromServiceWorker()).toBe(false);
    const devtools = await desk.visit.context.newCDPSession(desk.page);
    const { url, errors } = await devtools.send('Page.getAppManifest');
    expect([new URL(url).pathname, errors]).toEqual(['/console/app/manifest.webmanifest', []]);
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    // Each test has a private window, which installs nothing.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
    const worker = await fetch(`${stage.parley.url}/console/app/worker.js`);
    expect(worker.headers.get('cache-control')).toBe('no-cache');
    expect(worker.headers.get('service-worker-allowed')).toBe('/console/');
  });
});
