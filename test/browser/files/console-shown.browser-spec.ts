import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { eventually } from '../../support/eventually.js';
import { inRepository } from '../../support/example.js';
import { upload } from '../../files/support/files.js';
import { findViolations } from '../support/axe.js';
import { anotherChat, Desk, deskWithChats } from '../support/desk.js';
import { LOOKS } from '../support/looks.js';
import { Stage } from '../support/stage.js';
import { attach } from './support/attached.js';
import { type Given, png, text } from './support/chosen.js';

const fixture = (name: string): Given => ({
  name,
  mimeType: '',
  buffer: readFileSync(inRepository(`test/files/fixtures/${name}`)),
});

describe('files that an agent gets', () => {
  const stage = Stage.set();

  /** The bot sends files in one message. */
  const give = async (chatId: string, content: string, ...files: Given[]) => {
    const ids: string[] = [];
    for (const { name, buffer } of files) ids.push((await upload(stage.tenant.bot, chatId, name, buffer)).id);
    await stage.tenant.bot.post('/messages', { chatId, content, files: ids }).expect(200);
  };
  const shots = ({ page }: Desk) => page.locator('.conversation .shot');

  it('the viewer goes through all pictures of the chat by keys, and gives the focus back', async () => {
    const { ada, ids } = await deskWithChats(stage, ['Walter', 'Vera']);
    await give(ids[0]!, 'Two', png('one.png'), png('two.png'));
    await give(ids[0]!, '', png('three.png'));
    await shots(ada).nth(2).waitFor();
    await shots(ada).nth(1).focus();
    await ada.page.keyboard.press('Enter');
    const viewer = ada.page.locator('.viewer');
    await viewer.getByText('Image 2 of 3').waitFor();
    for (const [key, name] of [
      ['ArrowRight', 'three.png'],
      ['ArrowRight', 'three.png'],
      ['ArrowLeft', 'two.png'],
      ['Home', 'one.png'],
      ['End', 'three.png'],
    ] as const) {
      await ada.page.keyboard.press(key);
      await viewer.getByRole('img', { name }).waitFor();
    }
    // The keys of the inbox do nothing while it's open.
    await ada.page.keyboard.press('j');
    await ada.page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });
    await ada.page.locator('.chat-head').getByText('Walter').waitFor();
    expect(
      await shots(ada)
        .nth(1)
        .evaluate((button: any) => button.matches(':focus')),
    ).toBe(true);
    expect(ada.visit.complaints).toEqual([]);
  });

  it('an offer is answered by its key above the viewer', async () => {
    const { ada, ids } = await deskWithChats(stage, ['Walter']);
    await give(ids[0]!, 'One', png('one.png'));
    await shots(ada).first().click();
    const viewer = ada.page.locator('.viewer');
    await viewer.waitFor();
    const { body } = await stage.tenant.admin.get('/groups').expect(200);
    await stage.tenant.admin.patch(`/groups/${body.groups[0].id}`, { routing: 'OFFER', offerSeconds: 600 }).expect(200);
    await anotherChat(stage, 'Otto', 'Help');
    const offer = viewer.locator('.offer');
    await offer.waitFor();
    await ada.isSteady('.offer');
    await ada.page.keyboard.press('Alt+d');
    await offer.waitFor({ state: 'detached' });
    expect(await viewer.isVisible()).toBe(true);
  });

  it('a chat that opens with files moves nothing, and requests no bytes of them the second time', async () => {
    const { ada, ids } = await deskWithChats(stage, ['Walter', 'Vera']);
    await give(ids[1]!, 'Look', png('wide.png', 1600, 400), png('tall.png', 300, 1200));
    await give(ids[1]!, '', png('large.png', 1600, 1200));
    await ada.page.addInitScript(`
      window.shift = 0;
      new PerformanceObserver((list) => {
        for (const { value, sources } of list.getEntries())
          if (sources.some(({ node }) => node?.parentElement?.closest('.transcript'))) window.shift += value;
      }).observe({ type: 'layout-shift', buffered: true });`);
    const areLoaded = () =>
      eventually(
        () =>
          ada.page
            .locator('.shot img')
            .evaluateAll((all: any[]) => all.filter((one) => one.complete && one.naturalWidth > 0).length),
        (count) => count === 3,
      );
    await ada.goTo(ids[1]!, 'mine');
    await areLoaded();
    const sizes = await shots(ada).evaluateAll((all: any[]) =>
      all.map((one) => [Math.round(one.offsetWidth), Math.round(one.offsetHeight)]),
    );
    expect(sizes).toEqual([
      [128, 128],
      [128, 128],
      [260, 195],
    ]);
    expect(await ada.page.evaluate('window.shift')).toBe(0);
    const session = await ada.visit.context.newCDPSession(ada.page);
    await session.send('Network.enable');
    const fetched: string[] = [];
    const cached = new Set<string>();
    session.on('Network.requestServedFromCache', ({ requestId }: any) => cached.add(requestId));
    session.on(
      'Network.responseReceived',
      ({ requestId, response: { url, fromDiskCache, encodedDataLength } }: any) => {
        if (url.includes('/files/upl_') && !fromDiskCache && encodedDataLength > 0) fetched.push(requestId);
      },
    );
    await ada.page.reload();
    await areLoaded();
    await ada.rows.filter({ hasText: 'Walter' }).click();
    await shots(ada).first().waitFor({ state: 'detached' });
    await ada.rows.filter({ hasText: 'Vera' }).click();
    await areLoaded();
    expect(fetched.filter((id) => !cached.has(id))).toEqual([]);
  });

  it('an address that is over is renewed', async () => {
    const { ada, ids } = await deskWithChats(stage, ['Walter']);
    let refused = 0;
    await ada.page.route('**/files/upl_*/**', (route) =>
      refused++ ? route.continue() : route.fulfill({ status: 404, body: 'gone' }),
    );
    await ada.page.route('**/api/agent/files/upl_*', async (route) => {
      const answer = await route.fetch();
      const { file } = await answer.json();
      // Within an hour the service answers the same address.
      await route.fulfill({ response: answer, json: { file: { ...file, url: `${file.url}&again` } } });
    });
    await give(ids[0]!, '', png('photo.png'));
    await eventually(
      () => ada.page.locator('.shot img').evaluateAll((all: any[]) => all.map((one) => one.naturalWidth)),
      (widths) => widths[0] === 400,
    );
  });

  it('documents are cards, audio and video have players, and lists name what there is', async () => {
    const { ada, ids } = await deskWithChats(stage, ['Walter']);
    await give(ids[0]!, 'Here', text('عقد.txt'), fixture('sound.m4a'), fixture('movie.mp4'), fixture('photo.heic'));
    await ada.page.locator('.file-card bdi').getByText('عقد.txt').waitFor();
    await ada.page.locator('.file-card').getByText('HEIC', { exact: true }).waitFor();
    await ada.page.locator('audio').waitFor();
    await eventually(
      () => ada.page.locator('video').evaluate((video: any) => video.readyState),
      (state) => state > 0,
    );
    const [download] = await Promise.all([
      ada.page.waitForEvent('download'),
      ada.page.locator('.file-card').first().click(),
    ]);
    expect(download.suggestedFilename()).toBe('عقد.txt');
    const row = ada.rows.filter({ hasText: 'Walter' });
    await row.getByText('Bot: Here').waitFor();
    await give(ids[0]!, '', text('my_terms_.txt'));
    await row.getByText('Bot: my_terms_.txt').waitFor();
    await give(ids[0]!, '', png('photo.png'));
    await row.getByText('Bot: Image', { exact: true }).waitFor();
    expect(ada.visit.complaints).toEqual([]);
  });

  it('an agent who may not see the chat gets neither the file nor a fresh address', async () => {
    const { ada, ids } = await deskWithChats(stage, ['Walter']);
    await give(ids[0]!, '', png('photo.png'));
    await shots(ada).first().waitFor();
    const { body: group } = await stage.tenant.admin.post('/groups', { name: 'Others' }).expect(201);
    const other = await stage.parley.signInAgent(stage.tenant, { name: 'Otto', groupIds: [group.id] });
    const { messages } = (await stage.tenant.bot.get(`/chats/${ids[0]}/messages`).expect(200)).body;
    const file = messages.find(({ files }: any) => files).files[0].id as string;
    await other.client.get(`/files/${file}`).expect(404);
    await other.client.post('/uploads', { chatId: ids[0], name: 'a.txt', size: 1 }).expect(404);
  });

  for (const [look, options] of Object.entries(LOOKS)) {
    it(`accessibility on ${look}`, async () => {
      const ada = await Desk.open(stage, {}, options);
      const chatId = await anotherChat(stage, 'Walter', 'Help');
      const { client } = await stage.parley.signInAgain(stage.tenant, ada.agentId);
      await client.post(`/chats/${chatId}/claim`).expect(200);
      await ada.goTo(chatId, 'mine');
      await give(chatId, 'All', png('one.png'), png('two.png'), text('terms.txt'), fixture('sound.m4a'));
      await shots(ada).nth(1).waitFor();
      await attach(ada, png('photo.png'), text('empty.txt', 0));
      await ada.page.locator('.chosen-file.failed').waitFor();
      await ada.page.locator('.chosen-file.done').waitFor();
      expect(await findViolations(ada.visit)).toEqual([]);
      await shots(ada).first().click();
      await ada.page.getByRole('button', { name: 'Next image' }).waitFor();
      expect(await findViolations(ada.visit)).toEqual([]);
    });
  }
});
