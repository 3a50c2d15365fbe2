import { beforeEach, describe } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { inRepository } from '../../support/example.js';
import { upload } from '../../files/support/files.js';
import { allowUploads, choose, hand, isUploaded, png, text } from '../files/support/chosen.js';
import { Stage } from '../support/stage.js';
import { NAMES, TORTURE } from './support/torture.js';
import { beginChat, type On, widgetScreens } from './support/widget.js';

const ARABIC = { root: 'lang="ar" dir="rtl"', widths: [320, 1440] } as const;
const LONG = `${'Donaudampfschifffahrtsgesellschaftsrechnung'.repeat(5)}.txt`;

describe('layout of files', () => {
  const stage = Stage.set();
  const screen = widgetScreens(stage);
  const SOUND = readFileSync(inRepository('test/files/fixtures/sound.m4a'));
  const MOVIE = readFileSync(inRepository('test/files/fixtures/movie.mp4'));

  beforeEach(() => allowUploads(stage));

  const ways = async (on: On) => {
    await beginChat(stage, on, 'Guten Tag');
    await on.visit.panel.locator('.composer [aria-expanded]').click();
    await on.visit.panel.locator('.way').first().waitFor();
  };
  const draft = async (on: On) => {
    await beginChat(stage, on, 'Guten Tag');
    const page = { ...text('page.html'), buffer: Buffer.from('<!doctype html>') };
    await choose(on.visit, png('photo.png'), text(LONG), text(`${NAMES.arabic}.txt`), page);
    await isUploaded(on.visit, 3);
    await on.visit.panel.locator('.chosen-file.failed').waitFor();
    await on.visit.composer.fill(TORTURE.chinese);
  };
  const shown = async (on: On) => {
    const chatId = await beginChat(stage, on, 'Guten Tag');
    const give = async (content: string, ...files: (readonly [string, Buffer])[]) => {
      const ids: string[] = [];
      for (const [name, bytes] of files) ids.push((await upload(stage.tenant.bot, chatId, name, bytes)).id);
      await stage.say(content, { files: ids });
    };
    const { buffer: picture } = png('photo.png', 900, 700);
    await give(TORTURE.chinese, ['one.png', picture], ['two.png', picture], [LONG, text('').buffer]);
    await give('', ['wide.png', png('', 1200, 30).buffer], ['Sprachnachricht.m4a', SOUND], ['film.mp4', MOVIE]);
    await give(TORTURE.arabic, [`${NAMES.arabic}.txt`, text('').buffer]);
    await on.visit.panel.locator('.files').nth(2).waitFor();
    await on.visit.panel.locator('video').waitFor();
  };
  const opened = async (on: On) => {
    await shown(on);
    await on.visit.panel.locator('.shot').first().click();
    await on.visit.page.locator('.viewer [role=status]').waitFor();
  };

  screen('the ways to add a file', ways);
  screen('the ways to add a file in Arabic', ways, ARABIC);
  screen('a draft with files', draft);
  screen('a draft with files in Arabic', draft, ARABIC);
  screen('files in the chat', shown, { height: 1_200 });
  screen('files in the chat in Arabic', shown, { ...ARABIC, height: 1_200 });
  screen('a picture in the viewer', opened);
  screen('a picture in the viewer in Arabic', opened, ARABIC);
  screen('an upload without a connection', async (on) => {
    await beginChat(stage, on, 'Guten Tag');
    await on.visit.page.route('**/uploads/upl_*', () => undefined);
    await hand(on.visit, 'drop', text(LONG));
    await on.visit.panel.locator('.chosen-file.uploading').waitFor();
    stage.road.cut();
    await on.visit.panel.locator('.tray .count').waitFor();
  });
});
