import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Receiver } from '../support/receiver.js';
import { findViolations } from './support/axe.js';
import { anotherChat, Desk } from './support/desk.js';
import { Stage } from './support/stage.js';

const WIDE = { viewport: { width: 1440, height: 900 } };

describe('what needs an administrator, in the console', () => {
  const stage = Stage.set({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '0.1' });
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await Receiver.start((_, response) => void response.writeHead(500).end());
  });
  afterEach(() => receiver.close());

  const line = ({ page }: Desk) => page.locator('.health');
  const again = async (desk: Desk) => {
    const [answer] = await Promise.all([desk.page.waitForResponse('**/health'), desk.page.reload()]);
    return ((await answer.json()) as { troubles: object[] }).troubles.length;
  };
  /** A webhook that fails. */
  const failing = async () => {
    const { body } = await stage.tenant.admin.post('/webhooks', { url: receiver.url }).expect(201);
    await stage.tenant.bot.post('/messages', { chatId: stage.tenant.chatId, content: 'hello' }).expect(200);
    await stage.parley.untilRow(`SELECT FROM deliveries WHERE receiver_id = '${body.id}' AND outcome = 'dead'`);
    return body.id as string;
  };
  const pause = async () => {
    const path = `/bots/${stage.tenant.botId}/connection`;
    await stage.tenant.admin.put(path, { kind: 'script', isEnabled: false }).expect(200);
  };
  /** Takes a picture into the folder of LAYOUT_PICTURES. */
  const picture = async ({ page }: Desk, name: string) => {
    const folder = process.env.LAYOUT_PICTURES;
    if (folder) await page.screenshot({ path: `${folder}/health-${name}.png` });
  };

  it('a failing webhook is named at the top with its page, until it is dismissed, and again when something is added', async () => {
    const id = await failing();
    const ida = await Desk.open(stage, { name: 'Ida', role: 'ADMIN' }, WIDE);
    await line(ida)
      .getByText(/The webhook to 127\.0\.0\.1:\d+ has failed since .*1 event was given up/)
      .waitFor();
    await picture(ida, 'one');
    expect(await findViolations(ida.visit)).toEqual([]);
    await line(ida).getByRole('link', { name: 'Open' }).click();
    await ida.page.waitForURL(`**/admin/webhooks/${id}`);
    await line(ida).getByRole('button', { name: 'Dismiss' }).click();
    await line(ida).waitFor({ state: 'detached' });
    expect(await again(ida)).toBe(1);
    expect(await line(ida).count()).toBe(0);
    await pause();
    while ((await again(ida)) < 2);
    await line(ida).getByText('1 more').waitFor();
    await picture(ida, 'two');
    await line(ida).getByRole('link', { name: '1 more' }).click();
    const list = ida.page.locator('.health-list li');
    await list.filter({ hasText: 'Bot is paused.' }).getByRole('link', { name: 'Open' }).waitFor();
    expect(await list.count()).toBe(2);
    expect(await line(ida).count()).toBe(0);
    await picture(ida, 'overview');
    expect(await findViolations(ida.visit)).toEqual([]);
  });

  it('it goes away while the page is open', async () => {
    await pause();
    const ida = await Desk.open(stage, { name: 'Ida', role: 'ADMIN' }, WIDE);
    await ida.page.clock.install();
    await ida.page.reload();
    await ida.page.clock.runFor(3_000);
    await line(ida).getByText('Bot is paused.').waitFor();
    await stage.tenant.admin.patch(`/bots/${stage.tenant.botId}/connection`, { isEnabled: true }).expect(200);
    const gone = line(ida).waitFor({ state: 'detached' });
    let isGone = false;
    void gone.then(() => (isGone = true));
    while (!isGone) await ida.page.clock.runFor(61_000);
    await gone;
  });

  it('agents and supervisors see none of it, and never ask', async () => {
    await pause();
    const sue = await Desk.open(stage, { name: 'Sue', role: 'SUPERVISOR' }, WIDE);
    const asked: string[] = [];
    sue.page.on('request', (request) => asked.push(request.url()));
    await sue.page.reload();
    // The palette is in the same part.
    await sue.page.waitForResponse('**/dialogs-*.js');
    await sue.page.keyboard.press('Control+k');
    await sue.page.getByRole('dialog').waitFor();
    expect(asked.filter((url) => url.endsWith('/health'))).toEqual([]);
    expect(await line(sue).count()).toBe(0);
  });

  it('fits at 320 px, in German and in the dark', async () => {
    await stage.tenant.admin
      .patch(`/bots/${stage.tenant.botId}`, { name: 'Donaudampfschifffahrt '.repeat(6) })
      .expect(200);
    await pause();
    await anotherChat(stage, 'Zoe', 'Hello');
    const narrow = { viewport: { width: 320, height: 640 }, colorScheme: 'dark' } as const;
    const ida = await Desk.open(stage, { name: 'Ida', role: 'ADMIN' }, narrow);
    await ida.page.evaluate(`localStorage.setItem('parley:console:language', 'de')`);
    await ida.page.reload();
    await line(ida).getByText('ist angehalten').waitFor();
    await picture(ida, '320');
    expect(await ida.page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(await findViolations(ida.visit)).toEqual([]);
  });
});
