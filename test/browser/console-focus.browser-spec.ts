import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { PNG } from '../support/pictures.js';
import { anotherChat, Desk, waitingChat } from './support/desk.js';
import { Office } from './support/office.js';
import { Stage } from './support/stage.js';

/** The accessible name of the focused element; `body` if nothing has the focus. */
const FOCUSED = `(({ tagName, ariaLabel, textContent, labels, title }) =>
  tagName === 'BODY' ? 'body' : ariaLabel || labels?.[0]?.textContent || textContent.trim() || title)(document.activeElement)`;

describe('the focus in the console', () => {
  const stage = Stage.set();
  const has = (desk: Desk, selector: string) => desk.page.locator(`${selector}:focus`).waitFor();
  const isAt = (desk: Desk, name: string) =>
    eventually(
      () => desk.page.evaluate<string>(FOCUSED),
      (focused) => focused.includes(name),
    );
  const rowOf = (chatId: string) => `.row[data-id="${chatId}"]`;
  const threeWaiting = async () => [
    await waitingChat(stage),
    await anotherChat(stage, 'Walter', 'Second'),
    await anotherChat(stage, 'Xenia', 'Third'),
  ];

  it('the focus goes to the chat that is taken, to the next one when a chat ends, and to the list after the last one', async () => {
    const chats = await threeWaiting();
    const ada = await Desk.open(stage);
    const { keyboard } = ada.page;
    for (const chatId of chats) {
      await ada.goTo(chatId);
      await has(ada, rowOf(chatId));
      await keyboard.press('c');
      await ada.page.getByRole('heading', { name: 'Mine' }).waitFor();
      await has(ada, '.composer textarea');
    }
    // The latest activity is first.
    const [third, second, first] = chats.toReversed();
    await ada.goTo(third!, 'mine');
    await keyboard.press('e');
    await has(ada, rowOf(second!));
    await ada.button('End chat').click();
    await has(ada, rowOf(first!));
    await ada.isSteady();
    await keyboard.press('e');
    await has(ada, '.rows');
  });

  it('the focus goes to the next chat when a reply ends one, and when one is snoozed or transferred', async () => {
    const chats = await threeWaiting();
    const ada = await Desk.open(stage);
    const agent = await stage.parley.signInAgain(stage.tenant, ada.agentId);
    await agent.client.post('/own-replies', { shortcut: 'bye', content: 'Goodbye!', action: 'CLOSE' }).expect(201);
    for (const chatId of chats) await agent.client.post(`/chats/${chatId}/claim`).expect(200);
    const [third, second, first] = chats.toReversed();
    await ada.goTo(third!, 'mine');
    await ada.composer.click();
    await ada.composer.fill('/bye');
    await ada.page.getByRole('option').first().waitFor();
    await ada.composer.press('Enter');
    await ada.composer.press('Enter');
    await has(ada, rowOf(second!));
    await ada.isSteady();
    await ada.page.keyboard.press('s');
    await ada.button('Until the visitor answers').click();
    await has(ada, rowOf(first!));
    await ada.isSteady();
    await ada.page.keyboard.press('t');
    await ada.page.getByLabel('General').check();
    await ada.button('Transfer to General').click();
    await ada.isTold(/^Transferred/);
    await has(ada, '.rows');
  });

  it('the focus stays in the list when the open chat leaves it while the agent writes', async () => {
    const chatId = await waitingChat(stage);
    const [ada, bob] = [await Desk.open(stage), await stage.parley.signInAgent(stage.tenant, { role: 'SUPERVISOR' })];
    await ada.goTo(chatId);
    await ada.page.keyboard.press('c');
    await ada.composer.click();
    await bob.client.post(`/chats/${chatId}/transfer`, { agentId: bob.id }).expect(200);
    await ada.composer.waitFor({ state: 'detached' });
    await has(ada, '.rows');
  });

  it('an added line takes the focus, and a removed one leaves it beside its place', async () => {
    const ida = await Office.open(stage, 'organization');
    const { page, desk } = ida;
    const dates = page.getByLabel('Date', { exact: true });
    await page.getByLabel('At these times').check();
    for (const count of [1, 2, 3]) {
      await ida.button('Add a date').press('Enter');
      await has(desk, `.hours-days li:nth-child(${count}) input[type=date]`);
      await dates.nth(count - 1).fill(`2100-01-0${count}`);
    }
    await ida.button('Remove 2100-01-01').press('Enter');
    await isAt(desk, 'Remove 2100-01-02');
    await ida.button('Remove 2100-01-03').press('Enter');
    await isAt(desk, 'Date');
    await ida.button('Remove 2100-01-02').press('Enter');
    await isAt(desk, 'Add a date');
    await ida.button('Saturday: add times').press('Enter');
    await isAt(desk, 'Saturday: from');
    await ida.button('Saturday: remove these times').press('Enter');
    await isAt(desk, 'Saturday: add times');
    await ida.button('Save').press('Enter');
    await ida.isTold('Saved');
    await isAt(desk, 'Save');
    await page.getByLabel('Name', { exact: true }).fill('Another');
    await ida.button('Discard changes').press('Enter');
    await isAt(desk, 'Save');

    await ida.goTo('widget');
    for (const language of ['French', 'German']) {
      await page.getByLabel('Choose a language').selectOption(language);
      await ida.button('Add').press('Enter');
      await has(desk, '.translation:nth-last-of-type(1) textarea');
    }
    await ida.button('Remove French').press('Enter');
    await isAt(desk, 'Greeting');
    await ida.button('Remove German').press('Enter');
    await isAt(desk, 'Choose a language');
    const picture = page.getByRole('group', { name: "The button's picture" });
    await picture
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') });
    await picture.getByRole('button', { name: /^Remove/ }).press('Enter');
    await isAt(desk, 'Choose a picture');
  });

  it('a removed line of any list in the settings leaves the focus beside its place', async () => {
    const { admin } = stage.tenant;
    const supervisor = await stage.parley.signInAgent(stage.tenant, { name: 'Sue', role: 'SUPERVISOR' });
    const { body: made } = await admin.post('/bots', { name: 'Helper' }).expect(201);
    for (const name of ['One', 'Two']) {
      await admin.post(`/bots/${made.id}/tokens`, { name }).expect(201);
      const content = `${name} of them`;
      await supervisor.client.post('/replies', { shortcut: name.toLowerCase(), content }).expect(201);
      const { body: chat } = await admin.post('/chats', { visitor: { name } }).expect(201);
      await supervisor.client.put(`/chats/${chat.id}/block`, { reason: 'Spam' }).expect(200);
    }
    const { body } = await admin.get('/groups').expect(200);
    const ida = await Office.open(stage);
    // What removes each line, and what the page has when the list is empty.
    const lists: [path: string, remove: RegExp, confirm: string | null, atLast: string][] = [
      [`bots/${made.id}`, /^Revoke /, 'Revoke', 'New token'],
      ['replies', /^Remove /, 'Remove', 'Canned replies'],
      ['visitors', /^Unblock visitor: /, null, ''],
      [`groups/${body.groups[0].id}`, / from group$/, null, ''],
    ];
    for (const [path, remove, confirm, atLast] of lists) {
      await ida.goTo(path);
      const buttons = ida.button(remove);
      for (let left = await buttons.count(); left > 0; left--) {
        // A key is meant for the former line until the list without it has been shown a while.
        await eventually(
          () => buttons.first().getAttribute('aria-disabled'),
          (disabled) => disabled !== 'true',
        );
        await buttons.first().press('Enter');
        if (confirm) await ida.dialog.getByRole('button', { name: confirm, exact: true }).press('Enter');
        await eventually(
          () => buttons.count(),
          (count) => count === left - 1,
        );
        const focused = await ida.page.evaluate<string>(FOCUSED);
        expect([path, left, focused]).not.toEqual([path, left, 'body']);
        if (left === 1) expect([path, focused]).toEqual([path, expect.stringContaining(atLast)]);
      }
    }
  });

  it('the heading of the list has the focus after something was removed on its own page', async () => {
    const { body: made } = await stage.tenant.admin.post('/bots', { name: 'Helper' }).expect(201);
    const ida = await Office.open(stage);
    await ida.goTo(`bots/${made.id}`);
    await ida.button('Remove').press('Enter');
    await ida.dialog.getByRole('button', { name: 'Remove', exact: true }).press('Enter');
    await ida.isTold(/removed/i);
    await has(ida.desk, 'h1');
  });

  it('the focus on a button of a notice keeps the notice, and so does the pointer', async () => {
    const ada = await Desk.open(stage);
    const { page } = ada;
    await page.clock.install();
    await page.reload();
    await ada.isLive();
    const notice = page.locator('.notice');
    const undo = notice.getByRole('button', { name: 'Undo' });
    await page.keyboard.press('p');
    await undo.focus();
    await page.clock.fastForward(60_000);
    expect(await undo.count()).toBe(1);
    await page.locator('.list h1').click();
    await page.clock.fastForward(60_000);
    await notice.waitFor({ state: 'detached' });
    await page.keyboard.press('p');
    await undo.hover();
    await page.clock.fastForward(60_000);
    await undo.click();
    await ada.button(/^Your presence:.*Paused$/).waitFor();
  });
});
