import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { Desk, deskWithChats } from '../support/desk.js';
import { Stage } from '../support/stage.js';
import { areUploaded, attach, holdUploads, pick, storedFiles } from './support/attached.js';
import { png, text } from './support/chosen.js';

describe("an agent's upload that doesn't go through immediately", () => {
  const stage = Stage.set({ FILE_MAX_SIZE: '3000000' });
  const MB = 1_048_576;
  const send = (desk: Desk) => desk.page.locator('.composer .send').click();

  /** Sends the bytes through the connection that can be cut, this slowly. */
  const slowly = async ({ page, visit }: Desk, bytesPerSecond: number) => {
    await page.route('**/uploads/upl_*', (route) =>
      route.continue({ url: route.request().url().replace(stage.parley.url, stage.road.url) }),
    );
    const session = await visit.context.newCDPSession(page);
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
  const progress = ({ page }: Desk) =>
    page.locator('.chosen-file progress').evaluate((bar: any) => bar.value / bar.max);

  it('it shows its progress, and continues after a lost connection', async () => {
    const { ada, ids } = await deskWithChats(stage, ['Walter']);
    const throttle = await slowly(ada, MB / 2);
    await attach(ada, text('large.txt', 2.5 * MB));
    await eventually(
      () => progress(ada),
      (part) => part > 0.1 && part < 1,
    );
    stage.road.cut();
    await ada.page.getByText('No connection. The upload will continue when it returns.').waitFor();
    await throttle(-1);
    stage.road.isCut = false;
    await areUploaded(ada, 1);
    await send(ada);
    await ada.page.locator('.message:not(.pending) .file-card').getByText('TXT · 2.5 MB').waitFor();
    expect(await storedFiles(stage, ids[0]!)).toEqual([['', ['large.txt']]]);
  });

  it('a canceled one leaves nothing', async () => {
    const { ada } = await deskWithChats(stage, ['Walter']);
    await slowly(ada, MB / 4);
    await attach(ada, text('large.txt', 2.5 * MB));
    await eventually(
      () => progress(ada),
      (part) => part > 0,
    );
    await ada.button('Remove large.txt').click();
    await ada.page.locator('.tray').waitFor({ state: 'detached' });
    await eventually(
      async () => (await stage.tenant.admin.get('/files').expect(200)).body,
      ({ files, unfinished }) => files === 0 && unfinished === 0,
    );
  });

  it('a refusal says why, and the others are sent after it is removed', async () => {
    const { ada, ids } = await deskWithChats(stage, ['Walter']);
    const page = { ...text('page.html'), buffer: Buffer.from('<!doctype html><b>hello') };
    await attach(ada, text('empty.txt', 0), text('large.txt', 3_000_001), page, text('fine.txt'));
    const why = (name: string) => ada.page.locator('.chosen-file').filter({ hasText: name }).locator('.why');
    await why('page.html').getByText("This type of file isn't accepted", { exact: true }).waitFor();
    await why('empty.txt').getByText('The file is empty', { exact: true }).waitFor();
    await why('large.txt').getByText('The file is larger than 2.9 MB', { exact: true }).waitFor();
    await areUploaded(ada, 1);
    await send(ada);
    await ada.page.getByText('Remove the files that failed, or try them again').waitFor();
    for (const name of ['page.html', 'empty.txt', 'large.txt']) await ada.button(`Remove ${name}`).click();
    await send(ada);
    await ada.page.locator('.message .file-card').getByText('fine.txt').waitFor();
    await attach(ada, ...Array.from({ length: 12 }, (_, index) => text(`${index}.txt`)));
    await ada.page.getByText('At most 10 files at a time').waitFor();
    await areUploaded(ada, 10);
    expect(await storedFiles(stage, ids[0]!)).toEqual([['', ['fine.txt']]]);
  });

  it('when there is no room, it can be tried again', async () => {
    const { ada } = await deskWithChats(stage, ['Walter']);
    await stage.tenant.admin.patch('', { fileQuota: 0 }).expect(200);
    await attach(ada, text('terms.txt'));
    await ada.page.getByText("There's no space for more files").waitFor();
    await stage.tenant.admin.patch('', { fileQuota: null }).expect(200);
    await ada.button('Upload terms.txt again').click();
    await areUploaded(ada, 1);
  });

  it('a chat that a supervisor takes during an upload: the message is not sent, and keeps its files', async () => {
    const { ada, ids } = await deskWithChats(stage, ['Walter']);
    const sue = await stage.parley.signInAgent(stage.tenant, { name: 'Sue', role: 'SUPERVISOR' });
    const go = await holdUploads(ada);
    await attach(ada, png('photo.png'));
    await ada.composer.fill('My answer');
    await ada.composer.press('Enter');
    await ada.page.getByText('Will be sent when the upload is complete').waitFor();
    await sue.client.post(`/chats/${ids[0]}/assign`, { agentId: sue.id }).expect(200);
    await ada.page.getByText('Sue is handling this chat.').waitFor();
    go();
    const failed = ada.page.locator('.message.failed');
    await failed.getByText('Not sent: This chat is no longer yours.').waitFor();
    await failed.locator('.shot').waitFor();
    expect(await storedFiles(stage, ids[0]!)).toEqual([]);
    await sue.client.post(`/chats/${ids[0]}/assign`, { agentId: ada.agentId }).expect(200);
    await failed.getByRole('button', { name: 'Send again' }).click();
    await eventually(
      () => storedFiles(stage, ids[0]!),
      (stored) => JSON.stringify(stored) === JSON.stringify([['My answer', ['photo.png']]]),
    );
  });

  it('a chat that ends during an upload is not reopened by it', async () => {
    const { ada, ids, client } = await deskWithChats(stage, ['Walter']);
    const go = await holdUploads(ada);
    await attach(ada, png('photo.png'));
    await ada.composer.press('Enter');
    await ada.page.getByText('Will be sent when the upload is complete').waitFor();
    await client.post(`/chats/${ids[0]}/close`).expect(200);
    await ada.page.getByText('Sending a message reopens this chat and assigns it to you.').waitFor();
    go();
    await ada.page
      .locator('.message.failed')
      .getByText(/This chat has ended/)
      .waitFor();
    expect(await storedFiles(stage, ids[0]!)).toEqual([]);
  });

  it('words are not sent without a file whose code is still loading', async () => {
    const { ada, ids } = await deskWithChats(stage, ['Walter']);
    let go: () => void = () => undefined;
    const mayGo = new Promise<void>((resolve) => (go = resolve));
    await ada.page.route('**/assets/start-*.js', (route) => mayGo.then(() => route.continue()));
    await ada.page.reload();
    await ada.composer.waitFor();
    await pick(ada, text('terms.txt'));
    await ada.composer.fill('Look at this');
    await ada.composer.press('Enter');
    expect(await ada.composer.inputValue()).toBe('Look at this');
    go();
    await areUploaded(ada, 1);
    await ada.composer.press('Enter');
    await eventually(
      () => storedFiles(stage, ids[0]!),
      (stored) => JSON.stringify(stored) === JSON.stringify([['Look at this', ['terms.txt']]]),
    );
  });

  it('an agent who signs out leaves no files for the next one', async () => {
    const { ada } = await deskWithChats(stage, ['Walter']);
    await attach(ada, png('photo.png'));
    await areUploaded(ada, 1);
    await ada.button('Account').click();
    await ada.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await ada.page.getByLabel('Password').waitFor();
    expect(await ada.page.evaluate('Object.keys(sessionStorage).filter((key) => key.includes("draft"))')).toEqual([]);
  });
});
