import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Alerted } from './support/alerted.js';
import { anotherChat, Desk } from './support/desk.js';
import { Stage } from './support/stage.js';

describe('notes that mention colleagues', () => {
  const stage = Stage.set();

  const writeNote = async (desk: Desk, content: string) => {
    await desk.page.keyboard.press('n');
    // With a space after the name, no list of colleagues takes the Enter.
    await desk.composer.fill(`${content} `);
    await desk.composer.press('Enter');
  };
  const badge = ({ page }: Desk) => page.getByRole('link', { name: /^Mentions/ });

  it('a mentioned colleague is alerted once in all tabs, and seeing the chat clears the number in all of them', async () => {
    const bob = await Alerted.at(await Desk.open(stage, { name: 'Bob Smith' }));
    const beside = await bob.beside(bob.desk.inTab(await bob.desk.visit.newTab(`${stage.road.url}/console/mine`)));
    const tabs = [bob, beside];
    for (const tab of tabs) await tab.go(true);
    const ada = await Desk.open(stage, { name: 'Ada' });
    const chatId = await anotherChat(stage, 'Vera', 'Hello');
    await ada.goTo(chatId);
    await ada.page.keyboard.press('n');
    await ada.composer.pressSequentially('Please look, @smi');
    await ada.page.getByRole('option', { name: /Bob Smith/ }).waitFor();
    await ada.composer.press('Enter');
    expect(await ada.composer.inputValue()).toBe('Please look, @Bob Smith ');
    await ada.composer.press('Enter');
    await ada.page.locator('.note-line b').getByText('@Bob Smith').waitFor();
    const told = async () => (await Promise.all(tabs.map((tab) => tab.told()))).flat().map(({ title }) => title);
    await eventually(told, (titles) => titles.includes('Ada mentioned you'));
    for (const { desk } of tabs) await badge(desk).getByText('1 new mention').waitFor({ state: 'attached' });
    await bob.go(false);
    await badge(bob.desk).click();
    await bob.desk.page.getByRole('link', { name: /Ada · chat with Vera/ }).click();
    await bob.desk.sees('Please look, @Bob Smith');
    for (const { desk } of tabs) await badge(desk).getByText('new mention').waitFor({ state: 'detached' });
    expect(await told()).toEqual(['Ada mentioned you']);
    await badge(beside.desk).click();
    await beside.desk.page.getByText('Please look, @Bob Smith').waitFor();
    expect(await beside.desk.page.locator('.badge').count()).toBe(0);
  });

  it('a mention by someone with a long name says whose chat it is', async () => {
    const bob = await Desk.open(stage, { name: 'Bob' });
    const agent = await stage.parley.signInAgent(stage.tenant, { name: 'Ada '.repeat(50).trim(), role: 'SUPERVISOR' });
    const chatId = await anotherChat(stage, 'Vera', 'Hello');
    await agent.client.post(`/chats/${chatId}/notes`, { content: 'For @Bob', mentions: [bob.agentId] }).expect(201);
    await badge(bob).getByText('1 new mention').waitFor({ state: 'attached' });
    await badge(bob).click();
    const line = bob.page.locator('.line-name').filter({ hasText: 'chat with Vera' });
    await line.waitFor();
    expect(await line.evaluate((name: any) => name.scrollWidth - name.clientWidth)).toBe(0);
  });

  it('a colleague who lost the chat cannot be mentioned, and the note stays in its field', async () => {
    const ada = await Desk.open(stage, { name: 'Ada' });
    const bob = await stage.parley.signInAgent(stage.tenant, { name: 'Bob', role: 'SUPERVISOR' });
    const chatId = await anotherChat(stage, 'Vera', 'Hello');
    await ada.goTo(chatId);
    await ada.page.keyboard.press('n');
    await ada.composer.pressSequentially('@Bo');
    await ada.page.getByRole('option', { name: /Bob/ }).waitFor();
    await ada.composer.press('Tab');
    await stage.tenant.admin.patch(`/agents/${bob.id}`, { role: 'AGENT', groupIds: [] }).expect(200);
    await ada.composer.press('Enter');
    await ada.isTold("A colleague you mentioned can't see this chat. Remove the mention, or ask a supervisor.");
    await eventually(
      () => ada.composer.inputValue(),
      (value) => value === '@Bob',
    );
  });

  it('an edited note mentions the colleagues of its new text', async () => {
    const ada = await Desk.open(stage, { name: 'Ada' });
    const [bob, cleo] = [await Desk.open(stage, { name: 'Bob' }), await Desk.open(stage, { name: 'Cleo' })];
    const chatId = await anotherChat(stage, 'Vera', 'Hello');
    await ada.goTo(chatId);
    await ada.page.locator('.nav').getByText('Mentions').waitFor();
    await writeNote(ada, 'For @Bob');
    await badge(bob).getByText('1 new mention').waitFor({ state: 'attached' });
    await ada.page.getByRole('article', { name: 'Note by Ada' }).getByRole('button', { name: 'Edit' }).click();
    const dialog = ada.page.getByRole('dialog', { name: 'Edit note' });
    await dialog.getByRole('textbox').fill(' ');
    await dialog.getByRole('button', { name: 'Save note' }).click();
    await dialog.getByText('Write something, or cancel and delete the note.').waitFor();
    await dialog.getByRole('textbox').fill('For @Cleo');
    await dialog.getByRole('button', { name: 'Save note' }).click();
    await badge(cleo).getByText('1 new mention').waitFor({ state: 'attached' });
    await bob.page.reload();
    await bob.isLive();
    await badge(bob).getByText('new mention').waitFor({ state: 'detached' });
  });
});
