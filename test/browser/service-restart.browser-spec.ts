import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { ServiceProcess } from '../support/process.js';
import { freePort } from '../support/ports.mjs';
import { createTenant } from '../support/tenant.js';
import { launchBrowser } from './support/browser.js';
import { Site } from './support/site.js';
import { eventually } from '../support/eventually.js';
import { Visit } from './support/visit.js';

const ADMIN_TOKEN = 'admin-token-of-a-test-of-restarts';

describe('the service is killed under an open page', () => {
  let browser: Browser;
  let database: TestDatabase;
  let port: string;
  let service: ServiceProcess;

  beforeAll(async () => {
    [browser, database, port] = await Promise.all([launchBrowser(), createDatabase(), freePort()]);
    await start();
  });
  afterAll(async () => {
    await browser.close();
    await service.kill('SIGTERM');
    await database.drop();
  });

  async function start(): Promise<void> {
    const settings = { ADMIN_TOKEN, SECRET_KEY: 'secret-key-of-a-test'.repeat(2), DEMO: '0', NODE_ENV: 'production' };
    service = ServiceProcess.spawn({ ...settings, DATABASE_URL: database.url, PORT: port, LOG_LEVEL: 'info' });
    await service.prints(/listening on/);
  }

  it('messages in two tabs survive a killed service, once and in order', async () => {
    const url = `http://127.0.0.1:${port}`;
    const { bot: api, widgetKey } = await createTenant(url, ADMIN_TOKEN);

    const site = await Site.start(url, { attributes: `data-widget-key="${widgetKey}"` });
    const visit = await Visit.to(browser, site.url);
    await visit.open();
    await visit.say('one');
    const tab = await visit.newTab(site.url);
    await tab.open();
    const { chats } = (await api.get('/chats').expect(200)).body;
    const chatId = chats[0].id as string;

    await service.kill('SIGKILL');
    await visit.panel.getByText('Reconnecting').waitFor();
    for (const text of ['two', 'three']) await visit.write(text);
    expect(await visit.panel.getByText('Sending…').count()).toBe(2);
    await start();
    const stored = async () =>
      ((await api.get(`/chats/${chatId}/messages`).expect(200)).body.messages as { content: string }[]).map(
        ({ content }) => content,
      );
    await eventually(stored, (contents) => contents.length === 3);
    await api.post('/messages', { chatId, content: 'four' }).expect(200);
    expect(await stored()).toEqual(['one', 'two', 'three', 'four']);
    for (const one of [visit, tab]) await one.sees('one', 'two', 'three', 'four');
    expect(await visit.panel.getByText('Reconnecting').count()).toBe(0);
    await visit.close();
    site.stop();
  });
});
