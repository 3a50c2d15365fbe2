import { describe, expect, it } from '@jest/globals';
import { Stage } from '../support/stage.js';
import { allowUploads, begin, choose, hand, isUploaded, png, send, text } from './support/chosen.js';

describe('a visitor sends files', () => {
  const stage = Stage.set();
  /** The names and types of each message's files. */
  const stored = async () =>
    ((await stage.stored()) as { content: string; files?: { name: string; type: string }[] }[])
      .slice(1)
      .map(({ content, files }) => [content, files?.map(({ name, type }) => `${name} ${type}`)]);

  it('a photo with words', async () => {
    const visit = await begin(stage);
    await choose(visit, png('photo.png', 1200, 900));
    await isUploaded(visit, 1);
    await visit.composer.fill('Look at this');
    await send(visit);
    await visit.panel.locator('.row.mine .shot img').waitFor();
    expect(await stored()).toEqual([['Look at this', ['photo.png image/png']]]);
    expect(await visit.composer.inputValue()).toBe('');
    expect(await visit.panel.locator('.chosen-file').count()).toBe(0);
    expect(visit.complaints).toEqual([]);
  });

  it('six photos and a document without words, in their order', async () => {
    const visit = await begin(stage);
    const photos = Array.from({ length: 6 }, (_, index) => png(`photo-${index}.png`, 300 + 60 * index));
    await choose(visit, ...photos);
    await hand(visit, 'drop', text('terms.txt'));
    await isUploaded(visit, 7);
    await send(visit);
    const names = [...photos.map(({ name }) => `${name} image/png`), 'terms.txt text/plain'];
    expect(await stored()).toEqual([['', names]]);
    await visit.panel.locator('.several .shot').nth(5).waitFor();
    await visit.panel.locator('.file-card').getByText('TXT · 2 kB').waitFor();
    expect(visit.complaints).toEqual([]);
  });

  it('a photo is sent although the words about files failed to load at first', async () => {
    const visit = await begin(stage);
    let isAway = true;
    await visit.page.route('**/filewords.*', (route) => {
      const answer = isAway ? route.abort() : route.continue();
      isAway = false;
      return answer;
    });
    await choose(visit, png('photo.png'));
    await isUploaded(visit, 1);
    expect(isAway).toBe(false);
    await send(visit);
    expect(await stored()).toEqual([['', ['photo.png image/png']]]);
  });

  it('a file that is dropped while another one is removed, once', async () => {
    const visit = await begin(stage);
    await choose(visit, png('photo.png'));
    await isUploaded(visit, 1);
    await visit.page.evaluate(`{
      const root = document.querySelector('parley-widget').shadowRoot;
      const remove = () => root.querySelector('.chosen-file button[aria-label^=Remove]').click();
      root.addEventListener('files', () => setTimeout(remove), { once: true });
    }`);
    await hand(visit, 'drop', text('terms.txt'));
    await isUploaded(visit, 1);
    await send(visit);
    expect(await stored()).toEqual([['', ['terms.txt text/plain']]]);
  });

  it('a pasted screenshot, with Enter before it is uploaded: it goes when it is', async () => {
    const visit = await begin(stage);
    let go: () => void = () => undefined;
    const mayGo = new Promise<void>((resolve) => (go = resolve));
    await visit.page.route('**/uploads/upl_*', async (route) => {
      await mayGo;
      await route.continue();
    });
    await hand(visit, 'paste', png('image.png'));
    await visit.panel.locator('.chosen-file.uploading').waitFor();
    await visit.write('This is what I see');
    await visit.panel.getByText('Will be sent when the upload is complete').waitFor();
    expect(await stored()).toEqual([]);
    go();
    await visit.panel.locator('.row.mine .shot').waitFor();
    await visit.panel.locator('.chosen-file').waitFor({ state: 'detached' });
    expect(await stored()).toEqual([['This is what I see', ['image.png image/png']]]);
  });

  it('a voice message', async () => {
    const visit = await begin(stage, { permissions: ['microphone'] });
    await visit.button('Attach files').click();
    await visit.button('Record a voice message').click();
    await visit.panel.getByText(/Recording: 0:(?:0[1-9]|[1-5]\d)/).waitFor();
    await visit.button('Stop recording').click();
    await isUploaded(visit, 1);
    await send(visit);
    await visit.panel.locator('.row.mine audio').waitFor();
    const [[, files]] = (await stored()) as [[string, string[]]];
    expect(files).toEqual([expect.stringMatching(/^Voice message\.\w+ audio\/(webm|mp4)$/)]);
    const plays = `new Promise((resolve) => {
      const audio = document.querySelector('parley-widget').shadowRoot.querySelector('.row audio');
      audio.ontimeupdate = () => audio.currentTime > 0 && resolve(true);
      audio.play();
    })`;
    expect(await visit.page.evaluate(plays)).toBe(true);
    expect(visit.complaints).toEqual([]);
  });

  it('a microphone that is not allowed is said, and a recording can be thrown away', async () => {
    const visit = await begin(stage);
    await visit.page.evaluate(
      `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'))`,
    );
    await visit.button('Attach files').click();
    await visit.button('Record a voice message').click();
    await visit.panel.getByText("The microphone can't be used").waitFor();
  });

  it('in two tabs at the same time, and each tab shows both', async () => {
    const visit = await begin(stage);
    const other = await visit.newTab(stage.site.url);
    await other.open();
    await other.sees('Hello');
    await choose(visit, png('first.png'));
    await choose(other, text('second.txt'));
    await Promise.all([isUploaded(visit, 1), isUploaded(other, 1)]);
    await send(visit);
    await send(other);
    for (const { panel } of [visit, other]) {
      await panel.getByRole('img', { name: 'first.png' }).waitFor();
      await panel.locator('.file-card').getByText('second.txt').waitFor();
    }
    await other.close();
  });

  it('as the first message, by a drop before there is a chat', async () => {
    await allowUploads(stage);
    const visit = await stage.visit();
    await visit.open();
    await choose(visit, png('photo.png'));
    await isUploaded(visit, 1);
    await send(visit);
    const [message] = (await stage.stored()) as unknown as { files: { name: string }[] }[];
    expect(message!.files.map(({ name }) => name)).toEqual(['photo.png']);
  });
});
