import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { Desk, deskWithChats } from '../support/desk.js';
import { Stage } from '../support/stage.js';
import { areUploaded, attach, holdUploads, storedFiles, transfer } from './support/attached.js';
import { png, text } from './support/chosen.js';

describe('an agent sends files', () => {
  const stage = Stage.set();
  const send = (desk: Desk) => desk.page.locator('.composer .send').click();
  const isStored = (chatId: string, files: [string, string[]][]) =>
    eventually(
      () => storedFiles(stage, chatId),
      (stored) => JSON.stringify(stored) === JSON.stringify(files),
    );

  it('with words, without, several together, and by a drop; the list names them', async () => {
    const { ada, ids } = await deskWithChats(stage, ['Walter', 'Vera']);
    const [walter] = ids as [string];
    await attach(ada, png('photo.png', 1200, 900));
    await areUploaded(ada, 1);
    await ada.composer.fill('Look at this');
    await send(ada);
    await ada.page.locator('.message .shot img').waitFor();
    expect(await ada.composer.inputValue()).toBe('');
    expect(await ada.page.locator('.chosen-file').count()).toBe(0);
    const photos = Array.from({ length: 6 }, (_, index) => png(`photo-${index}.png`, 300 + 60 * index));
    await transfer(ada, 'dragover', '.scroller', ...photos);
    await ada.page.getByText('Drop files into your reply to Walter').waitFor();
    await transfer(ada, 'drop', '.scroller', ...photos);
    await ada.page.locator('.drop-zone').waitFor({ state: 'detached' });
    await attach(ada, text('terms.txt'));
    await areUploaded(ada, 7);
    await send(ada);
    const names = [...photos.map(({ name }) => name), 'terms.txt'];
    await isStored(walter, [
      ['Look at this', ['photo.png']],
      ['', names],
    ]);
    await ada.page.locator('.several .shot').nth(5).waitFor();
    await ada.page.locator('.file-card').getByText('TXT · 2 kB').waitFor();
    await ada.rows.filter({ hasText: 'Walter' }).getByText('You: Image +6').waitFor();
    await attach(ada, text('my_long_name.txt'));
    await areUploaded(ada, 1);
    await ada.composer.press('Enter');
    await ada.rows.filter({ hasText: 'Walter' }).getByText('You: my_long_name.txt').waitFor();
    expect(ada.visit.complaints).toEqual([]);
  });

  it('a screenshot, with Enter before it is uploaded: it goes into its chat, even if another one is open', async () => {
    const { ada, ids } = await deskWithChats(stage, ['Walter', 'Vera']);
    const [walter, vera] = ids as [string, string];
    const go = await holdUploads(ada);
    await attach(ada, text('first.txt'));
    await transfer(ada, 'paste', '.composer textarea', png('image.png'));
    await ada.page.locator('.chosen-file').nth(1).waitFor();
    await ada.composer.fill('This is what I see');
    await ada.composer.press('Enter');
    await ada.page.getByText('Will be sent when the upload is complete').waitFor();
    await ada.rows.filter({ hasText: 'Vera' }).click();
    await ada.page.locator('.chat-head').getByText('Vera').waitFor();
    expect(await ada.page.locator('.chosen-file').count()).toBe(0);
    await attach(ada, png('for-vera.png'));
    await ada.page.locator('.chosen-file').waitFor();
    go();
    await isStored(walter, [['This is what I see', ['first.txt', 'image.png']]]);
    await areUploaded(ada, 1);
    expect(await storedFiles(stage, vera)).toEqual([]);
    await send(ada);
    await isStored(vera, [['', ['for-vera.png']]]);
  });

  it('each chat keeps its files with its draft, also over a reload', async () => {
    const { ada, ids } = await deskWithChats(stage, ['Walter', 'Vera']);
    await attach(ada, png('photo.png'));
    await areUploaded(ada, 1);
    await ada.composer.fill('For Walter');
    await ada.rows.filter({ hasText: 'Vera' }).click();
    await ada.page.locator('.chat-head').getByText('Vera').waitFor();
    await attach(ada, text('for-vera.txt'));
    await areUploaded(ada, 1);
    await ada.page.reload();
    await areUploaded(ada, 1);
    await ada.page.locator('.chosen-file').getByText('for-vera.txt').waitFor();
    await ada.rows.filter({ hasText: 'Walter' }).click();
    await ada.page.locator('.chosen-file').getByText('photo.png').waitFor();
    expect(await ada.composer.inputValue()).toBe('For Walter');
    await send(ada);
    await isStored(ids[0]!, [['For Walter', ['photo.png']]]);
    expect(await storedFiles(stage, ids[1]!)).toEqual([]);
  });

  it('what is written after Enter holds the draft back', async () => {
    const { ada, ids } = await deskWithChats(stage, ['Walter']);
    const go = await holdUploads(ada);
    await attach(ada, text('terms.txt'));
    await ada.composer.fill('Half');
    await ada.composer.press('Enter');
    await ada.page.getByText('Will be sent when the upload is complete').waitFor();
    await ada.composer.press('End');
    await ada.composer.pressSequentially(' and more');
    go();
    await areUploaded(ada, 1);
    expect(await storedFiles(stage, ids[0]!)).toEqual([]);
    await send(ada);
    await isStored(ids[0]!, [['Half and more', ['terms.txt']]]);
  });

  it('a message that is taken back gives its files back', async () => {
    const { ada, ids } = await deskWithChats(stage, ['Walter']);
    await ada.page.evaluate(`localStorage.setItem('parley:console:undo-send', 'on')`);
    await ada.page.reload();
    await ada.composer.waitFor();
    await attach(ada, png('photo.png'));
    await areUploaded(ada, 1);
    await ada.composer.fill('Too early');
    await send(ada);
    await ada.page.locator('.message.held .shot').waitFor();
    await ada.page.locator('.message.held').getByRole('button', { name: 'Undo' }).click();
    await areUploaded(ada, 1);
    expect(await ada.composer.inputValue()).toBe('Too early');
    await send(ada);
    await isStored(ids[0]!, [['Too early', ['photo.png']]]);
  });

  it('in two tabs: each tab has its own files, and both show both messages', async () => {
    const { ada, ids } = await deskWithChats(stage, ['Walter']);
    const other = ada.inTab(await ada.visit.newTab(ada.page.url()));
    await other.composer.waitFor();
    await attach(ada, png('first.png'));
    await attach(other, text('second.txt'));
    await areUploaded(ada, 1);
    await areUploaded(other, 1);
    await send(ada);
    await ada.page.locator('.message:not(.pending) .shot').waitFor();
    await send(other);
    await isStored(ids[0]!, [
      ['', ['first.png']],
      ['', ['second.txt']],
    ]);
    for (const { page } of [ada, other]) {
      await page.getByRole('img', { name: 'first.png' }).waitFor();
      await page.locator('.conversation .file-card').getByText('second.txt').waitFor();
    }
    await other.visit.page.close();
  });
});
