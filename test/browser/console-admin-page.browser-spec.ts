import { describe, expect, it } from '@jest/globals';
import { PNG } from '../support/pictures.js';
import { findViolations } from './support/axe.js';
import { Desk } from './support/desk.js';
import { LOOKS } from './support/looks.js';
import { Office } from './support/office.js';
import { Stage } from './support/stage.js';

/** Reports of the Content-Security-Policy, and anything an attack would have run. */
const WATCH = `
  window.reports = [];
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    window.reports.push(violatedDirective + ' ' + blockedURI));
  window.attacked = (by) => window.reports.push('attack ' + by);`;
const HOSTILE = [
  `<img src=x onerror="attacked('img')">`,
  `<script>attacked('script')</script>`,
  `"><svg onload=attacked('svg')>`,
  `{{constructor.constructor('attacked()')()}}`,
].join(' ');
const HARM = `document.querySelectorAll('[onerror], [onload], .desk script, [href^="javascript:"], .desk img[src="x"]').length`;
const SECTIONS = ['people', 'groups', 'bots', 'webhooks', 'replies', 'widget', 'visitors', 'organization', 'audit'];

/** One of everything that the administration lists. Returns the path of each page. */
async function furnish({ tenant, parley }: Stage, words: string): Promise<string[]> {
  const { admin, bot } = tenant;
  const { body: group } = await admin.post('/groups', { name: words }).expect(201);
  const { body: made } = await admin.post('/bots', { name: words }).expect(201);
  await admin.post(`/bots/${made.id}/tokens`, { name: words }).expect(201);
  const { body: webhook } = await admin
    .post('/webhooks', { url: `https://example.com/?${encodeURI(words)}` })
    .expect(201);
  const email = 'hostile@example.com';
  const agent = await parley.signInAgent(tenant, { name: words, email, role: 'SUPERVISOR', groupIds: [group.id] });
  await agent.client.post('/replies', { shortcut: 'hostile', content: words }).expect(201);
  const { body: chat } = await admin.post('/chats', { visitor: { name: words, email: words } }).expect(201);
  await bot.post('/messages', { chatId: chat.id, content: words }).expect(200);
  await bot.post('/transfer', { chatId: chat.id, targetGroupId: group.id, reason: words }).expect(200);
  const one = (section: string, { id }: { id: string }) => `${section}/${id}`;
  return [
    one('people', agent),
    one('groups', group),
    one('bots', made),
    one('webhooks', webhook),
    one('visitors', chat.visitor),
  ];
}

