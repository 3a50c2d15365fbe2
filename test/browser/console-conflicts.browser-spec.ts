import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Client } from '../support/client.js';
import { Office } from './support/office.js';
import { Stage } from './support/stage.js';

describe('two administrators with the same settings', () => {
  const stage = Stage.set();
  let ada: Client;

  const stored = async (path: string) => (await stage.tenant.admin.get(path).expect(200)).body;

  beforeEach(async () => {
    const { token } = await stage.parley.signInAgent(stage.tenant, { name: 'Ada', role: 'ADMIN' });
    ada = new Client(`${stage.parley.url}/api/admin/organizations/${stage.tenant.id}`, token);
  });

  it('saving a name keeps a retention that another administrator set in between, and removes nothing', async () => {
    await ada.patch('', { retentionDays: 30 }).expect(200);
    const ida = await Office.open(stage, 'organization');
    await ada.patch('', { retentionDays: 3_650, timeZone: 'Asia/Tokyo' }).expect(200);
    await ida.page.getByLabel('Name').fill('Acme & Daughters');
    await ida.button('Save').click();
    await ida.isTold('Saved');
    expect(await stored('')).toMatchObject({ name: 'Acme & Daughters', retentionDays: 3_650, timeZone: 'Asia/Tokyo' });
    expect(await ida.page.getByLabel('Days', { exact: true }).inputValue()).toBe('3650');
  });

  it('text typed while the form is being saved stays, to be saved next', async () => {
    const ida = await Office.open(stage, 'organization');
    const [name, save] = [ida.page.getByLabel('Name'), ida.button('Save')];
    const held = await ida.holdChange(stage.tenant.id);
    await name.fill('Acme & Sons');
    await save.click();
    await held.asked;
    await name.fill('Acme & Sons Ltd');
    held.release();
    await ida.isTold('Saved');
    expect(await name.inputValue()).toBe('Acme & Sons Ltd');
    expect((await stored('')).name).toBe('Acme & Sons');
    await save.click();
    await save.and(ida.page.locator('[aria-disabled=true]')).waitFor();
    await eventually(
      () => stored(''),
      (organization) => organization.name === 'Acme & Sons Ltd',
    );
  });

  it('a role that was taken away in between stays taken away when the name is saved', async () => {
    const { id } = await stage.parley.signInAgent(stage.tenant, { name: 'Bob', role: 'ADMIN' });
    const ida = await Office.open(stage, `people/${id}`);
    await ada.patch(`/agents/${id}`, { role: 'AGENT', capacity: 3 }).expect(200);
    await ida.page.getByLabel('Name').fill('Robert');
    await ida.button('Save').click();
    await ida.isTold('Saved');
    expect(await stored(`/agents/${id}`)).toMatchObject({ name: 'Robert', role: 'AGENT', capacity: 3 });
  });

  it('a group that another administrator deletes does not keep a person’s groups from being saved', async () => {
    const { body: group } = await ada.post('/groups', { name: 'Returns' }).expect(201);
    const { id } = await stage.parley.signInAgent(stage.tenant, { name: 'Bob', groupIds: [group.id] });
    const ida = await Office.open(stage, `people/${id}`);
    await ida.page.getByRole('checkbox', { name: 'Returns' }).waitFor();
    await ada.delete(`/groups/${group.id}`).expect(204);
    await ida.page.getByRole('checkbox', { name: 'General' }).check();
    await ida.button('Save').click();
    await ida.isTold('Saved');
    await ida.page.getByRole('checkbox', { name: 'Returns' }).waitFor({ state: 'detached' });
    const { groupIds } = await stored(`/agents/${id}`);
    expect(groupIds).toHaveLength(1);
    expect(groupIds).not.toContain(group.id);
  });

  it('an administrator who changes the same field chooses between both values, and sees whose the other is', async () => {
    const ida = await Office.open(stage, 'groups');
    await ida.line('General').getByRole('link').click();
    const path = `/groups/${ida.page.url().split('/').at(-1)}`;
    await ida.page.getByLabel('Name').waitFor();
    const change = async (mine: string, theirs: string) => {
      await ida.page.getByLabel('Name').fill(mine);
      await ada.patch(path, { name: theirs, maxWaitSeconds: 120 }).expect(200);
      await ida.button('Save').click();
      await ida.page.getByRole('dialog', { name: 'Ada changed this too' }).getByText(theirs).waitFor();
    };
    await change('Sales', 'Orders');
    expect(await ida.dialog.getByLabel('From Ada').isChecked()).toBe(true);
    await ida.button('Decide later').click();
    expect((await stored(path)).name).toBe('Orders');
    expect(await ida.page.getByLabel('Name').inputValue()).toBe('Sales');
    await ida.button('Save').click();
    await ida.dialog.getByLabel('Yours').check();
    await ida.button('Save choice').click();
    await ida.isTold('Saved');
    expect(await stored(path)).toMatchObject({ name: 'Sales', maxWaitSeconds: 120 });
    await change('Support', 'Help');
    await ida.button('Save choice').click();
    await ida.dialog.waitFor({ state: 'detached' });
    expect(await ida.page.getByLabel('Name').inputValue()).toBe('Help');
    expect((await stored(path)).name).toBe('Help');
  });

  it('a longer retention than the one set in between asks again before it removes anything', async () => {
    await ada.patch('', { retentionDays: 90 }).expect(200);
    const ida = await Office.open(stage, 'organization');
    await ada.patch('', { retentionDays: null }).expect(200);
    await ida.page.getByLabel('Days', { exact: true }).fill('365');
    await ida.button('Save').click();
    await ida.dialog.getByLabel('Yours').check();
    await ida.button('Save choice').click();
    await ida.dialog.getByText('Messages older than 365 days are permanently deleted').waitFor();
    expect((await stored('')).retentionDays).toBeNull();
    await ida.button('Cancel').click();
    expect((await stored('')).retentionDays).toBeNull();
    await ida.button('Save').click();
    await ida.button('Save and delete').click();
    await ida.isTold('Saved');
    expect((await stored('')).retentionDays).toBe(365);
  });

  it('saving a heading of the widget keeps a greeting that another administrator set in between', async () => {
    const ida = await Office.open(stage, 'widget');
    const field = ida.page.getByLabel('Heading', { exact: true });
    await field.waitFor();
    await ada.patch('/widget', { greeting: 'Hello' }).expect(200);
    await field.fill('Shop');
    await ida.page.getByRole('region', { name: 'Appearance' }).getByRole('button', { name: 'Save' }).click();
    await ida.isTold('Saved');
    expect(await stored('/widget')).toMatchObject({ greeting: 'Hello', name: 'Shop' });
  });

  it('a canned reply whose text another changes keeps both changes', async () => {
    const replies = (await stage.parley.signInAgent(stage.tenant, { name: 'Sue', role: 'SUPERVISOR' })).client;
    const { body: reply } = await replies.post('/replies', { shortcut: 'hi', content: 'Hello' }).expect(201);
    const ida = await Office.open(stage, 'replies');
    await ida.button(/^\/hi/).click();
    await ida.page.getByLabel('Shortcut').fill('hello');
    await replies.patch(`/replies/${reply.id}`, { content: 'Good day' }).expect(200);
    await ida.button('Save').click();
    await ida.line('/hello').getByText('Good day').waitFor();
    await eventually(
      () => ida.dialog.count(),
      (count) => count === 0,
    );
  });

  it('keeps what is typed in a dialog while it is being saved, to be saved next', async () => {
    const replies = (await stage.parley.signInAgent(stage.tenant, { name: 'Sue', role: 'SUPERVISOR' })).client;
    const { body: reply } = await replies.post('/replies', { shortcut: 'bye', content: 'Goodbye' }).expect(201);
    const ida = await Office.open(stage, 'replies');
    await ida.button(/^\/bye/).click();
    const content = ida.dialog.getByLabel('Reply', { exact: true });
    const held = await ida.holdChange(reply.id);
    await content.fill('Goodbye!');
    await ida.button('Save').click();
    await held.asked;
    await content.fill('Goodbye! See you soon.');
    held.release();
    await ida.isTold('Saved');
    expect(await content.inputValue()).toBe('Goodbye! See you soon.');
    await ida.button('Save').click();
    await ida.line('/bye').getByText('Goodbye! See you soon.').waitFor();
    await ida.dialog.waitFor({ state: 'detached' });
  });

  it('text typed in a dialog while it creates something stays, and the next save changes what was created', async () => {
    const ida = await Office.open(stage, 'replies');
    await ida.button('New reply').click();
    const content = ida.dialog.getByLabel('Reply', { exact: true });
    const held = await ida.holdChange('/replies', 'POST');
    await ida.dialog.getByLabel('Shortcut').fill('hi');
    await content.fill('Hello');
    await ida.button('Save').click();
    await held.asked;
    await content.fill('Hello! How can I help?');
    held.release();
    await ida.isTold('Saved');
    expect(await content.inputValue()).toBe('Hello! How can I help?');
    await ida.button('Save').click();
    await ida.line('/hi').getByText('Hello! How can I help?').waitFor();
    await ida.dialog.waitFor({ state: 'detached' });
    expect(await ida.line('/hi').count()).toBe(1);
  });

  it("an invitation's link is shown even if the administrator discards what they typed while it was created", async () => {
    const ida = await Office.open(stage, 'people');
    await ida.button('Invite').click();
    const held = await ida.holdChange('/sign-in-links', 'POST');
    await ida.dialog.getByLabel('Name').fill('Bob');
    await ida.dialog.getByLabel('Email').fill('bob@example.com');
    await ida.button('Create invitation').click();
    await held.asked;
    await ida.dialog.getByLabel('Name').fill('Bobby');
    held.release();
    await ida.isTold('Saved');
    await ida.page.keyboard.press('Escape');
    await ida.button('Discard').click();
    expect(await ida.takeSecret()).toContain('/console/link#');
    await ida.line('Bob').waitFor();
  });

  it('what someone else changes of a new person while the dialog is open stays', async () => {
    const ida = await Office.open(stage, 'people');
    await ida.button('Invite').click();
    const held = await ida.holdChange('/sign-in-links', 'POST');
    await ida.dialog.getByLabel('Name').fill('Bob');
    await ida.dialog.getByLabel('Email').fill('bob@example.com');
    await ida.button('Create invitation').click();
    await held.asked;
    const { agents } = await eventually(
      () => stored('/agents'),
      ({ agents: all }) => all.some(({ name }: { name: string }) => name === 'Bob'),
    );
    const path = `/agents/${agents.find(({ name }: { name: string }) => name === 'Bob').id}`;
    await ada.patch(path, { capacity: 3 }).expect(200);
    await ida.dialog.getByLabel('Name').fill('Bobby');
    held.release();
    await ida.isTold('Saved');
    await ida.button('Create invitation').click();
    await ida.takeSecret();
    expect(await stored(path)).toMatchObject({ name: 'Bobby', capacity: 3 });
  });

  it('a tag that is renamed keeps the color that another administrator gave it, and one name has to be decided', async () => {
    await stage.tenant.bot.post(`/chats/${stage.tenant.chatId}/tags`, { add: ['red'] }).expect(200);
    const ida = await Office.open(stage, 'tags');
    const open = async (name: string) => {
      await ida.line(name).getByText(name).click();
      await ida.dialog.getByLabel('Name', { exact: true }).waitFor();
    };
    const { tags } = await stored('/tags');
    const path = `/tags/${tags[0].id}`;
    await open('red');
    await ada.patch(path, { color: '#ff0000' }).expect(200);
    await ida.dialog.getByLabel('Name', { exact: true }).fill('scarlet');
    await ida.button('Save').click();
    await ida.isTold('Saved');
    expect(await stored(path)).toMatchObject({ name: 'scarlet', color: '#ff0000' });
    await open('scarlet');
    await ada.patch(path, { name: 'ruby' }).expect(200);
    await ida.dialog.getByLabel('Name', { exact: true }).fill('crimson');
    await ida.button('Save').click();
    const question = ida.page.getByRole('dialog', { name: 'Ada changed this too' });
    await question.getByText('ruby').waitFor();
    await question.getByLabel('Yours').check();
    await ida.button('Save choice').click();
    await ida.line('crimson').waitFor();
    expect((await stored(path)).name).toBe('crimson');
  });

  it('a captcha that another administrator set in between is replaced only by choice', async () => {
    const ida = await Office.open(stage, 'widget');
    const part = ida.page.getByRole('region', { name: 'Captcha' });
    await part.getByLabel('hCaptcha').check();
    await part.getByLabel('Site key').fill('mine');
    await part.getByLabel('Secret key').fill('hush-mine');
    await ada.put('/captcha', { provider: 'TURNSTILE', siteKey: 'theirs', secret: 'hush-theirs' }).expect(200);
    await part.getByRole('button', { name: 'Save' }).click();
    const question = ida.page.getByRole('dialog', { name: 'Ada changed this too' });
    await question.getByText('TURNSTILE theirs').waitFor();
    expect(await question.innerText()).not.toContain('hush');
    expect((await stored('/captcha')).captcha).toMatchObject({ siteKey: 'theirs' });
    await question.getByLabel('Yours').check();
    await ida.button('Save choice').click();
    await ida.isTold('Saved');
    expect((await stored('/captcha')).captcha).toMatchObject({ provider: 'HCAPTCHA', siteKey: 'mine' });
    await part.getByLabel('No captcha').check();
    await ada.put('/captcha', { provider: 'TURNSTILE', siteKey: 'again', secret: 'hush' }).expect(200);
    await part.getByRole('button', { name: 'Save' }).click();
    await question.getByText('TURNSTILE again').waitFor();
    await ida.button('Save choice').click();
    await question.waitFor({ state: 'detached' });
    expect((await stored('/captcha')).captcha).toMatchObject({ siteKey: 'again' });
    expect(await part.getByLabel('Site key').inputValue()).toBe('again');
  });
});
