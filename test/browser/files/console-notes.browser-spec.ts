import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { Desk, deskWithChats } from '../support/desk.js';
import { Stage } from '../support/stage.js';
import { areUploaded, attach, storedFiles } from './support/attached.js';
import { png, text } from './support/chosen.js';

describe('files in notes', () => {
  const stage = Stage.set();
  const write = async (desk: Desk, words: string) => {
    await desk.button('Note').first().click();
    await attach(desk, png('photo.png'), text('terms.txt'));
    await areUploaded(desk, 2);
    await desk.page.getByText('Write a few words to add these files as a note').waitFor();
    expect(await desk.page.locator('.composer .send').isDisabled()).toBe(true);
    await desk.composer.fill(words);
    await desk.composer.press('Enter');
    await desk.page.locator('.conversation .note-line:not(.saving) .shot').waitFor();
  };
  const namesOf = async (client: { get: (path: string) => any }, chatId: string) => {
    const { notes } = (await client.get(`/chats/${chatId}/notes`).expect(200)).body;
    return (notes as { files?: { name: string }[] }[]).map(({ files = [] }) => files.map(({ name }) => name));
  };

  it('a note has files, which colleagues see and visitors never get', async () => {
    const { ada, ids, client } = await deskWithChats(stage, ['Walter']);
    await write(ada, 'From the customer');
    expect(await namesOf(client, ids[0]!)).toEqual([['photo.png', 'terms.txt']]);
    expect(await storedFiles(stage, ids[0]!)).toEqual([]);
    const bob = await Desk.open(stage, { name: 'Bob' });
    await bob.goTo(ids[0]!, 'open');
    await bob.page.locator('.conversation .note-line .shot img').click();
    await bob.page.locator('.viewer').getByRole('img', { name: 'photo.png' }).waitFor();
    await bob.page.keyboard.press('Escape');
    await bob.page.locator('.viewer').waitFor({ state: 'detached' });
  });

  it('its files can be replaced, and are deleted with it after a question', async () => {
    const { ada, ids, client } = await deskWithChats(stage, ['Walter']);
    await write(ada, 'From the customer');
    const note = ada.page.locator('.conversation .note-line');
    await note.getByRole('button', { name: 'Edit' }).click();
    const dialog = ada.page.getByRole('dialog', { name: 'Edit note' });
    await dialog.getByRole('button', { name: 'Remove photo.png' }).click();
    const [chooser] = await Promise.all([
      ada.page.waitForEvent('filechooser'),
      dialog.getByRole('button', { name: 'Attach files' }).click(),
    ]);
    await chooser.setFiles([text('more.txt')]);
    await dialog.locator('.chosen-file.done').nth(1).waitFor();
    await dialog.getByRole('button', { name: 'Save note' }).click();
    await dialog.waitFor({ state: 'detached' });
    await note.getByText('more.txt').waitFor();
    expect(await namesOf(client, ids[0]!)).toEqual([['terms.txt', 'more.txt']]);
    await note.getByRole('button', { name: 'Delete' }).click();
    await ada.page.getByRole('dialog', { name: 'Delete this note and its files?' }).waitFor();
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await note.waitFor({ state: 'detached' });
    await eventually(
      async () => (await stage.tenant.admin.get('/files').expect(200)).body.files,
      (files) => files === 0,
    );
  });

  it('a note that is edited and not saved leaves no upload', async () => {
    const { ada, ids, client } = await deskWithChats(stage, ['Walter']);
    await write(ada, 'From the customer');
    await ada.page.locator('.conversation .note-line').getByRole('button', { name: 'Edit' }).click();
    const dialog = ada.page.getByRole('dialog', { name: 'Edit note' });
    const [chooser] = await Promise.all([
      ada.page.waitForEvent('filechooser'),
      dialog.getByRole('button', { name: 'Attach files' }).click(),
    ]);
    await chooser.setFiles([text('more.txt')]);
    await dialog.locator('.chosen-file.done').nth(2).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await eventually(
      async () => (await stage.tenant.admin.get('/files').expect(200)).body.files,
      (files) => files === 2,
    );
    expect(await namesOf(client, ids[0]!)).toEqual([['photo.png', 'terms.txt']]);
  });
});
