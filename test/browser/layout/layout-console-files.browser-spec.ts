import { describe } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { inRepository } from '../../support/example.js';
import { upload } from '../../files/support/files.js';
import { areUploaded, attach, transfer } from '../files/support/attached.js';
import { png, text } from '../files/support/chosen.js';
import type { Desk } from '../support/desk.js';
import { Stage } from '../support/stage.js';
import { type At, consoleScreens } from './support/console.js';
import { NAMES, TORTURE } from './support/torture.js';

const LONG = `${'Donaudampfschifffahrtsgesellschaftsrechnung'.repeat(5)}.txt`;
const SOUND = readFileSync(inRepository('test/files/fixtures/sound.m4a'));
const MOVIE = readFileSync(inRepository('test/files/fixtures/movie.mp4'));

describe('layout of files in the console', () => {
  const stage = Stage.set();
  const screen = consoleScreens(stage);

  /** A chat of the agent. */
  const open = async ({ desk, furnished }: At) => {
    const chatId = await furnished.waiting();
    const { client } = await stage.parley.signInAgain(stage.tenant, desk.agentId);
    await client.post(`/chats/${chatId}/claim`).expect(200);
    await desk.goTo(chatId, 'mine');
    await desk.composer.waitFor();
    return { chatId, client };
  };
  const shown = async (at: At) => {
    const { chatId, client } = await open(at);
    const bytes = png('photo.png', 900, 700).buffer;
    const give = async (api: Parameters<typeof upload>[0], ...files: (readonly [string, Buffer])[]) => {
      const ids: string[] = [];
      for (const [name, content] of files) ids.push((await upload(api, chatId, name, content)).id);
      return ids;
    };
    const { bot } = stage.tenant;
    const photos = Array.from({ length: 6 }, (_, index) => [`photo-${index}.png`, bytes] as const);
    await bot.post('/messages', { chatId, content: '', files: await give(bot, ...photos) }).expect(200);
    const more = await give(bot, ['Sprachnachricht.m4a', SOUND], ['film.mp4', MOVIE], [LONG, text('').buffer]);
    await bot.post('/messages', { chatId, content: TORTURE.chinese, files: more }).expect(200);
    const own = await give(client, ['wide.png', png('', 1200, 30).buffer], [`${NAMES.arabic}.txt`, text('').buffer]);
    await client.post(`/chats/${chatId}/messages`, { content: TORTURE.arabic, files: own }).expect(201);
    const noted = await give(client, ['photo.png', bytes], [LONG, text('').buffer]);
    await client.post(`/chats/${chatId}/notes`, { content: 'Hinweis', files: noted }).expect(201);
    await at.desk.page.locator('.conversation .note-line .shot').waitFor();
  };
  const draft = async ({ desk, ...at }: At) => {
    await open({ desk, ...at });
    const page = { ...text('page.html'), buffer: Buffer.from('<!doctype html>') };
    await attachInGerman(desk, png('photo.png'), text(LONG), text(`${NAMES.arabic}.txt`), page);
    await areUploaded(desk, 3);
    await desk.page.locator('.chosen-file.failed').waitFor();
    await desk.page.route('**/uploads/upl_*', () => undefined);
    await attachInGerman(desk, text('unterwegs.txt'));
    await desk.page.locator('.chosen-file.uploading').waitFor();
  };
  const attachInGerman = (desk: Desk, ...files: Parameters<typeof attach>[1][]) =>
    transfer(desk, 'paste', '.composer textarea', ...files);
  const turned = (reach: (at: At) => Promise<unknown>) => async (at: At) => {
    await reach(at);
    await at.desk.page.evaluate(`document.documentElement.dir = 'rtl'`);
  };

  screen('files in a conversation', shown, { height: 1_600 });
  screen('files in a conversation from right to left', turned(shown), { height: 1_600, widths: [320, 1440] });
  screen('a draft with files', draft);
  screen('a draft with files from right to left', turned(draft), { widths: [320, 1440] });
  screen('a picture in the viewer', async (at) => {
    await shown(at);
    await at.desk.page.locator('.conversation .several .shot').first().click();
    await at.desk.page.locator('.viewer [role=status]').waitFor();
  });
});
