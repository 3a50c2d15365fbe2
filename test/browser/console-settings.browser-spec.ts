import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { eventually } from '../support/eventually.js';
import { PNG } from '../support/pictures.js';
import { Desk } from './support/desk.js';
import { Office } from './support/office.js';
import { Stage } from './support/stage.js';

describe("administrators' settings", () => {
  const stage = Stage.set();
  const open = (section: string) => Office.open(stage, section);

  it('a new canned reply can be inserted immediately', async () => {
    const ida = await open('replies');
    const { page } = ida;
    await page.getByText('No canned replies yet').waitFor();
    await ida.button('New reply').click();
    await page.getByLabel('Shortcut').fill('Opening Hours');
    await page.getByLabel('Reply', { exact: true }).fill('We are here from 9 to 17.');
    await ida.button('Save').click();
    await page.locator('.fault').getByText('1 to 40 characters').waitFor();
    await page.getByLabel('Shortcut').fill('hours');
    await ida.button('Save').click();
    await ida.line('/hours').waitFor();
    await ida.button('New reply').click();
    await page.getByLabel('Shortcut').fill('hours');
    await page.getByLabel('Reply', { exact: true }).fill('Again');
    await ida.button('Save').click();
    await page.getByText('Another reply already has this shortcut in this language.').waitFor();
    await page.keyboard.press('Escape');
    await ida.button('Discard').click();

    await page.keyboard.press('3');
    await ida.desk.rows.filter({ hasText: 'Vera' }).click();
    await ida.desk.button(/^Take over/).click();
    await ida.desk.composer.fill('/hou');
    await page.getByRole('option', { name: /hours/ }).waitFor();

    await page.keyboard.press('Escape');
    await ida.goTo('replies');
    await ida.button(/^\/hours/).click();
    await page.getByLabel('Reply', { exact: true }).fill('We are here from 8 to 18.');
    await ida.button('Save').click();
    await ida.line('8 to 18').waitFor();
    await ida.button('Remove /hours').click();
    await ida.dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No canned replies yet').waitFor();
  });

  it('name, time zone, and retention are saved, and retention asks before it removes anything', async () => {
    const ida = await open('organization');
    const { page } = ida;
    await page.getByLabel('Name').fill('Acme & Daughters');
    await page.getByLabel('Time zone').fill('Mars/Olympus');
    await ida.button('Save').click();
    await page.getByText('Choose a time zone from the list, such as Europe/Berlin.').waitFor();
    await page.getByLabel('Time zone').fill('Europe/Berlin');
    await page.getByLabel('Delete after a number of days').check();
    await page.getByLabel('see what visitors type before they send it').check();
    await page.getByLabel('Days', { exact: true }).fill('90');
    await ida.button('Save').click();
    await ida.dialog.getByText('Messages older than 90 days are permanently deleted').waitFor();
    const stored = async () => (await stage.tenant.admin.get('').expect(200)).body;
    expect(await stored()).toMatchObject({ retentionDays: null });
    await ida.button('Save and delete').click();
    await ida.isTold('Saved');
    const changed = { name: 'Acme & Daughters', timeZone: 'Europe/Berlin', retentionDays: 90, typingPreview: true };
    expect(await stored()).toMatchObject(changed);
    await page.locator('.organization').getByText('Acme & Daughters').waitFor();
  });

  it('the pictures of the widget are chosen, shown in the preview, and removed', async () => {
    const ida = await open('widget');
    const { page } = ida;
    const drawn = page.frameLocator('.preview iframe >> nth=-1').locator('.launcher');
    const button = page.getByRole('group', { name: "The button's picture" });
    const choose = (name: string, mimeType: string, content: string) =>
      button.locator('input[type=file]').setInputFiles({ name, mimeType, buffer: Buffer.from(content, 'base64') });
    await page.getByLabel('Icon of the button').selectOption({ label: 'Headset' });
    await drawn.locator('.chat.line').waitFor();
    const refusal = button.getByText('Choose a PNG, JPEG, WebP, GIF, or AVIF picture.');
    await choose('a.svg', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64'));
    await refusal.waitFor();
    await choose('a.png', 'image/png', PNG);
    await ida.isTold('Saved');
    await refusal.waitFor({ state: 'detached' });
    await drawn.locator('canvas.picture').waitFor();
    const stored = async () => (await stage.tenant.admin.get('/widget/pictures').expect(200)).body;
    const { launcher } = await stored();
    const address = `${stage.parley.url}/api/visitor/widget/pictures/${launcher}?key=${stage.tenant.widgetKey}`;
    expect((await fetch(address)).headers.get('content-type')).toBe('image/webp');
    await eventually(
      () => button.locator('img').evaluate((image: any) => [image.naturalWidth, image.naturalHeight].join()),
      (size) => size === '144,144',
    );
    await button.getByRole('button', { name: /^Remove/ }).click();
    await drawn.locator('canvas.picture').waitFor({ state: 'detached' });
    expect(await stored()).toEqual({ launcher: null, bot: null });
  });

  it("the preview shows the questions below a long greeting and the bots' picture, and faint text is marked", async () => {
    const ida = await open('widget');
    const { page } = ida;
    const bots = page.getByRole('group', { name: "The bots' picture" });
    await bots
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') });
    await page.getByRole('img', { name: "The bots' picture" }).waitFor();
    await page.getByLabel('Greeting', { exact: true }).fill('Hello there. '.repeat(70));
    await page.getByLabel('Suggested questions, one per line').fill('Who are you?');
    const question = page.frameLocator('.preview iframe >> nth=0').getByText('Who are you?');
    await eventually(
      () => question.evaluate((element: any) => element.getBoundingClientRect().bottom).catch(() => Infinity),
      (bottom) => bottom < 540,
    );
    const faint = page.getByText('This text is hard to read on this color.');
    await page.getByLabel('Color', { exact: true }).fill('yellow');
    expect(await faint.count()).toBe(0);
    await page.getByLabel('Text color on it').fill('white');
    await faint.waitFor();
    await page.getByLabel('Text color on it').fill('black');
    await faint.waitFor({ state: 'detached' });
  });

  it('an empty name is the only cause that its error names', async () => {
    const ida = await open('organization');
    for (const name of ['', ' ']) {
      await ida.page.getByLabel('Name', { exact: true }).fill(name);
      await ida.button('Save').click();
      await ida.page.getByText('Fill in this field.', { exact: true }).waitFor();
    }
  });

  it('a captcha is set with its keys, and removed', async () => {
    const ida = await open('widget');
    const { page } = ida;
    const part = page.getByRole('region', { name: 'Captcha' });
    const save = () => part.getByRole('button', { name: 'Save' }).click();
    await part.getByLabel('hCaptcha').check();
    await part.getByLabel('Site key').fill('10000000-ffff');
    await save();
    await part.getByText('Enter the secret key that the provider shows.').waitFor();
    await part.getByLabel('Secret key').fill('hush');
    await save();
    await ida.isTold('Saved');
    const stored = async () => (await stage.tenant.admin.get('/captcha').expect(200)).body.captcha;
    expect(await stored()).toEqual({ provider: 'HCAPTCHA', siteKey: '10000000-ffff', verifyUrl: null });
    await page.reload();
    await part.getByLabel('hCaptcha').waitFor();
    expect(await part.getByLabel('Site key').inputValue()).toBe('10000000-ffff');
    expect(await part.getByLabel('Secret key').inputValue()).toBe('');
    await part.getByLabel('No captcha').check();
    await save();
    await ida.isTold('Saved');
    expect(await stored()).toBeNull();
  });

  it('blocked visitors are listed with the reason, and unblocked', async () => {
    const { body } = await stage.tenant.bot.get('/groups').expect(200);
    const bob = await stage.parley.signInAgent(stage.tenant, { name: 'Bob', groupIds: [body[0].id] });
    await bob.client.put(`/chats/${stage.tenant.chatId}/block`, { reason: 'Spam' }).expect(200);
    const ida = await open('visitors');
    const { page } = ida;
    const part = page.getByRole('region', { name: 'Blocked visitors' });
    await part.getByText(/Blocked\s+by Bob: Spam/).waitFor();
    await part.getByRole('button', { name: /^Unblock visitor/ }).click();
    await ida.isTold('Unblocked');
    await part.waitFor({ state: 'detached' });
    await stage.parley.visitor(stage.tenant.visitorToken).get('/chats').expect(200);
  });

  it('the line that embeds the widget, its looks, its questions, and its sites are set', async () => {
    const ida = await open('widget');
    const { page } = ida;
    const look = page.getByRole('region', { name: 'Appearance and questions' });
    const save = (part: typeof look) => part.getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Heading').fill('Say "hello"');
    await page.getByLabel('Greeting', { exact: true }).fill('<b>Hi</b> & welcome');
    await page.getByLabel('Position').selectOption({ label: 'Left' });
    await page.getByLabel('Color', { exact: true }).fill('reddish');
    await page.getByLabel('Suggested questions, one per line').fill('Where is it?\n\nWho are you?');
    await page.getByLabel('Ask for a rating when a chat ends').selectOption({ label: 'On' });
    await page.getByLabel("Thumbs up and down below the bot's messages").selectOption({ label: 'On' });
    await save(look);
    await look.getByText('Enter a CSS color').waitFor();
    await page.getByLabel('Privacy policy URL').fill('example.com/privacy');
    await save(look);
    await look.getByText('Enter a URL that starts with https:// or http://.').waitFor();
    await page.getByLabel('Privacy policy URL').fill('');
    await page.getByLabel('Color', { exact: true }).fill('#1f6f54');
    await page.frameLocator('.preview iframe >> nth=0').getByText('<b>Hi</b> & welcome').waitFor();
    await save(look);
    await ida.isTold('Saved');
    expect((await stage.tenant.admin.get('/widget').expect(200)).body).toMatchObject({
      name: 'Say "hello"',
      greeting: '<b>Hi</b> & welcome',
      position: 'left',
      color: '#1f6f54',
      questions: ['Where is it?', 'Who are you?'],
      rating: true,
      messageRating: true,
      greetingAfterSeconds: null,
      askEmail: null,
    });

    const snippet = await page.getByLabel('Code for your pages').inputValue();
    stage.site.page.attributes = '';
    stage.site.page.head = snippet.replace(' async', '');
    const visitor = await stage.visit();
    await visitor.launcher.click();
    await visitor.panel.getByText('Say "hello"').first().waitFor();
    await visitor.panel.getByText('<b>Hi</b> & welcome').waitFor();
    await visitor.button('Who are you?').waitFor();
    const color = `getComputedStyle(document.querySelector('parley-widget')).getPropertyValue('--parley-color')`;
    expect(await visitor.page.evaluate(color)).toBe('#1f6f54');

    const origins = page.getByRole('region', { name: 'Allowed sites' });
    await page.getByLabel('Addresses of your sites, one per line').fill('https://example.com/path');
    await save(origins);
    await page.getByText('Enter one address per line').waitFor();
    await page
      .getByLabel('Addresses of your sites, one per line')
      .fill('https://example.com\n\nhttps://www.example.com\n');
    await save(origins);
    const stored = async () => (await stage.tenant.admin.get('').expect(200)).body.allowedOrigins;
    await eventually(stored, (all) => all.length > 0);
    expect(await stored()).toEqual(['https://example.com', 'https://www.example.com']);
  });

  it('a visitor is found, exported, and erased with a typed word', async () => {
    const { tenant } = stage;
    await stage.parley.visitor(tenant.visitorToken).post(`/chats/${tenant.chatId}/messages`, { content: 'My secret' });
    await tenant.admin.post('/chats', { visitor: { name: 'Walter' } }).expect(201);
    const ida = await open('visitors');
    const { page } = ida;
    await ida.line('Walter').waitFor();
    for (const wanted of ['VERA@example.com', tenant.visitorId, tenant.chatId]) {
      await page.getByLabel('Find a visitor').fill(wanted);
      await ida.button('Find').click();
      await ida.line('Walter').waitFor({ state: 'detached' });
      await ida.line('Vera').waitFor();
    }
    await page.getByLabel('Find a visitor').fill('nobody@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('No results').waitFor();
    await page.getByLabel('Find a visitor').fill(tenant.visitorId);
    await page.keyboard.press('Enter');
    await ida.line('Vera').getByRole('link').click();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    expect(await readFile(await (await download).path(), 'utf8')).toContain('My secret');

    await ida.button('Erase').click();
    expect(await ida.button('Erase permanently').isDisabled()).toBe(true);
    await ida.dialog.getByRole('textbox').fill('ERASE');
    await page.keyboard.press('Enter');
    await ida.isTold('Visitor erased.');
    await tenant.admin.get(`/visitors/${tenant.visitorId}`).expect(404);
    await ida.goTo('audit');
    await page
      .getByRole('row')
      .filter({ hasText: 'Erased the visitor' })
      .filter({ hasText: tenant.visitorId })
      .waitFor();
    await page.getByRole('row').filter({ hasText: 'Exported the visitor' }).getByText('Ida').waitFor();
  });

  it('long lists are read page by page', async () => {
    const made = Array.from({ length: 51 }, (_, index) => `v${index}`);
    for (const name of made) await stage.tenant.admin.post('/chats', { visitor: { name } }).expect(201);
    const ida = await open('visitors');
    const lines = ida.page.locator('.lines > li');
    expect(await lines.count()).toBe(50);
    await ida.button('Show more').click();
    await ida.page.getByText('v50', { exact: true }).waitFor();
    expect(await lines.count()).toBe(52);
    expect(await ida.button('Show more').count()).toBe(0);
  });

  it("agents who aren't administrators read why the settings are closed", async () => {
    const bob = await Desk.open(stage, { name: 'Bob' });
    expect(await bob.page.getByRole('link', { name: /Administration|Overview/ }).count()).toBe(0);
    for (const path of ['admin/people', 'admin/webhooks', 'overview']) {
      await bob.page.goto(`${stage.road.url}/console/${path}`);
      await bob.page.getByRole('heading', { name: /^Only .*administrators can open this page$/ }).waitFor();
    }
    const sue = await Desk.open(stage, { name: 'Sue', role: 'SUPERVISOR' });
    await sue.page.keyboard.press('7');
    await sue.page.keyboard.press('6');
    await sue.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await sue.page.goto(`${stage.road.url}/console/admin/people`);
    await sue.page.getByRole('heading', { name: 'Only administrators can open this page' }).waitFor();
  });

  it("unsaved changes ask before they're left, even by Back", async () => {
    const ida = await open('groups');
    const { page } = ida;
    await ida.line('General').getByRole('link').click();
    await page.getByLabel('Name').fill('Changed');
    await page.getByRole('link', { name: 'People' }).click();
    await ida.dialog.getByText("Your changes on this page aren't saved.").waitFor();
    await ida.button('Keep editing').click();
    await page.goBack();
    await ida.button('Keep editing').click();
    expect(await page.getByLabel('Name').inputValue()).toBe('Changed');
    await page.getByRole('link', { name: 'People' }).click();
    await ida.button('Leave without saving').click();
    await page.getByRole('heading', { name: 'People' }).waitFor();
  });

  it("a setting that couldn't be read says so, and can be read again", async () => {
    const ida = await open('people');
    await ida.line('Ida').waitFor();
    await ida.page.route('**/api/admin/**', (route) => route.abort());
    await ida.page.getByRole('link', { name: 'Groups' }).click();
    await ida.page.getByRole('alert').getByText("Can't reach the service. Try again.").waitFor();
    await ida.page.unroute('**/api/admin/**');
    await ida.button('Try again').click();
    await ida.line('General').waitFor();
    await ida.page.goto(`${stage.road.url}/console/admin/people/agt_00000000000000000000000000`);
    await ida.page.getByText('Not found. It may have been deleted.').waitFor();
  });

  it('the settings close immediately when the role is taken away', async () => {
    const ida = await open('people');
    await stage.tenant.admin.patch(`/agents/${ida.desk.agentId}`, { role: 'AGENT' }).expect(200);
    await eventually(
      () => ida.page.locator('.page').innerText(),
      (words) => /You are not allowed to do this|Only administrators/.test(words),
    );
  });

  it('an agent changes their name, which the page shows in every tab, and reads why a file is no picture', async () => {
    const ada = await Desk.open(stage, { name: 'Ada' });
    const beside = ada.inTab(await ada.visit.newTab(`${stage.road.url}/console/mine`));
    await beside.isLive();
    await ada.button('Account').click();
    await ada.page.getByRole('menuitem', { name: 'Your profile' }).click();
    const dialog = ada.page.getByRole('dialog', { name: 'Your profile' });
    const choose = (content: string) =>
      dialog
        .locator('input[type=file]')
        .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(content, 'base64') });
    await choose(Buffer.from('<svg/>').toString('base64'));
    await dialog.getByText('Choose a PNG, JPEG, WebP, GIF, or AVIF picture.').waitFor();
    await choose(PNG);
    await dialog.locator('.picture-frame img').waitFor();
    await dialog.getByLabel('Name').fill('Ada Lovelace');
    await dialog.getByRole('button', { name: 'Save profile' }).click();
    await ada.isTold('Profile saved');
    await dialog.waitFor({ state: 'detached' });
    for (const { page } of [ada, beside]) await page.locator('.nav .me').getByText('Ada Lovelace').waitFor();
    await ada.button('Account').click();
    await ada.page.getByRole('menuitem', { name: 'Your profile' }).click();
    const shown = await dialog.locator('.picture-frame img').getAttribute('src');
    expect(shown).toMatch(/\/files\/upl_\w+\/picture$/);
    expect((await fetch(shown!)).headers.get('content-type')).toBe('image/webp');
    await dialog.getByRole('button', { name: 'Remove: Your picture' }).click();
    await dialog.getByRole('button', { name: 'Save profile' }).click();
    await eventually(
      async () => (await fetch(shown!)).status,
      (status) => status === 404,
    );
  });
});
