import { describe, expect, it } from '@jest/globals';
import { Stage } from './support/stage.js';

/** In the place of a hash: no release has a file with this name. */
const OTHER = '0therRe1';

describe('the widget of another release', () => {
  const stage = Stage.set();

  // A cache has the launcher, or the page was open before the upgrade, or another node has served the file.
  it.each([
    ['the launcher', '/widget.js', ['panel', 'words.en'], (body: string) => body],
    ['the panel', '/widget/panel.*.js', ['choices', 'markdown', 'chats'], (body: string) => body],
    // What the panel shares with its parts had another name.
    [
      'an earlier panel',
      '/widget/panel.*.js',
      ['choices', 'markdown', 'chats'],
      (body: string) => body.replace(/\busePanel:/, 'useKit:'),
    ],
  ])(
    '%s of another release works, though the files that it names no longer exist',
    async (_, path, missing, change) => {
      const visit = await stage.visit({}, 'about:blank');
      const { page, panel } = visit;
      await page.route(`**${path}`, async (route) => {
        const response = await route.fetch();
        const body = change((await response.text()).replaceAll(/\.[\w-]{8}\.js\b/g, `.${OTHER}.js`));
        await route.fulfill({ response, body });
      });
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await page.goto(stage.site.url);
      await visit.open();
      await visit.say('Hello');
      await stage.say('**Which size?**', {
        type: 'QUICK_REPLY',
        metadata: { options: [{ label: 'Small', value: 's' }] },
      });
      await panel.locator('strong').getByText('Which size?').waitFor();
      await visit.button('Small').click();
      await visit.messages.getByText('Small', { exact: true }).waitFor();
      await visit.button('Your chats').click();
      await panel.locator('.chat .title').getByText('Hello').waitFor();
      expect(asked).toEqual(expect.arrayContaining(missing.map((name) => `/widget/${name}.${OTHER}.js`)));
      expect(visit.complaints).toEqual([]);
    },
  );

  // The page has loaded the words before the upgrade, and loads the panel after it.
  it('the panel works with texts of another release, which lack some', async () => {
    await stage.tenant.admin.patch('/widget', { personAfter: 0 }).expect(200);
    const visit = await stage.visit({}, 'about:blank');
    const { page, panel } = visit;
    await page.route('**/widget/words.*.js', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll(
        /\b(next|waiting|closedBy|ended|typing|seen|talk):/g,
        'later_$1:',
      );
      await route.fulfill({ response, body });
    });
    await page.goto(stage.site.url);
    await visit.open();
    await visit.say('Hello');
    await stage.say('Hi');
    const chatId = await stage.chatId();
    await stage.tenant.bot.post(`/chats/${chatId}/typing`, { isTyping: true }).expect(200);
    await panel.locator('.dots').waitFor();
    await visit.button('Your chats').click();
    await visit.button('Save as text').waitFor();
    await panel.locator('.chat').waitFor();
    expect(await panel.locator('.actions button:empty').count()).toBe(0);
    await visit.button('Back').click();
    await stage.tenant.bot.post('/transfer', { chatId }).expect(200);
    await panel.locator('header.QUEUE').waitFor();
    await visit.say('Is anyone there?');
    await stage.tenant.bot.post(`/chats/${chatId}/close`, {}).expect(200);
    await visit.button('Start a new chat').waitFor();
    await visit.sees('Hello', 'Hi', 'Is anyone there?');
    expect(visit.complaints).toEqual([]);
  });
});
