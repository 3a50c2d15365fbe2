import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { STOP, stream, text } from '../bot-connections/support/model.js';
import { eventually } from '../support/eventually.js';
import { Receiver } from '../support/receiver.js';
import { findViolations } from './support/axe.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

const HALF = 'We open at nine, and on Saturdays we';

describe('the answers of a connected bot in the widget', () => {
  const stage = Stage.set({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  let model: Receiver;
  let open: ServerResponse[];
  let visit: Visit;

  beforeEach(async () => {
    open = [];
    model = await Receiver.start((_, response) => void open.push(stream(response)));
    const { admin, botId } = stage.tenant;
    const connection = { kind: 'openai', model: 'm-1', url: `http://127.0.0.1:${model.port}/v1`, collectFor: 0 };
    await admin.put(`/bots/${botId}/connection`, connection).expect(200);
    stage.site.page.body = '<main><h1>A shop</h1></main>';
  });
  afterEach(async () => {
    await model.close();
    expect(visit.complaints).toEqual([]);
  });

  const begin = async (...options: Parameters<typeof stage.visit>) => {
    visit = await stage.visit(...options);
    await visit.open();
    await visit.say('When do you open?');
    return write(1, HALF);
  };
  /** Writes a part of the answer to a request, which is counted from 1. */
  const write = async (request: number, part: string) => {
    await eventually(
      () => open.length,
      (count) => count >= request,
    );
    open[request - 1]!.write(text(part));
  };
  const status = () => visit.panel.locator('.answers').getByRole('status');
  const picture = async (name: string) => {
    const folder = process.env.LAYOUT_PICTURES;
    if (folder) await visit.page.screenshot({ path: join(folder, `answers-${name}.png`) });
  };

  it('a visitor stops an answer, and tries again, with the keyboard', async () => {
    await begin();
    await visit.sees('When do you open?', HALF);
    const stop = visit.button('Stop');
    await stop.waitFor();
    await picture('stop');
    expect(await findViolations(visit)).toEqual([]);
    await visit.composer.press('Shift+Tab');
    await visit.page.keyboard.press('Enter');
    await status().getByText('Answer stopped').waitFor();
    const again = visit.button('Try again');
    await again.waitFor();
    await visit.sees('When do you open?', HALF);
    await visit.panel.locator('[data-id]').nth(1).waitFor();
    // The visitor can write on.
    expect(await visit.page.evaluate(`document.querySelector('parley-widget').shadowRoot.activeElement.tagName`)).toBe(
      'TEXTAREA',
    );
    await picture('stopped');
    expect(await findViolations(visit)).toEqual([]);
    await again.focus();
    await visit.page.keyboard.press('Space');
    await write(2, 'At nine.');
    await visit.sees('When do you open?', HALF, 'At nine.');
    await stop.waitFor();
    expect(await status().textContent()).toBe('');
    open[1]!.end(STOP);
    await again.waitFor();
    expect(await stop.count()).toBe(0);
    await visit.page.reload();
    await visit.open();
    await again.waitFor();
    await visit.sees('When do you open?', HALF, 'At nine.');
  });

  it('buttons belong to the answer that is shown, even if the response to Try again comes after it', async () => {
    await begin();
    open[0]!.end(STOP);
    const [stop, again] = [visit.button('Stop'), visit.button('Try again')];
    await again.waitFor();
    let release = () => {};
    const isShown = new Promise<void>((resolve) => (release = resolve));
    await visit.page.route('**/answer/retry', async (route) => {
      const response = await route.fetch();
      await isShown;
      await route.fulfill({ response });
    });
    const responded = visit.page.waitForResponse('**/answer/retry');
    await again.click();
    await write(2, 'At nine.');
    await stop.waitFor();
    release();
    await (await responded).finished();
    await visit.sees('When do you open?', HALF, 'At nine.');
    await stop.waitFor();
    open[1]!.end(STOP);
    await again.waitFor();
  });

  it('an answer without a word can be stopped too, and nothing is offered once a person has the chat', async () => {
    visit = await stage.visit();
    await visit.open();
    await visit.say('When do you open?');
    await eventually(
      () => open.length,
      (count) => count === 1,
    );
    await visit.button('Stop').click();
    await status().getByText('Answer stopped').waitFor();
    await visit.button('Try again').click();
    await write(2, 'At nine.');
    open[1]!.end(STOP);
    await visit.button('Try again').waitFor();
    const ada = await stage.parley.signInAgent(stage.tenant, { role: 'ADMIN' });
    await ada.client.post(`/chats/${await stage.chatId()}/claim`, { force: true }).expect(200);
    await visit.button('Try again').waitFor({ state: 'detached' });
  });

  it('who has the chat open is offered another answer only while the bot is connected', async () => {
    const { admin, botId } = stage.tenant;
    await begin();
    open[0]!.end(STOP);
    const again = visit.button('Try again');
    await again.waitFor();
    await admin.patch(`/bots/${botId}/connection`, { isEnabled: false }).expect(200);
    await again.waitFor({ state: 'detached' });
    await picture('paused');
    await admin.patch(`/bots/${botId}/connection`, { isEnabled: true }).expect(200);
    await again.click();
    await write(2, 'At nine.');
    await visit.button('Stop').waitFor();
  });

  it('a bot that calls the API learns that the visitor has stopped it, and only one that can stop is offered', async () => {
    const { admin, bot, botId } = stage.tenant;
    await admin.delete(`/bots/${botId}/connection`).expect(204);
    visit = await stage.visit();
    await visit.open();
    await visit.say('When do you open?');
    const chatId = await stage.chatId();
    const type = async (more: object) =>
      (await bot.post(`/chats/${chatId}/typing`, { isTyping: true, ...more }).expect(200)).body.isStopped as unknown;
    expect(await type({ text: 'At' })).toBeUndefined();
    await visit.sees('When do you open?', 'At');
    expect(await visit.button('Stop').count()).toBe(0);
    await type({ text: 'At nine', canStop: true });
    await visit.button('Stop').click();
    await status().getByText('Answer stopped').waitFor();
    await eventually(
      () => type({ text: 'At nine', canStop: true }),
      (isStopped) => isStopped === true,
    );
    await stage.say('At nine');
    await visit.sees('When do you open?', 'At nine');
    expect(await type({ text: 'More', canStop: true })).toBeUndefined();
    await visit.button('Stop').waitFor();
    expect(await visit.button('Try again').count()).toBe(0);
  });

  it('what can not be tried again is not offered any longer, and a failure is said', async () => {
    await begin();
    open[0]!.end(STOP);
    await visit.button('Try again').waitFor();
    const chatId = await stage.chatId();
    const path = `**/api/visitor/chats/${chatId}/answer/retry`;
    await visit.page.route(path, (route) => route.abort());
    await visit.button('Try again').click();
    await status().getByText('Chat is unavailable right now').waitFor();
    await visit.page.unroute(path);
    visit.complaints.splice(0);
    const repeated = `UPDATE bot_turns SET replaces = array_fill('trn_1'::text, '{30}') WHERE chat_id = $1`;
    await stage.parley.query(repeated, [chatId]);
    await visit.button('Try again').click();
    // The browser reports the answer.
    await eventually(
      () => visit.complaints,
      (complaints) => complaints.some((words) => words.includes('409')),
    );
    visit.complaints.splice(0);
    expect(await visit.button('Try again').count()).toBe(0);
    expect(await status().textContent()).toBe('');
  });

  it.each([
    ['ar', 'إيقاف', 'dark', 320],
    ['de', 'Anhalten', 'light', 400],
  ] as const)('stands in the language of the visitor: %s', async (locale, name, colorScheme, width) => {
    stage.site.page.attributes += ` data-locale="${locale}"`;
    await begin({ colorScheme, viewport: { width, height: 600 } });
    await visit.button(name).waitFor();
    await picture(`${locale}-stop`);
    await visit.button(name).click();
    await visit.panel.locator('[data-id]').nth(1).waitFor();
    await picture(`${locale}-stopped`);
  });
});
