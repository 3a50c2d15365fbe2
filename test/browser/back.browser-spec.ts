import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { PHONE } from './support/looks.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

describe('Back on a phone', () => {
  const stage = Stage.set();
  let visit: Visit;

  beforeEach(async () => {
    stage.site.page.head = `<script>window.pops = []; addEventListener('popstate', ({ state }) => window.pops.push(state))</script>`;
    visit = await stage.visit(PHONE);
    await visit.page.evaluate(`history.replaceState({ key: 'own' }, '')`);
  });
  afterEach(() => expect(visit.complaints).toEqual([]));

  const state = () => visit.page.evaluate<object | null>('history.state');
  const pops = () => visit.page.evaluate<unknown[]>('window.pops');

  it('Back closes the panel, and the page’s router sees its own location', async () => {
    await visit.open();
    expect(await state()).toMatchObject({ key: 'own' });
    await visit.page.goBack();
    await visit.panel.waitFor({ state: 'hidden' });
    expect([await state(), await pops()]).toEqual([{ key: 'own' }, [{ key: 'own' }]]);
    expect(visit.page.url()).toBe(`${stage.site.url}/`);
    await visit.launcher.tap();
    await visit.composer.waitFor();
  });

  it('Back leaves the page with one press after the panel was closed by its button', async () => {
    await visit.page.goto(`${stage.site.url}/#second`);
    await visit.launcher.tap();
    await visit.online();
    await visit.button('Close chat').tap();
    await visit.panel.waitFor({ state: 'hidden' });
    await eventually(state, (now) => now === null);
    await visit.page.goBack();
    await eventually(
      () => Promise.resolve(visit.page.url()),
      (url) => url === `${stage.site.url}/`,
    );
  });

  it('Back goes where the page has navigated since', async () => {
    await visit.open();
    await visit.page.evaluate(`Parley('close'); history.pushState({ key: 'next' }, '', '/#next')`);
    await visit.panel.waitFor({ state: 'hidden' });
    expect([await state(), new URL(visit.page.url()).hash]).toEqual([{ key: 'next' }, '#next']);
    await visit.page.goBack();
    await eventually(state, (now) => JSON.stringify(now) === '{"key":"own"}');
    expect(await pops()).toEqual([{ key: 'own' }]);
  });
});
