import { describe, expect, it } from '@jest/globals';
import { upload } from '../../files/support/files.js';
import { findViolations } from '../support/axe.js';
import { LOOKS } from '../support/looks.js';
import { Stage } from '../support/stage.js';
import type { Visit } from '../support/visit.js';
import { begin, choose, isUploaded, png, text } from './support/chosen.js';

describe('accessibility of files', () => {
  const stage = Stage.set();

  const show = async (visit: Visit) => {
    const chatId = await stage.chatId();
    const given = [png('one.png'), png('two.png'), text('terms.txt')];
    const ids = [];
    for (const { name, buffer } of given) ids.push((await upload(stage.tenant.bot, chatId, name, buffer)).id);
    await stage.say('', { files: ids });
    await visit.panel.locator('.shot').nth(1).waitFor();
  };
  const STATES: Record<string, (visit: Visit) => Promise<unknown>> = {
    'the ways to add a file': async (visit) => {
      await visit.button('Attach files').click();
      await visit.button('Choose files').waitFor();
    },
    'a recording': async (visit) => {
      await visit.button('Attach files').click();
      await visit.button('Record a voice message').click();
      await visit.panel.getByText(/Recording: 0:(?:0[1-9]|[1-5]\d)/).waitFor();
    },
    'a draft with an upload and a refusal': async (visit) => {
      await choose(visit, png('photo.png'), text('empty.txt', 0));
      await isUploaded(visit, 1);
      await visit.page.route('**/uploads/upl_*', () => undefined);
      await choose(visit, text('terms.txt'));
      await visit.panel.getByRole('progressbar').waitFor();
    },
    'files in the chat': show,
    'a picture in the viewer': async (visit) => {
      await show(visit);
      await visit.panel.locator('.shot').first().click();
      await visit.page.getByRole('button', { name: 'Next image' }).waitFor();
    },
  };

  for (const [look, options] of Object.entries(LOOKS)) {
    describe(`on ${look}`, () => {
      for (const [state, reach] of Object.entries(STATES)) {
        it(state, async () => {
          stage.site.page.body = '<main><h1>A site</h1></main>';
          const visit = await begin(stage, { ...options, permissions: ['microphone'] });
          await reach(visit);
          expect(await findViolations(visit)).toEqual([]);
        });
      }
    });
  }
});
