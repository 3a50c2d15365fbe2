import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

describe('the widget behind a proxy that breaks WebSockets', () => {
  const stage = Stage.set();
  let visit: Visit;
  let warnings: string[];

  beforeEach(async () => {
    visit = await stage.visit({}, 'about:blank');
    warnings = [];
    visit.page.on('console', (message) => {
      if (message.text().startsWith('Parley: ')) warnings.push(message.text());
    });
  });

  const begin = async () => {
    await visit.page.goto(stage.site.url);
    await visit.launcher.click();
    await visit.composer.waitFor();
    await visit.say('Hello');
  };
  const type = async (text: string) =>
    stage.tenant.bot.post(`/chats/${await stage.chatId()}/typing`, { isTyping: true, text }).expect(200);

  it.each([
    ['refuses them', { refusesSockets: true }],
    ['answers them with 403', { forbidsSockets: true }],
    ['never answers them', { holdsSockets: true }],
    ['accepts them, and passes nothing', { mutesSockets: true }],
    ['cuts them at once', { cutsSocketsAfter: 0 }],
    ['cuts them after five seconds', { cutsSocketsAfter: 5_000 }],
  ])('the visitor sees live text if it %s, and the console says once what is wrong', async (_, broken) => {
    Object.assign(stage.road, broken);
    await begin();
    await stage.say('Hi');
    await visit.sees('Hello', 'Hi');
    await eventually(
      () => Promise.resolve(warnings),
      ({ length }) => length > 0,
    );
    await visit.panel.locator('header.online').waitFor();
    await type('It is on its');
    await visit.panel.getByText('It is on its').waitFor();
    await stage.say('It is on its way.');
    await visit.say('Thanks');
    await visit.sees('Hello', 'Hi', 'It is on its way.', 'Thanks');
    expect(warnings).toEqual([
      `Parley: WebSockets to ${stage.road.url} are blocked, so the chat polls. See ${stage.road.url}/docs/operate/websockets`,
    ]);
    expect((await fetch(warnings[0]!.split('See ')[1]!)).status).toBe(200);
  });

  it('the visitor has the answers if it passes nothing of Socket.IO', async () => {
    await visit.page.route('**/socket.io/**', (route) => route.fulfill({ status: 403, body: 'no' }));
    stage.road.forbidsSockets = true;
    await begin();
    await stage.say('Hi');
    await visit.sees('Hello', 'Hi');
    await visit.panel.locator('header.polling').waitFor();
    await visit.say('Thanks');
    await stage.say('You are welcome');
    await visit.sees('Hello', 'Hi', 'Thanks', 'You are welcome');
  });

  it('the console says nothing when the service is unreachable for a moment', async () => {
    await begin();
    await visit.panel.locator('header.online').waitFor();
    for (const round of ['one', 'two']) {
      stage.road.cut();
      await visit.panel.locator('header.offline').waitFor();
      stage.road.isCut = false;
      await visit.panel.locator('header.online').waitFor();
      await stage.say(round);
      await visit.messages.getByText(round).waitFor();
    }
    expect(warnings).toEqual([]);
  });
});
