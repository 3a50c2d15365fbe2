import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { eventually } from '../../support/eventually.js';
import { inRepository } from '../../support/example.js';
import { upload } from '../../files/support/files.js';
import { Stage } from '../support/stage.js';
import type { Visit } from '../support/visit.js';
import { type Given, png, text } from './support/chosen.js';

const fixture = (name: string): Given => ({
  name,
  mimeType: '',
  buffer: readFileSync(inRepository(`test/files/fixtures/${name}`)),
});

describe('files that the visitor gets', () => {
  const stage = Stage.set();

  const begin = async () => {
    const visit = await stage.visit();
    await visit.open();
    await visit.say('Hello');
    return visit;
  };
  /** The bot sends files in one message. */
  const give = async (content: string, ...files: Given[]) => {
    const chatId = await stage.chatId();
    const ids: string[] = [];
    for (const { name, buffer } of files) ids.push((await upload(stage.tenant.bot, chatId, name, buffer)).id);
    await stage.say(content, { files: ids });
  };
  const active = (visit: Visit) =>
    visit.page.evaluate(`document.querySelector('parley-widget').shadowRoot.activeElement?.ariaLabel`);

  it('the viewer goes through all pictures of the chat by keys, keeps the focus, and gives it back', async () => {
    const visit = await begin();
    await give('Two', png('one.png'), png('two.png'));
    await give('One more', png('three.png'));
    await visit.panel.locator('.shot').nth(2).waitFor();
    await visit.panel.locator('.shot').nth(1).focus();
    await visit.page.keyboard.press('Enter');
    const viewer = visit.page.locator('parley-widget .viewer');
    const shows = (name: string) => viewer.getByRole('img', { name }).waitFor();
    await shows('two.png');
    await viewer.getByText('Image 2 of 3').waitFor();
    for (const [key, name] of [
      ['ArrowRight', 'three.png'],
      ['ArrowRight', 'three.png'],
      ['ArrowLeft', 'two.png'],
      ['Home', 'one.png'],
      ['End', 'three.png'],
    ] as const) {
      await visit.page.keyboard.press(key);
      await shows(name);
    }
    for (let tabs = 0; tabs < 9; tabs++) {
      await visit.page.keyboard.press(tabs < 5 ? 'Tab' : 'Shift+Tab');
      expect(await viewer.locator(':focus').count()).toBe(1);
    }
    await visit.page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });
    expect(await visit.panel.isVisible()).toBe(true);
    expect(
      await visit.panel
        .locator('.shot')
        .nth(1)
        .evaluate((button: any) => button.matches(':focus')),
    ).toBe(true);
    expect(await active(visit)).toBeNull();
    expect(visit.complaints).toEqual([]);
  });

  it('pictures have their place before they are loaded', async () => {
    const visit = await begin();
    await give('', png('first.png'));
    await visit.panel.locator('.shot img').waitFor();
    const held: (() => void)[] = [];
    await visit.page.route('**/files/upl_*/**', async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    await give('Look', png('wide.png', 1600, 400), png('tall.png', 300, 1200));
    await give('And this', png('large.png', 1600, 1200));
    await visit.messages.getByText('And this').waitFor();
    const boxes = () =>
      visit.panel.locator('.shot').evaluateAll((all: any[]) =>
        all.map((one) => {
          const { width, height } = one.getBoundingClientRect();
          return [Math.round(width), Math.round(height)];
        }),
      );
    const before = await boxes();
    expect(before.slice(1)).toEqual([
      [128, 128],
      [128, 128],
      [260, 195],
    ]);
    await eventually(
      () => {
        held.splice(0).forEach((go) => go());
        return visit.panel
          .locator('.shot img')
          .evaluateAll((all: any[]) => all.every((one) => one.complete && one.naturalWidth > 0));
      },
      (isLoaded) => isLoaded,
    );
    expect(await boxes()).toEqual(before);
  });

  it('a chat with 20 pictures that is opened again requests none of their bytes', async () => {
    const visit = await begin();
    for (const half of [0, 10])
      await give('', ...Array.from({ length: 10 }, (_, index) => png(`${half + index}.png`, 100 + half + index)));
    const areLoaded = () =>
      eventually(
        async () => {
          // Pictures above the view are loaded when the visitor gets there.
          for (const at of [0, 10_000]) {
            await visit.panel.locator('.view').evaluate((view: any, top: number) => (view.scrollTop = top), at);
          }
          return visit.panel
            .locator('.shot img')
            .evaluateAll((all: any[]) => all.filter((one) => one.complete && one.naturalWidth > 0).length);
        },
        (count) => count === 20,
      );
    await areLoaded();
    const session = await visit.context.newCDPSession(visit.page);
    await session.send('Network.enable');
    const names = new Map<string, string>();
    const fetched: string[] = [];
    let cached = 0;
    session.on('Network.requestWillBeSent', ({ requestId, request }: any) => names.set(requestId, request.url));
    session.on('Network.requestServedFromCache', ({ requestId }: any) => {
      if (names.get(requestId)?.includes('/files/')) cached++;
    });
    session.on('Network.responseReceived', ({ response }: any) => {
      const { url, fromDiskCache, encodedDataLength } = response;
      if (url.includes('/files/') && !fromDiskCache && encodedDataLength > 0) fetched.push(url);
    });
    await visit.page.reload();
    await visit.open();
    await areLoaded();
    expect(fetched.length - cached).toBeLessThanOrEqual(0);
  });

  it('an address that is over is renewed', async () => {
    const visit = await begin();
    let refused = 0;
    await visit.page.route('**/files/upl_*/**', (route) =>
      refused++ ? route.continue() : route.fulfill({ status: 404, body: 'gone' }),
    );
    await visit.page.route('**/api/visitor/files/upl_*', async (route) => {
      const answer = await route.fetch();
      const { file } = await answer.json();
      // Within an hour the service answers the same address.
      await route.fulfill({ response: answer, json: { file: { ...file, url: `${file.url}&again` } } });
    });
    await give('', png('photo.png'));
    await eventually(
      () => visit.panel.locator('.shot img').evaluateAll((all: any[]) => all.map((one) => one.naturalWidth)),
      (widths) => widths[0] === 400,
    );
    expect(refused).toBe(2);
  });

  it('documents are cards, audio and video have players, and a name is isolated', async () => {
    const visit = await begin();
    await give('Here', text('عقد.txt'), fixture('sound.m4a'), fixture('movie.mp4'), fixture('photo.heic'));
    await visit.panel.locator('.file-card bdi').getByText('عقد.txt').waitFor();
    await visit.panel.locator('.file-card').getByText('HEIC', { exact: true }).waitFor();
    await visit.panel.locator('audio').waitFor();
    await eventually(
      () => visit.panel.locator('video').evaluate((video: any) => video.readyState),
      (state) => state > 0,
    );
    const [download] = await Promise.all([
      visit.page.waitForEvent('download'),
      visit.panel.locator('.file-card').first().click(),
    ]);
    expect(download.suggestedFilename()).toBe('عقد.txt');
  });

  it('a page whose policy allows no pictures shows a card', async () => {
    stage.site.page.policy = "default-src 'none'; script-src {service}; connect-src {service} ws://127.0.0.1:*";
    const visit = await begin();
    await give('Look', png('photo.png'));
    await visit.panel.locator('.file-card').getByText('photo.png').waitFor();
    await visit.panel.locator('.file-card').getByText('PNG', { exact: true }).waitFor();
  });

  it('the list of chats and the preview say the name of a file without words', async () => {
    const visit = await begin();
    await visit.button('Close chat').click();
    await give('', text('terms.txt'));
    await visit.page.locator('parley-widget .news').getByText('terms.txt').waitFor();
    await visit.launcher.click();
    await visit.panel.locator('.file-card').getByText('terms.txt').waitFor();
    await visit.button('Your chats').click();
    await visit.panel.locator('.chat .what').getByText('terms.txt').waitFor();
  });
});
