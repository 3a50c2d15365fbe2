import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../support/eventually.js';
import { Parley } from '../support/parley.js';
import { runs, says } from './support/agui.js';
import { ConnectedBot, says as modelSays, text } from './support/model.js';

describe('what leaves with a request', () => {
  let parley: Parley;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  });
  afterAll(() => parley.stop());

  const agent = async () => {
    const bot = await ConnectedBot.start(parley);
    await bot.tenant.admin.delete(bot.path).expect(204);
    const { body } = await bot.tenant.admin
      .put(bot.path, { kind: 'agui', url: bot.model.url, collectFor: 0, headers: { 'X-Team': 'blue' } })
      .expect(200);
    bot.model.become(runs(says('Hello!')));
    return { bot, secret: body.secret as string };
  };

  it('after a rotation, requests have both signatures for a day', async () => {
    const { bot, secret } = await agent();
    const { body } = await bot.tenant.admin.post(`${bot.path}/rotate-secret`, {}).expect(200);
    expect(body).toEqual({ secret: expect.stringMatching(/^whsec_/) });
    await bot.say('Hi');
    await bot.ended(1);
    const [received] = await bot.model.count(1);
    for (const key of [secret, body.secret as string])
      expect(() => new Webhook(key).verify(received!.body, received!.headers as Record<string, string>)).not.toThrow();
    const [entry] = (await bot.tenant.admin.get('/audit?limit=1').expect(200)).body.entries;
    expect(entry.action).toBe('connection.secret_rotated');
    // A change of settings keeps both.
    await bot.tenant.admin.patch(bot.path, { tries: 2 }).expect(200);
    const { body: again } = await bot.tenant.admin.post(`${bot.path}/rotate-secret`, {}).expect(200);
    await bot.say('Hi again');
    await bot.ended(2);
    const [, second] = await bot.model.count(2);
    const verify = (key: string) => () =>
      new Webhook(key).verify(second!.body, second!.headers as Record<string, string>);
    expect(verify(again.secret as string)).not.toThrow();
    expect(verify(body.secret as string)).not.toThrow();
    expect(verify(secret)).toThrow();
    await bot.close();
  });

  it('a kind without signatures has no secret to rotate', async () => {
    const bot = await ConnectedBot.start(parley);
    const { body } = await bot.tenant.admin.post(`${bot.path}/rotate-secret`, {}).expect(409);
    expect(body.code).toBe('conflict');
    await bot.tenant.admin.delete(bot.path).expect(204);
    await bot.tenant.admin.post(`${bot.path}/rotate-secret`, {}).expect(404);
    await bot.close();
  });

  it('the preview is the next request, without secrets, and sends nothing', async () => {
    const bot = await ConnectedBot.start(parley, { instructions: 'Be kind.' });
    await bot.tenant.admin
      .patch(bot.path, { url: `${bot.base}?token=secret-1`, headers: { 'X-Team': 'blue' } })
      .expect(200);
    bot.model.become(modelSays(text('Hello!')));
    await bot.say('First');
    await bot.ended(1);
    await bot.tenant.admin.patch(bot.path, { collectFor: 10_000 }).expect(200);
    await bot.say('Second');
    const preview = async (chatId = bot.tenant.chatId) => bot.tenant.admin.post(`${bot.path}/preview`, { chatId });
    const { body } = await preview();
    expect(bot.model.received).toHaveLength(1);
    expect(body.url).toBe(`${bot.base}/chat/completions?***`);
    expect(body.headers).toMatchObject({ authorization: 'Bearer ***', 'X-Team': '***', 'user-agent': 'Parley' });
    expect(JSON.stringify(body)).not.toMatch(/sk-1|blue|secret-1/);
    await bot.tenant.admin.patch(bot.path, { collectFor: 0 }).expect(200);
    await parley.query(`UPDATE bot_turns SET due_at = now() WHERE organization_id = $1 AND status = 'WAITING'`, [
      bot.tenant.id,
    ]);
    await bot.ended(2);
    const sent = bot.model.received.at(-1)!;
    expect(body.body).toEqual(sent.event);
    expect((await preview('cht_none')).status).toBe(404);
    const other = await parley.createTenant();
    expect((await preview(other.chatId)).status).toBe(404);
    await bot.close();
  });

  it('the preview of a signed request shows the ids and no signature', async () => {
    const { bot } = await agent();
    await bot.say('Hi');
    await bot.ended(1);
    const { body } = await bot.tenant.admin.post(`${bot.path}/preview`, { chatId: bot.tenant.chatId }).expect(200);
    expect(body.headers).toMatchObject({ 'webhook-signature': '***', 'webhook-id': expect.stringMatching(/^run_/) });
    expect(body.body.messages.map(({ content }: { content: string }) => content)).toContain('Hi');
    await eventually(
      () => bot.turns(),
      ({ length }) => length === 1,
    );
    await bot.close();
  });
});
