import { afterEach, describe, expect, it } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { Example, inRepository } from '../support/example.js';
import { eventually } from '../support/eventually.js';
import { Stage } from './support/stage.js';
import { buildWithVite, serveFiles } from './support/vite.js';

describe("a chat of a site's own, in Vite", () => {
  const stage = Stage.set();
  let example: Example;
  let stop: (() => void) | undefined;

  afterEach(() => {
    stop?.();
    example.remove();
  });

  /** Builds the example as its page says, and serves what was built. */
  async function serve(): Promise<string> {
    const { widgetKey } = stage.tenant;
    writeFileSync(example.file('.env'), `VITE_PARLEY_URL=${stage.road.url}\nVITE_WIDGET_KEY=${widgetKey}\n`);
    const served = await serveFiles(await buildWithVite(example.folder));
    ({ stop } = served);
    return served.url;
  }

  it('the React hook keeps a conversation over a lost connection, a reload, two tabs, and a refusal', async () => {
    example = Example.install('react-chat', 'parley-visitor', ['react', 'react-dom', 'scheduler']);
    const url = await serve();
    const visit = await stage.visit({}, url);
    const tab = await visit.newTab(url);
    const linesIn = ({ page }: typeof visit) => page.getByRole('listitem').allInnerTexts();
    const sees = (where: typeof visit, ...lines: string[]) =>
      eventually(
        () => linesIn(where),
        (seen) => JSON.stringify(seen) === JSON.stringify(lines),
      );
    const say = async (text: string) => {
      await visit.page.getByRole('textbox', { name: 'Message' }).fill(text);
      await visit.page.getByRole('button', { name: 'Send' }).click();
    };
    await say('Hello');
    await sees(visit, 'You: Hello');
    await stage.say('Hi');
    await sees(visit, 'You: Hello', 'Bot: Hi');
    await sees(tab, 'You: Hello', 'Bot: Hi');
    stage.road.cut();
    await visit.page.getByRole('status').waitFor();
    await say('Are you there?');
    await sees(visit, 'You: Hello', 'Bot: Hi', 'You: Are you there? Waiting…');
    stage.road.isCut = false;
    await sees(tab, 'You: Hello', 'Bot: Hi', 'You: Are you there?');
    await visit.page.reload();
    await sees(visit, 'You: Hello', 'Bot: Hi', 'You: Are you there?');
    // The tenant has a chat of its own: StrictMode, two tabs, and the reload made one.
    expect((await stage.tenant.bot.get('/chats').expect(200)).body.chats).toHaveLength(2);

    const allow = (...allowedOrigins: string[]) => stage.tenant.admin.patch('', { allowedOrigins }).expect(200);
    await allow('https://elsewhere.example');
    await visit.page.getByRole('alert').getByText("The chat isn't available right now").waitFor();
    await say('Still there?');
    await sees(visit, 'You: Hello', 'Bot: Hi', 'You: Are you there?', 'You: Still there? Waiting…');
    await allow();
    await say('And now?');
    await sees(visit, 'You: Hello', 'Bot: Hi', 'You: Are you there?', 'You: Still there?', 'You: And now?');
    expect(await visit.page.getByRole('alert').count()).toBe(0);
  });

  it("the page of the documentation runs as it stands, with the site's address and key", async () => {
    example = Example.install('react-chat', 'parley-visitor');
    const guide = readFileSync(inRepository('docs/website/headless.md'), 'utf8');
    const blocks = [...guide.matchAll(/^```\w+\n([^]*?)^```/gm)].map(([, text]) => text!);
    const [html, script] = ['<ul id', 'document.querySelector'].map((has) =>
      blocks.find((text) => text.includes(has))!,
    );
    const own = script!.replace('https://chat.example.com', stage.road.url).replace('prl_wk_…', stage.tenant.widgetKey);
    writeFileSync(example.file('main.js'), own);
    writeFileSync(example.file('index.html'), html!);
    const visit = await stage.visit({}, await serve());
    const { page } = visit;
    await page.locator('body[data-connection=idle]').waitFor({ state: 'attached' });
    const say = async (text: string) => {
      await page.locator('#input').fill(text);
      await page.locator('#input').press('Enter');
    };
    await say('Hello');
    await page.getByText('You: Hello', { exact: true }).waitFor();
    await page.locator('body[data-connection=online]').waitFor();
    await stage.say('Hi');
    await page.getByText('Bot: Hi', { exact: true }).waitFor();
    expect(visit.complaints).toEqual([]);
    stage.road.cut();
    await page.locator('body[data-connection=offline]').waitFor();
    await say('Are you there?');
    await page.getByText('You: Are you there? (waiting…)', { exact: true }).waitFor();
    stage.road.isCut = false;
    await page.getByText('You: Are you there?', { exact: true }).waitFor();
  });
});
