import { describe, expect, it } from '@jest/globals';
import { Stage } from '../support/stage.js';
import { begin, choose, hand, isUploaded, png, send, text } from './support/chosen.js';

describe('files that are not taken', () => {
  const stage = Stage.set({ FILE_MAX_SIZE: '100000' });

  it('each says why, and the others are sent after it is removed', async () => {
    const visit = await begin(stage);
    const page = { ...text('page.html'), buffer: Buffer.from('<!doctype html><b>hello') };
    await choose(visit, text('empty.txt', 0), text('large.txt', 100_001), page, text('fine.txt'));
    const why = (name: string) => visit.panel.locator('.chosen-file').filter({ hasText: name }).locator('.why');
    await why('page.html').getByText("This type of file isn't accepted", { exact: true }).waitFor();
    await why('empty.txt').getByText('The file is empty', { exact: true }).waitFor();
    await why('large.txt').getByText('The file is larger than 98 kB', { exact: true }).waitFor();
    await isUploaded(visit, 1);
    await visit.panel.locator('.send').click();
    await visit.panel.getByText('Remove the files that failed, or try them again').waitFor();
    for (const name of ['page.html', 'empty.txt', 'large.txt']) await visit.button(`Remove ${name}`).click();
    await send(visit);
    await visit.panel.locator('.file-card').getByText('fine.txt').waitFor();
  });

  it('more than ten', async () => {
    const visit = await begin(stage);
    await choose(visit, ...Array.from({ length: 12 }, (_, index) => text(`${index}.txt`)));
    await visit.panel.getByText('At most 10 files at a time').waitFor();
    await isUploaded(visit, 10);
    expect(await visit.panel.locator('.chosen-file').count()).toBe(10);
  });

  it('when the organization has no room left, with another try when it has', async () => {
    const visit = await begin(stage);
    await stage.tenant.admin.patch('', { fileQuota: 0 }).expect(200);
    await choose(visit, text('terms.txt'));
    await visit.panel.getByText("There's no space for more files").waitFor();
    await stage.tenant.admin.patch('', { fileQuota: null }).expect(200);
    await visit.button('Upload terms.txt again').click();
    await isUploaded(visit, 1);
  });

  it('where visitors send none: there is no paper clip, and a dropped or pasted file gets a sentence', async () => {
    const visit = await stage.visit();
    await visit.open();
    await visit.say('Hello');
    expect(await visit.panel.locator('.composer button').count()).toBe(1);
    for (const event of ['drop', 'paste'] as const) {
      await hand(visit, event, png('photo.png'));
      await visit.panel.getByRole('status').filter({ hasText: "Files can't be sent here" }).waitFor();
      await visit.write(event);
    }
    await visit.sees('Hello', 'drop', 'paste');
    expect(await visit.panel.locator('.tray').count()).toBe(0);
  });

  it('when the organization stops to take them while the chat is open', async () => {
    const visit = await begin(stage);
    await stage.tenant.admin.patch('', { visitorUploads: false }).expect(200);
    await choose(visit, text('terms.txt'));
    await visit.panel.locator('.why').getByText("Files can't be sent here").waitFor();
  });
});