describe("the administration's pages", () => {
  const stage = Stage.set();

  it("the administration shows users' text as text, and runs none of it", async () => {
    const pages = await furnish(stage, HOSTILE);
    await stage.tenant.admin.patch('', { name: HOSTILE }).expect(200);
    const ida = await Office.open(stage, 'people');
    await ida.page.addInitScript(WATCH);
    await ida.page.reload();
    for (const path of [...SECTIONS, ...pages]) {
      await ida.goTo(path);
      expect([path, await ida.page.evaluate('window.reports'), await ida.page.evaluate(HARM)]).toEqual([path, [], 0]);
    }
    await ida.goTo(pages[1]!);
    await ida.page.getByLabel('Add member').selectOption({ label: 'Ida' });
    await ida.isTold('Ida was added to <img');
    await ida.goTo(pages[4]!);
    await ida.button('Erase').click();
    await ida.page.getByRole('heading', { name: "attacked('svg')" }).last().waitFor();
    await ida.goTo('widget');
    await ida.page.getByLabel('Greeting').fill(HOSTILE);
    await ida.page.getByLabel('Heading').fill(HOSTILE.slice(0, 60));
    await ida.page.frameLocator('.preview iframe >> nth=0').getByText("attacked('svg')").waitFor();
    await ida.page.goto(`${stage.road.url}/console/overview`);
    await ida.page.getByRole('rowheader').getByText("attacked('img')").waitFor();
    expect([await ida.page.evaluate('window.reports'), await ida.page.evaluate(HARM)]).toEqual([[], 0]);
  });

  it('the administration can be used with the keyboard alone', async () => {
    const ada = await Desk.open(stage, { name: 'Ida', role: 'ADMIN' });
    const { page } = ada;
    const type = async (text: string) => {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    };
    await page.keyboard.press('7');
    await page.getByRole('heading', { name: 'People' }).waitFor();
    await page.locator('.lines > li').first().waitFor();
    await page.keyboard.press('n');
    await page.getByRole('dialog', { name: 'Invite a colleague' }).waitFor();
    await type('Bob');
    await page.keyboard.type('bob@example.com');
    await page.keyboard.press('Enter');
    const link = page.getByRole('dialog', { name: 'Sign-in link for Bob' });
    await link.waitFor();
    // A secret shown once isn't lost by a key: only its own button closes it.
    await page.keyboard.press('Escape');
    await link.getByRole('button', { name: "I've saved it" }).press('Enter');
    await link.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type('administration: groups');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Groups' }).waitFor();
    await page.locator('.lines a').first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'General' }).waitFor();
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Groups' }).waitFor();
    await page.keyboard.press('1');
    await page.getByRole('heading', { name: 'Mine' }).waitFor();
  });

  it('the administration speaks German as well', async () => {
    const ida = await Office.open(stage, 'groups');
    await ida.button('Account').click();
    await ida.page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await ida.button('Neue Gruppe').waitFor();
    await ida.line('General').getByText('Alle wählen selbst').waitFor();
    await ida.page.reload();
    await ida.button('Neue Gruppe').waitFor();
  });

  describe('axe finds no violation in the administration', () => {
    it.each(Object.entries(LOOKS))('axe finds no violation on %s', async (_look, options) => {
      const pages = await furnish(stage, 'A name');
      const ida = await Office.open(stage, 'people', options);
      for (const path of [...SECTIONS, ...pages]) {
        await ida.goTo(path);
        expect([path, await findViolations(ida.desk.visit)]).toEqual([path, []]);
        const fits = await ida.page.evaluate('document.documentElement.scrollWidth <= innerWidth');
        expect([path, fits]).toEqual([path, true]);
      }
      await ida.goTo('people');
      await ida.button('Invite').click();
      expect(await findViolations(ida.desk.visit)).toEqual([]);
      await ida.page.getByRole('textbox', { name: 'Name' }).fill('Bob');
      await ida.page.getByLabel('Email').fill('bob@localhost');
      await ida.button('Create invitation').click();
      await ida.page.locator('.fault').waitFor();
      expect(await findViolations(ida.desk.visit)).toEqual([]);
      await ida.page.getByLabel('Email').fill('bob@example.com');
      await ida.button('Create invitation').click();
      await ida.dialog.getByText('Copy it now.').waitFor();
      expect(await findViolations(ida.desk.visit)).toEqual([]);
      await ida.takeSecret();
      await ida.goTo(pages[4]!);
      await ida.button('Erase').click();
      expect(await findViolations(ida.desk.visit)).toEqual([]);
      await ida.page.keyboard.press('Escape');
      await ida.page.evaluate(`document.documentElement.dir = 'rtl'`);
      expect(await findViolations(ida.desk.visit)).toEqual([]);
    });
  });

  it('the audit log words fields and choices like the forms', async () => {
    const { admin } = stage.tenant;
    const { body: group } = await admin.post('/groups', { name: 'Sales' }).expect(201);
    await admin.patch(`/groups/${group.id}`, { routing: 'OFFER', onUnanswered: 'RETURN_TO_BOT' }).expect(200);
    await admin.patch('/widget', { cookieDomain: 'example.com', askEmail: 'required', position: 'left' }).expect(200);
    await admin.put('/captcha', { provider: 'TURNSTILE', siteKey: '0x4AAA', secret: 'hidden' }).expect(200);
    const ida = await Office.open(stage, 'audit');
    const changes = async (words: string) => {
      const lines = await ida.page.getByRole('row').filter({ hasText: words }).first().locator('.changes li').all();
      return Promise.all(lines.map(async (line) => (await line.innerText()).replaceAll(/\s+/g, ' ')));
    };
    expect(await changes('Changed the group')).toEqual([
      'Routing People choose → to Offered to one person at a time',
      'When a chat is unanswered Keep it waiting → to Return it to the bot',
    ]);
    expect(await changes('subdomains')).toEqual(
      expect.arrayContaining(['One visitor on all subdomains of example.com', 'Ask for an email address Required']),
    );
    expect(await changes('TURNSTILE')).toEqual(['Captcha TURNSTILE 0x4AAA']);
  });

  it('the audit log calls the fields of the widget as its page does, and has one line for each changed language and day', async () => {
    const { admin } = stage.tenant;
    const [de, fr] = [{ greeting: 'Hallo' }, { greeting: 'Salut', questions: ['Où ?', 'Qui ?'] }];
    const day = (from: string) => [{ from, to: '17:00' }];
    const officeHours = { timeZone: 'UTC', week: { monday: day('09:00'), friday: day('09:00') }, exceptions: [] };
    const changed = { ...officeHours.week, friday: day('10:00') };
    const exceptions = [{ date: '2100-12-24', ranges: [] }];
    await stage.parley.admin.patch(`/${stage.tenant.id}`, { officeHours }).expect(200);
    await stage.parley.admin
      .patch(`/${stage.tenant.id}`, { officeHours: { ...officeHours, week: changed, exceptions } })
      .expect(200);
    await admin.put('/widget/pictures/launcher', { content: PNG }).expect(200);
    await admin.patch('/widget', { name: 'Help', locale: 'pl', personAfter: 0, translations: { de, fr } }).expect(200);
    await admin.patch('/widget', { translations: { de: { greeting: 'Moin' }, fr } }).expect(200);
    const ida = await Office.open(stage, 'audit');
    const changes = async (index: number, words = 'Changed the chat widget') => {
      const row = ida.page.getByRole('row').filter({ hasText: words }).nth(index);
      const lines = await row.locator('.changes li').all();
      return Promise.all(lines.map(async (line) => (await line.innerText()).replaceAll(/\s+/g, ' ')));
    };
    expect(await changes(0)).toEqual(['Other languages German: Greeting: Hallo → to German: Greeting: Moin']);
    expect(await changes(1)).toEqual([
      'Heading Help',
      'Language Polish',
      'Other languages German: Greeting: Hallo',
      'Other languages French: Greeting: Salut · Suggested questions: Où ?, Qui ?',
      'Talk to a person 0',
    ]);
    expect(await changes(2)).toEqual(["The button's picture Picture"]);
    expect(await changes(0, 'Changed the organization')).toEqual([
      'Office hours Friday 09:00–17:00 → to Friday 10:00–17:00',
      'Office hours 2100-12-24 –',
    ]);
  });
});
