import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

/** Counts the notes that are played: the test machines have no sound. */
const LISTEN = `
  window.notes = 0;
  const { start } = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function (...args) { window.notes++; return start.apply(this, args); };`;

describe('messages while the panel is closed', () => {
  const stage = Stage.set();
  let visit: Visit;

  afterEach(() => expect(visit.complaints).toEqual([]));

  const preview = () => visit.page.getByRole('group', { name: 'New message from Bot' });
  const title = () => visit.page.title();
  /** Sends a message, and closes the panel. */
  const begin = async (options = {}) => {
    stage.site.page.body = '<main><h1>A site</h1></main>';
    visit = await stage.visit(options, 'about:blank');
    await visit.page.addInitScript(LISTEN);
    await visit.page.goto(stage.site.url);
    await visit.open();
    await visit.say('Hello');
    await visit.button('Close chat').click();
    await visit.panel.waitFor({ state: 'hidden' });
  };

  it('a message is previewed, counted in the title, played as a sound, and announced', async () => {
    await begin();
    await stage.say('**Good** morning');
    await preview().getByText('Good morning').waitFor();
    await visit.page.getByRole('status').filter({ hasText: 'New message from Bot' }).waitFor({ state: 'attached' });
    await eventually(title, (text) => text === '(1) A site');
    await eventually(
      () => visit.page.evaluate<number>('window.notes'),
      (notes) => notes === 2,
    );
    await stage.say('And more');
    await preview().getByText('And more').waitFor();
    await eventually(title, (text) => text === '(2) A site');
    await preview()
      .getByRole('button', { name: /And more/ })
      .click();
    await visit.sees('Hello', 'Good morning', 'And more');
    await visit.panel.getByText('New', { exact: true }).waitFor();
    await eventually(title, (text) => text === 'A site');
    await preview().waitFor({ state: 'detached' });
  });

  it("a dismissed preview doesn't come back on the next page", async () => {
    await begin();
    await stage.say('Good morning');
    await preview().getByRole('button', { name: 'Dismiss' }).click();
    await preview().waitFor({ state: 'detached' });
    await visit.page.reload();
    await visit.page.getByRole('button', { name: 'Open chat (1 unread)' }).waitFor();
    await eventually(title, (text) => text === '(1) A site');
    expect(await preview().count()).toBe(0);
    await stage.say('Still there?');
    await preview().getByText('Still there?').waitFor();
  });

  it('a message that was read when it came is silent when the panel closes', async () => {
    await begin();
    const notes = () => visit.page.evaluate<number>('window.notes');
    await stage.say('Good morning');
    await eventually(notes, (count) => count === 2);
    await visit.open();
    await stage.say('And more');
    await visit.sees('Hello', 'Good morning', 'And more');
    await visit.button('Close chat').click();
    await visit.panel.waitFor({ state: 'hidden' });
    await stage.say('And even more');
    await eventually(notes, (count) => count > 2);
    expect(await notes()).toBe(4);
  });

  it('the site can turn the sound off', async () => {
    stage.site.page.attributes += ' data-sound="off"';
    await begin();
    await stage.say('Good morning');
    await preview().waitFor();
    expect(await visit.page.evaluate('window.notes')).toBe(0);
  });

  it('the organization can turn the sound off', async () => {
    await stage.tenant.admin.patch('/widget', { sound: false }).expect(200);
    await begin();
    await stage.say('Good morning');
    await preview().waitFor();
    expect(await visit.page.evaluate('window.notes')).toBe(0);
  });

  it('a title that has its own counter stays unchanged', async () => {
    stage.site.page.head = `<script>Parley = function () { (Parley.q ??= []).push(arguments) };
      Parley('on', 'unread', (count) => (document.title = count ? '(' + count + ') Shop' : 'Shop'))</script>`;
    await begin();
    await stage.say('Good morning');
    await preview().waitFor();
    expect(await title()).toBe('(1) Shop');
  });
});
