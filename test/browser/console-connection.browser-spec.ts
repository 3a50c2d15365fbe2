import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { says, text, usage } from '../bot-connections/support/model.js';
import { eventually } from '../support/eventually.js';
import { Receiver } from '../support/receiver.js';
import { findViolations } from './support/axe.js';
import { Office } from './support/office.js';
import { Stage } from './support/stage.js';

describe('the page of a connected bot in the console', () => {
  const stage = Stage.set({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  let model: Receiver;

  beforeEach(async () => {
    model = await Receiver.start(says(text('At nine.'), usage(1_200, 34)));
  });
  afterEach(() => model.close());

  const connect = (more: object) => {
    const url = `http://127.0.0.1:${model.port}/v1`;
    const { admin, botId } = stage.tenant;
    return admin.put(`/bots/${botId}/connection`, { url, collectFor: 0, ...more }).expect(200);
  };
  const ask = async (content: string) => {
    const { visitorToken, chatId, admin, botId } = stage.tenant;
    await stage.parley.visitor(visitorToken).post(`/chats/${chatId}/messages`, { content }).expect(201);
    await eventually(
      async () => (await admin.get(`/bots/${botId}/turns`).expect(200)).body.turns as { endedAt: string | null }[],
      ([turn]) => Boolean(turn?.endedAt),
    );
  };
  const open = (options = {}) => Office.open(stage, `bots/${stage.tenant.botId}`, options);
  const picture = async ({ page }: Office, name: string) => {
    const folder = process.env.LAYOUT_PICTURES;
    if (folder) await page.screenshot({ path: join(folder, `connection-${name}.png`) });
  };

  it('says how many turns and tokens there were, and shows what leaves, without secrets', async () => {
    await connect({ kind: 'openai', model: 'm-1', key: 'sk-secret', headers: { 'X-Shop': 'private' } });
    await ask('When do you open?');
    const ida = await open();
    await ida.page.getByText('Turns: 1 · Tokens in: 1,200 · Tokens out: 34').waitFor();
    await ida.page.locator('.by-day summary').click();
    expect(await ida.page.locator('.by-day tbody td').allInnerTexts()).toEqual(['1', '0', '0', '1,200', '34']);
    await ida.page.locator('.by-day').scrollIntoViewIfNeeded();
    await picture(ida, 'usage');
    await ida.button('Show a request').click();
    const body = ida.dialog.getByLabel('Body');
    await body.waitFor();
    await picture(ida, 'preview');
    expect(await findViolations(ida.desk.visit)).toEqual([]);
    expect(JSON.parse(await body.inputValue())).toMatchObject({ model: 'm-1', stream: true });
    expect(await ida.dialog.getByLabel('Address').inputValue()).toBe(
      `http://127.0.0.1:${model.port}/v1/chat/completions`,
    );
    const headers = await ida.dialog.getByLabel('Headers').inputValue();
    expect(headers).toContain('authorization: Bearer ***');
    expect(headers).toMatch(/^x-shop: \*\*\*$/im);
    expect(model.received).toHaveLength(1);
    await ida.dialog.getByRole('button', { name: 'Close' }).last().click();
    expect(await ida.button('New secret').count()).toBe(0);
    expect(ida.complaints).toEqual([]);
  });

  it('a new secret is shown once, and signs the next request beside the old one', async () => {
    await connect({ kind: 'agui', tries: 1 });
    const ida = await open({ colorScheme: 'dark', viewport: { width: 320, height: 700 } });
    await ida.button('New secret').click();
    await ida.dialog.getByText('For 24 hours, requests have both signatures').waitFor();
    await ida.dialog.getByRole('button', { name: 'New secret' }).click();
    await ida.dialog.getByLabel('Signing secret').waitFor();
    await picture(ida, 'secret');
    expect(await ida.takeSecret()).toMatch(/^whsec_/);
    await ask('Hi');
    expect(model.received[0]!.headers['webhook-signature']!.split(' ')).toHaveLength(2);
    await ida.button('Show a request').click();
    await ida.dialog.getByLabel('Body').waitFor();
    await picture(ida, 'preview-small');
    expect(await ida.dialog.getByLabel('Headers').inputValue()).toContain('webhook-signature: ***');
  });
});
