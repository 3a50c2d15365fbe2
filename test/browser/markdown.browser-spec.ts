import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { findViolations } from './support/axe.js';
import { LOOKS } from './support/looks.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

const EVERYTHING = [
  '# Your order',
  'It **leaves today** with *care*, see [the status](https://example.com/orders).',
  '',
  '1. Open `settings`',
  '2. Choose:',
  '   - small',
  '   - large',
  '',
  '> You asked for this',
  '',
  '```sh',
  `npm install ${'a-very-long-name-'.repeat(12)}`,
  '```',
  '',
  `| Plan | ${'A wide column '.repeat(3)} | Price | Another one |`,
  '|---|---|--:|---|',
  '| Small | with **all** of it | 5 | x |',
].join('\n');

describe('Markdown from bots', () => {
  const stage = Stage.set();
  let visit: Visit;

  afterEach(() => expect(visit.complaints).toEqual([]));

  const begin = async (options = {}) => {
    stage.site.page.body = '<main><h1>A site</h1></main>';
    visit = await stage.visit(options);
    await visit.open();
    await visit.say('Hello');
  };
  const bubble = () => visit.messages.last();

  it("Markdown is rendered, and its code loads only when it's needed", async () => {
    const parts: string[] = [];
    await begin({ permissions: ['clipboard-read', 'clipboard-write'] });
    visit.page.on('request', (request) => parts.push(/\/widget\/(\w+)\./.exec(request.url())?.[1] ?? ''));
    await stage.say('Good morning');
    await visit.sees('Hello', 'Good morning');
    expect(parts.filter((name) => name === 'markdown')).toEqual([]);
    await stage.say(EVERYTHING);
    await bubble().getByText('leaves today').and(visit.page.locator('strong')).waitFor();
    expect(parts.filter((name) => name === 'markdown')).toEqual(['markdown']);
    expect(await bubble().getByRole('listitem').count()).toBe(4);
    expect(await bubble().getByRole('columnheader').count()).toBe(4);
    await bubble().getByRole('button', { name: 'Copy' }).click();
    await bubble().getByRole('button', { name: 'Copied' }).waitFor();
    expect(await visit.page.evaluate('navigator.clipboard.readText()')).toMatch(/^npm install a-very/);
  });

  it('Markdown has the direction of its own words, on any page', async () => {
    stage.site.page.root = 'dir="rtl"';
    await begin();
    const directions = () =>
      bubble()
        .locator('ul, table, li p')
        .evaluateAll((all) => all.map((element) => (element.matches(':dir(rtl)') ? 'rtl' : 'ltr')));
    const list = (word: string) => `- ${word}\n\n| ${word} |\n|---|\n| ${word} |`;
    await stage.say(list('English'));
    await bubble().getByRole('table').waitFor();
    expect(await directions()).toEqual(['ltr', 'ltr', 'ltr']);
    await stage.say(list('عربي'));
    await bubble().getByRole('cell', { name: 'عربي' }).waitFor();
    expect(await directions()).toEqual(['rtl', 'rtl', 'rtl']);
  });

  it("a visitor's text stays plain, and so does the bot's with format plain", async () => {
    await begin();
    await visit.say('**mine**');
    await stage.say('**plain**', { metadata: { format: 'plain' } });
    await stage.say('**bold**');
    await visit.sees('Hello', '**mine**', '**plain**', 'bold');
  });

  it('Markdown runs nothing, leads nowhere else, and never widens the panel', async () => {
    await begin();
    const texts = [
      '<img src=x onerror="window.hacked=1"> **a** <script>window.hacked=1</script>',
      '[x](javascript:window.hacked=1) `a` [y](data:text/html,z) [z](vbscript:a)',
      '[a](https://example.com/"onclick="window.hacked=1) **b**',
      '[https://bank.example](https://evil.example/bank)',
      `**${'x'.repeat(4_000)}**`,
      `\`${'y'.repeat(4_000)}\``,
      '['.repeat(5_000),
      '*a '.repeat(1_600),
      '> '.repeat(2_500),
      '- '.repeat(2_500),
      `${'|a'.repeat(40)}|\n${'|-'.repeat(40)}|`,
    ];
    for (const text of texts) await stage.say(text);
    await eventually(
      () => visit.messages.count(),
      (count) => count === texts.length + 1,
    );
    await visit.panel.locator('.marked strong').first().waitFor();
    const addresses = await visit.panel
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(addresses).toEqual(['https://example.com/', 'https://evil.example/bank']);
    await visit.panel.getByText('(evil.example)').waitFor();
    expect(await visit.page.evaluate('window.hacked')).toBeUndefined();
    const view = visit.panel.getByRole('region', { name: 'Messages' });
    expect(await view.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    await visit.say('Still there');
  });

  it("Markdown works under the page's strict policy", async () => {
    stage.site.page.policy =
      "default-src 'none'; script-src {service}; connect-src {service} ws://127.0.0.1:*; img-src http: https:; " +
      "require-trusted-types-for 'script'";
    await begin();
    await stage.say('**bold**');
    await visit.panel.locator('.marked strong').waitFor();
  });

  it("Markdown is shown with its marks when its code can't be loaded", async () => {
    await begin();
    await visit.page.route(/widget\/markdown\./, (route) => route.fulfill({ status: 404, body: '' }));
    await stage.say('**bold** https://example.com/');
    await visit.sees('Hello', '**bold** https://example.com/');
    // The error of the missing file.
    await eventually(
      () => Promise.resolve(visit.complaints.splice(0)),
      ([complaint]) => !!complaint?.includes('404'),
    );
  });

  it('streamed Markdown is rendered without a mark that disappears later', async () => {
    await begin();
    const chatId = await stage.chatId();
    const live = visit.panel.locator('[aria-hidden=true] .bubble');
    const write = (text: string) =>
      stage.tenant.bot.post(`/chats/${chatId}/typing`, { isTyping: true, text }).expect(200);
    await write('The price');
    await live.getByText('The price').waitFor();
    for (const [text, seen] of [
      ['The price is **five eu', 'The price is five eu'],
      ['The price is **five euros*', 'The price is five euros'],
      ['The price is **five euros**, see [the li', 'The price is five euros, see the li'],
      ['The price is **five euros**, see [the list](https://exam', 'The price is five euros, see the list'],
    ] as const) {
      await write(text);
      await eventually(
        () => live.innerText(),
        (shown) => shown === seen,
      );
      expect(await live.locator('strong').count()).toBe(1);
    }
    await stage.say('The price is **five euros**, see [the list](https://example.com).');
    await visit.sees('Hello', 'The price is five euros, see the list.');
  });

  for (const [look, options] of Object.entries(LOOKS)) {
    it(`axe finds no violation in Markdown on ${look}`, async () => {
      await begin(options);
      await stage.say(EVERYTHING);
      await visit.panel.locator('.marked strong').first().waitFor();
      expect(await findViolations(visit)).toEqual([]);
    });
  }
});
