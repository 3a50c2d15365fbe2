import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { Stage } from '../support/stage.js';
import type { Visit } from '../support/visit.js';
import { begin, choose, hand, isUploaded, png, send, text } from './support/chosen.js';

describe('an upload that takes its time', () => {
  const stage = Stage.set();
  const MB = 1_048_576;

  /** Sends the bytes through the connection that can be cut, this slowly. */
  const slowly = async (visit: Visit, bytesPerSecond: number) => {
    await visit.page.route('**/uploads/upl_*', (route) =>
      route.continue({ url: route.request().url().replace(stage.parley.url, stage.road.url) }),
    );
    const session = await visit.context.newCDPSession(visit.page);
    const throttle = (uploadThroughput: number) =>
      session.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput,
      });
    await throttle(bytesPerSecond);
    return throttle;
  };
  const progress = (visit: Visit) =>
    visit.panel.locator('.chosen-file progress').evaluate((bar: any) => bar.value / bar.max);

  it('an upload shows its progress, and continues by itself after a lost connection', async () => {
    const visit = await begin(stage);
    const throttle = await slowly(visit, MB / 2);
    await choose(visit, text('large.txt', 4 * MB));
    await eventually(
      () => progress(visit),
      (part) => part > 0.1 && part < 1,
    );
    stage.road.cut();
    await visit.panel.getByText('No connection. The upload will continue when it returns.').waitFor();
    await throttle(-1);
    stage.road.isCut = false;
    await isUploaded(visit, 1);
    await send(visit);
    await visit.panel.locator('.file-card').getByText('TXT · 4 MB').waitFor();
  });

  it('an upload that begins without a connection waits for it', async () => {
    const visit = await begin(stage);
    stage.road.cut();
    await visit.panel.getByText('Reconnecting').waitFor();
    await hand(visit, 'drop', text('terms.txt'));
    stage.road.isCut = false;
    await isUploaded(visit, 1);
  });

  it('a file that was moved since it was chosen says so', async () => {
    const visit = await begin(stage);
    await visit.page.evaluate(
      `Blob.prototype.arrayBuffer = () => Promise.reject(new DOMException('', 'NotReadableError'))`,
    );
    await choose(visit, text('terms.txt'));
    await visit.panel.locator('.why').getByText("The file can't be read", { exact: true }).waitFor();
  });

  it('a canceled upload leaves nothing', async () => {
    const visit = await begin(stage);
    await slowly(visit, MB / 4);
    await choose(visit, text('large.txt', 4 * MB));
    await eventually(
      () => progress(visit),
      (part) => part > 0,
    );
    await visit.button('Remove large.txt').click();
    await visit.panel.locator('.chosen-file').waitFor({ state: 'detached' });
    await eventually(
      async () => (await stage.tenant.admin.get('/files').expect(200)).body,
      ({ files, unfinished }) => files === 0 && unfinished === 0,
    );
    await visit.say('Never mind');
  });

  it('after a reload, an uploaded file stays in the draft, and an unfinished one says so', async () => {
    const visit = await begin(stage);
    await choose(visit, png('photo.png'));
    await isUploaded(visit, 1);
    await slowly(visit, MB / 8);
    await choose(visit, text('large.txt', 4 * MB));
    await visit.panel.locator('.chosen-file.uploading').waitFor();
    await visit.composer.fill('Both');
    await visit.page.unrouteAll({ behavior: 'ignoreErrors' });
    await visit.page.reload();
    await visit.open();
    await visit.panel.getByText('Not sent. Choose the file again.').waitFor();
    await visit.button('Remove large.txt').click();
    await visit.panel.locator('.chosen-file.done img').waitFor();
    expect(await visit.composer.inputValue()).toBe('Both');
    await send(visit);
    await visit.panel.locator('.row.mine .shot').waitFor();
    await visit.page.reload();
    await visit.open();
    await visit.panel.locator('.row.mine .shot').waitFor();
    expect(await visit.panel.locator('.chosen-file').count()).toBe(0);
  });

  it('a message that cannot be stored keeps its files, and is sent again', async () => {
    const visit = await begin(stage);
    await choose(visit, png('photo.png'));
    await isUploaded(visit, 1);
    stage.road.cut();
    await visit.panel.getByText('Reconnecting').waitFor();
    await visit.composer.fill('Later');
    await visit.panel.locator('.send').click();
    await visit.panel.locator('.row.mine.queued .files').waitFor();
    stage.road.isCut = false;
    await visit.panel.locator('.row.mine.last:not(.queued, .sending) .shot').waitFor();
    expect((await stage.stored()).map(({ content }) => content)).toEqual(['Hello', 'Later']);
  });

  it('an upload continues while the list of chats is open', async () => {
    const visit = await begin(stage);
    await slowly(visit, MB / 2);
    await choose(visit, text('large.txt', MB));
    await visit.panel.locator('.chosen-file.uploading').waitFor();
    await visit.button('Your chats').click();
    await visit.panel.locator('.chat').first().waitFor();
    await visit.button('Back').click();
    await isUploaded(visit, 1);
  });

  it('a person who signs out takes the files of the draft along', async () => {
    const visit = await begin(stage);
    await choose(visit, png('photo.png'));
    await isUploaded(visit, 1);
    await visit.page.evaluate(`Parley('identify', null)`);
    await visit.panel.locator('.chosen-file').waitFor({ state: 'detached' });
    await visit.say('Somebody else');
    expect(await visit.panel.locator('.chosen-file').count()).toBe(0);
  });
});
