import { describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { findViolations } from './support/axe.js';
import { anotherChat, Desk, makeAgent, waitingChat } from './support/desk.js';
import { LOOKS } from './support/looks.js';
import { Stage } from './support/stage.js';

describe("the supervisors' board", () => {
  const stage = Stage.set();
  const open = async (fields: object = {}, options = {}) => {
    const desk = await Desk.open(stage, { name: 'Sue', role: 'SUPERVISOR', ...fields }, options);
    await desk.page.getByRole('link', { name: 'Team', exact: true }).click();
    await desk.page.getByRole('heading', { name: 'Team', level: 1 }).waitFor();
    return desk;
  };
  const line = ({ page }: Desk, name: string) => page.locator('.team-line').filter({ hasText: name });
  /** A colleague with a chat whose visitor waits for an answer. */
  const colleague = async (name = 'Ben') => {
    const ben = await makeAgent(stage, { name, capacity: 4 });
    const { client, token } = await stage.parley.signInAgain(stage.tenant, ben.id);
    return { ...ben, client, token };
  };
  const unanswered = async (client: { post: Function }) => {
    const chatId = await waitingChat(stage, 'Where is my parcel?');
    await client.post(`/chats/${chatId}/claim`).expect(200);
    return chatId;
  };

  it('the board shows presence, load, and waits, and follows them without a reload', async () => {
    const ben = await colleague();
    const sue = await open();
    const person = line(sue, 'Ben');
    await person.getByText('Offline').waitFor();
    await person.getByText('0 of 4').waitFor();
    await stage.parley.connectAgent(ben.token);
    await person.getByText('Accepting chats').waitFor();
    await person.getByText(/^for 0:\d\d$/).waitFor();
    await ben.client.put('/presence', { isAccepting: false, reason: 'LUNCH' }).expect(200);
    await person.getByText('At lunch').waitFor();

    const waiting = await anotherChat(stage, 'Walter', 'Hello');
    const groups = sue.page.locator('.team-groups');
    await groups.getByText('1 waiting').waitFor();
    const longest = groups.getByRole('link', { name: /Walter/ });
    expect(await longest.getAttribute('href')).toContain(waiting);

    const chatId = await unanswered(ben.client);
    await person.getByText('1 of 4').waitFor();
    const oldest = person.getByRole('link', { name: /waiting \d+:\d\d/ });
    expect(await oldest.getAttribute('href')).toContain(chatId);
    await oldest.click();
    await sue.sees('Where is my parcel?');
    // The inbox lists what it listed before, and follows it.
    await sue.page.getByRole('link', { name: /^Waiting/ }).click();
    await sue.rows.filter({ hasText: 'Walter' }).waitFor();
    await anotherChat(stage, 'Wilma', 'Hello');
    await sue.rows.filter({ hasText: 'Wilma' }).waitFor();
  });

  it('a supervisor opens a colleague’s chats, and moves one with the keyboard', async () => {
    const ben = await colleague();
    const chatId = await unanswered(ben.client);
    await makeAgent(stage, { name: 'Cleo' });
    const sue = await open();
    const { page } = sue;
    const person = line(sue, 'Ben');
    await person.getByRole('button', { name: 'Chats of Ben' }).press('Enter');
    const chat = person.locator('.team-chats li');
    expect(await chat.getByRole('link').getAttribute('href')).toContain(chatId);
    await chat.getByRole('button', { name: /^Transfer/ }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('searchbox').fill('Cleo');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await sue.isTold(/Transferred to Cleo|Cleo/);
    await dialog.waitFor({ state: 'detached' });
    await line(sue, 'Cleo').getByText('1 of 6').waitFor();
    await person.getByText('0 of 4').waitFor();
    await chat.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement !== document.body')).toBe(true);
  });

  it('a chat that a colleague gets while a supervisor transfers it is not moved again', async () => {
    const ben = await colleague();
    const chatId = await unanswered(ben.client);
    const cleo = await makeAgent(stage, { name: 'Cleo' });
    await makeAgent(stage, { name: 'Dora' });
    const sue = await open();
    const person = line(sue, 'Ben');
    await person.getByRole('button', { name: 'Chats of Ben' }).click();
    await person.getByRole('button', { name: /^Transfer/ }).click();
    const dialog = sue.page.getByRole('dialog', { name: 'Transfer chat with Vera' });
    await dialog.getByText('Dora').click();
    await dialog.getByLabel(/^Note for/).fill('Long story');
    const { id, token } = await stage.parley.signInAgent(stage.tenant, { name: 'Sam', role: 'SUPERVISOR' });
    expect(id).not.toBe(cleo.id);
    const sam = new Client(`${stage.parley.url}/api/agent`, token);
    await sam.post(`/chats/${chatId}/transfer`, { agentId: cleo.id }).expect(200);
    await dialog.getByText('Ben no longer has this chat.').waitFor();
    await dialog.getByRole('button', { name: 'Transfer to Dora' }).click({ force: true });
    expect(await dialog.getByLabel(/^Note for/).inputValue()).toBe('Long story');
    const { body: chat } = await sam.get(`/chats/${chatId}`).expect(200);
    expect(chat.assignedTo.id).toBe(cleo.id);
  });

  it('a chat is late from the time on that the organization chose', async () => {
    const ben = await colleague();
    await unanswered(ben.client);
    const sue = await open();
    const oldest = line(sue, 'Ben').locator('.team-chat a');
    await oldest.waitFor();
    expect(await oldest.getAttribute('class')).not.toContain('warns');
    const { page } = await Desk.open(stage, { name: 'Amy', role: 'ADMIN' });
    await page.goto(`${stage.road.url}/console/admin/organization`);
    await page.getByRole('spinbutton', { name: 'Late answers' }).fill('1');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').first().waitFor();
    await sue.page.reload();
    await line(sue, 'Ben').locator('.team-chat a.warns').waitFor();
  });

  it('the board of one group has its people only', async () => {
    const { body: sales } = await stage.tenant.admin.post('/groups', { name: 'Sales' }).expect(201);
    await makeAgent(stage, { name: 'Ben' });
    await makeAgent(stage, { name: 'Cleo', groupIds: [sales.id] });
    const sue = await open();
    await line(sue, 'Ben').waitFor();
    await sue.page.getByRole('combobox', { name: 'Group' }).selectOption({ label: 'Sales' });
    await line(sue, 'Cleo').waitFor();
    expect(await line(sue, 'Ben').count()).toBe(0);
  });

  it('an agent finds no link to the board, and its address shows why', async () => {
    const ada = await Desk.open(stage);
    expect(await ada.page.getByRole('link', { name: 'Team', exact: true }).count()).toBe(0);
    await ada.page.goto(`${stage.road.url}/console/team`);
    await ada.page.getByText('Only supervisors and administrators can open this page').waitFor();
  });

  it.each(Object.entries({ ...LOOKS, 'a narrow phone': { viewport: { width: 320, height: 640 } } }))(
    'axe finds no violation in the board on %s',
    async (_look, options) => {
      const ben = await colleague('Benedikta Maria von und zu Hohenstein-Württemberg');
      await stage.parley.connectAgent(ben.token);
      await unanswered(ben.client);
      await anotherChat(stage, 'Walter', 'Hello');
      const sue = await Desk.open(stage, { name: 'Sue', role: 'SUPERVISOR' }, options);
      await sue.page.goto(`${stage.road.url}/console/team`);
      await line(sue, 'Benedikta')
        .getByRole('button', { name: /^Chats of/ })
        .click();
      await line(sue, 'Benedikta').locator('.team-chats li').waitFor();
      expect(await findViolations(sue.visit)).toEqual([]);
      expect(await sue.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    },
  );
});
