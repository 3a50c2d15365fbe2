import { describe } from '@jest/globals';
import { Stage } from '../support/stage.js';
import { consoleScreens } from './support/console.js';

describe('layout of the administration', () => {
  const stage = Stage.set();
  const screen = consoleScreens(stage);

  screen('the first steps', ({ office }) => office.goTo('setup'));
  screen('the people', ({ office }) => office.goTo('people'));
  screen('the groups', ({ office }) => office.goTo('groups'));
  screen('the bots', ({ office }) => office.goTo('bots'));
  screen('the webhooks', ({ office }) => office.goTo('webhooks'));
  screen('the replies', ({ office }) => office.goTo('replies'));
  screen('the visitors', ({ office }) => office.goTo('visitors'));
  screen('the visitors, of whom one is blocked', async ({ office, furnished }) => {
    await furnished.block(await furnished.waiting());
    await office.goTo('visitors');
    await office.page.locator('.page-section .line').waitFor();
  });
  screen('the audit log', ({ office }) => office.goTo('audit'));
});
