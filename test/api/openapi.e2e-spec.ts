import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { SubscriptionUpkeep } from '../../src/pull/subscription-upkeep.js';
import { OpenApi } from '../support/openapi.js';
import { Parley, type Tenant } from '../support/parley.js';
import { movedByDays } from '../support/times.js';

describe('the OpenAPI document of the bot API', () => {
  let parley: Parley;
  let tenant: Tenant;
  let openApi: OpenApi;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    openApi = await OpenApi.read(parley.url, '/api/bot/docs');
  });
  afterAll(() => parley.stop());

  const check = (operationId: string, answer: Response) => {
    const [name] = openApi.operations.find(([, operation]) => operation.operationId === operationId)!;
    const [method, path] = name.split(' ');
    openApi.check(path!, method!.toLowerCase(), answer);
  };

  it('the bot document is OpenAPI 3.1 of the bot API only, and served without a token', async () => {
    expect(openApi.document.openapi).toBe('3.1.0');
    expect(openApi.operations.map(([name]) => name).toSorted()).toEqual([
      'DELETE /api/bot/subscription',
      'DELETE /api/bot/uploads/{uploadId}',
      'GET /api/bot/chats',
      'GET /api/bot/chats/{chatId}',
      'GET /api/bot/chats/{chatId}/messages',
      'GET /api/bot/chats/{chatId}/read',
      'GET /api/bot/chats/{chatId}/state',
      'GET /api/bot/events',
      'GET /api/bot/files/{fileId}',
      'GET /api/bot/groups',
      'GET /api/bot/groups/availability',
      'GET /api/bot/me',
      'GET /api/bot/search',
      'GET /api/bot/subscription',
      'GET /api/bot/tags',
      'PATCH /api/bot/chats/{chatId}',
      'PATCH /api/bot/visitors/{visitorId}',
      'POST /api/bot/chats',
      'POST /api/bot/chats/{chatId}/close',
      'POST /api/bot/chats/{chatId}/read',
      'POST /api/bot/chats/{chatId}/return',
      'POST /api/bot/chats/{chatId}/tags',
      'POST /api/bot/chats/{chatId}/typing',
      'POST /api/bot/messages',
      'POST /api/bot/transfer',
      'POST /api/bot/uploads',
      'POST /api/bot/uploads/{uploadId}/complete',
      'PUT /api/bot/chats/{chatId}/state',
      'PUT /api/bot/chats/{chatId}/tags',
      'PUT /api/bot/subscription',
    ]);
  });

  it('the bot document names the security scheme and every error of every operation', () => {
    const { securitySchemes } = openApi.document.components;
    expect(securitySchemes.accessToken).toMatchObject({ type: 'http', scheme: 'bearer' });
    for (const [name, { security, responses, parameters }] of openApi.operations) {
      expect(security).toEqual([{ accessToken: [] }]);
      const expected = [
        name.startsWith('DELETE') ? '204' : name === 'POST /api/bot/uploads' ? '201' : '200',
        '401',
        '429',
        '500',
        '503',
        ...(name.startsWith('POST') && !name.endsWith('/complete') ? ['400', '404', '415'] : []),
      ];
      if (parameters.some((parameter: any) => parameter.name === 'Idempotency-Key')) expected.push('422');
      expect([name, Object.keys(responses)]).toEqual([name, expect.arrayContaining(expected)]);
    }
  });

  it('the bot document states every body limit', () => {
    const { SendMessageRequest, TransferRequest } = openApi.document.components.schemas;
    expect(SendMessageRequest.required).toEqual(['chatId']);
    expect(SendMessageRequest.properties).toMatchObject({
      chatId: { type: 'string', minLength: 1, maxLength: 64 },
      content: { type: 'string', maxLength: 5000 },
      type: { enum: ['TEXT', 'IMAGE', 'BUTTON', 'QUICK_REPLY'] },
      metadata: { type: 'object' },
    });
    expect(TransferRequest).toMatchObject({
      required: ['chatId'],
      properties: { reason: { maxLength: 500 }, targetGroupId: { maxLength: 64 } },
    });
  });

  it('an address that cannot be decoded is answered 400, as the bot document says', async () => {
    check('getChat', await tenant.bot.get('/chats/%ff').expect(400));
    check('getReadMarks', await tenant.bot.get('/chats/%ff/read').expect(400));
    check('getState', await tenant.bot.get('/chats/%ff/state').expect(400));
  });

  it('the examples in the bot document work', async () => {
    const { metadata, content: text } = openApi.document.components.schemas.SendMessageRequest.properties;
    const [example, content] = [metadata.example, text.example];
    await tenant.bot
      .post('/messages', { chatId: tenant.chatId, content, type: 'QUICK_REPLY', metadata: example })
      .expect(200);
  });

  it("the service's responses match the bot document", async () => {
    const send = (body: object, key?: string) =>
      tenant.bot.post('/messages', body).set(key ? { 'Idempotency-Key': key } : {});
    const body = { chatId: tenant.chatId, content: 'hello' };
    check('sendMessage', await send(body, 'k'));
    check('sendMessage', await send(body, 'k'));
    check('sendMessage', await send({ ...body, content: 'other' }, 'k'));
    check('sendMessage', await send({ ...body, content: '' }));
    check('sendMessage', await send({ ...body, chatId: 'none' }));
    check('sendMessage', await tenant.bot.post('/messages', 'x').set('Content-Type', 'text/plain'));
    check('sendMessage', await parley.bot('none').post('/messages', body));
    check('getMe', await tenant.bot.get('/me'));
    const { visitorId } = tenant;
    check('openChat', await tenant.bot.post('/chats', { visitorId }));
    check('openChat', await tenant.bot.post('/chats', {}));
    check('openChat', await tenant.bot.post('/chats', { externalId: 'nobody' }));
    const state = `/chats/${tenant.chatId}/state`;
    check('getState', await tenant.bot.get(state));
    check('setState', await tenant.bot.put(state, { state: { a: 1 }, version: 0 }));
    check('setState', await tenant.bot.put(state, { state: { a: 1 }, version: 0 }));
    check('setState', await tenant.bot.put(state, {}));
    check('setState', await tenant.bot.put('/chats/none/state', { state: {} }));
    check('getState', await tenant.bot.get('/chats/none/state'));
    check('changeChat', await tenant.bot.patch(`/chats/${tenant.chatId}`, { title: 'Order 4711' }));
    check('changeChat', await tenant.bot.patch(`/chats/${tenant.chatId}`, { title: '' }));
    check('changeChat', await tenant.bot.patch('/chats/none', { title: 'Order 4711' }));
    check('changeChat', await tenant.bot.patch(`/chats/${tenant.chatId}`, { attributes: { order: 4711 } }));
    const visitor = `/visitors/${tenant.visitorId}`;
    check('changeVisitor', await tenant.bot.patch(visitor, { attributes: { plan: 'gold', isVip: true } }));
    check('changeVisitor', await tenant.bot.patch(visitor, { attributes: { plan: [] } }));
    check('changeVisitor', await tenant.bot.patch('/visitors/none', { attributes: {} }));
    check('setTags', await tenant.bot.put(`/chats/${tenant.chatId}/tags`, { tags: ['VIP'] }));
    check('setTags', await tenant.bot.put(`/chats/${tenant.chatId}/tags`, {}));
    check('setTags', await tenant.bot.put('/chats/none/tags', { tags: [] }));
    check('changeTags', await tenant.bot.post(`/chats/${tenant.chatId}/tags`, { add: ['Refund'] }));
    check('changeTags', await tenant.bot.post(`/chats/${tenant.chatId}/tags`, { add: [''] }));
    check('changeTags', await tenant.bot.post('/chats/none/tags', { add: ['Refund'] }));
    check('listTags', await tenant.bot.get('/tags?prefix=v'));
    check('listGroups', await tenant.bot.get('/groups'));
    check('listChats', await tenant.bot.get('/chats'));
    check('listChats', await tenant.bot.get('/chats?limit=0'));
    check('getChat', await tenant.bot.get(`/chats/${tenant.chatId}`));
    check('getChat', await tenant.bot.get('/chats/none'));
    check('listMessages', await tenant.bot.get(`/chats/${tenant.chatId}/messages`));
    check('listMessages', await tenant.bot.get(`/chats/${tenant.chatId}/messages?limit=x`));
    const erased = await tenant.admin.post('/chats', {}).expect(201);
    await tenant.bot.post('/messages', { chatId: erased.body.id, content: 'to be erased' }).expect(200);
    await tenant.admin.delete(`/visitors/${erased.body.visitor.id}`).expect(204);
    check('listMessages', await tenant.bot.get(`/chats/${erased.body.id}/messages`));
    check('getChat', await tenant.bot.get(`/chats/${erased.body.id}`));
    check('sendMessage', await send({ ...body, chatId: erased.body.id }));
    for (const [operationId, path, good] of [
      ['setTyping', 'typing', { isTyping: true, text: 'Hel' }],
      ['markRead', 'read', { seq: 1 }],
    ] as const) {
      check(operationId, await tenant.bot.post(`/chats/${tenant.chatId}/${path}`, good));
      check(operationId, await tenant.bot.post(`/chats/${tenant.chatId}/${path}`, {}));
      check(operationId, await tenant.bot.post(`/chats/none/${path}`, good));
    }
    await tenant.bot.post('/transfer', { chatId: tenant.chatId }).expect(200);
    check('setTyping', await tenant.bot.post(`/chats/${tenant.chatId}/typing`, { isTyping: true, ifOwner: 'BOT' }));
    check('getSubscription', await tenant.bot.get('/subscription'));
    check('putSubscription', await tenant.bot.put('/subscription', { senderTypes: ['BOT'] }));
    check('putSubscription', await tenant.bot.put('/subscription', { senderTypes: [] }));
    check('getSubscription', await tenant.bot.get('/subscription'));
    check('sendMessage', await send(body));
    check('pollEvents', await tenant.bot.get('/events?wait=0'));
    check('pollEvents', await tenant.bot.get('/events?wait=x'));
    check('pollEvents', await tenant.bot.get('/events?wait=0&ack=x'));
    await parley.query(`UPDATE deliveries SET created_at = ${movedByDays('created_at', -8)}`);
    await parley.app.get(SubscriptionUpkeep).run();
    check('pollEvents', await tenant.bot.get('/events?wait=0'));
    const waiting = [0, 1].map((wait) => Promise.resolve(tenant.bot.get(`/events?wait=${1 - wait}`)));
    for (const answer of await Promise.all(waiting)) check('pollEvents', answer);
    await tenant.bot.delete('/subscription').expect(204);
    check('deleteSubscription', await tenant.bot.delete('/subscription'));
    check('getReadMarks', await tenant.bot.get(`/chats/${tenant.chatId}/read`));
    check('getReadMarks', await tenant.bot.get('/chats/none/read'));
    check('transferChat', await tenant.bot.post('/transfer', { chatId: tenant.chatId }).set('Idempotency-Key', 'k'));
    check('transferChat', await tenant.bot.post('/transfer', { chatId: tenant.chatId }).set('Idempotency-Key', 'k'));
    check('listMessages', await tenant.bot.get(`/chats/${tenant.chatId}/messages`));
    const close = (body: object) => tenant.bot.post(`/chats/${tenant.chatId}/close`, body);
    check('closeChat', await close({ ifOwner: 'BOT' }));
    check('closeChat', await close({ ifOwner: 'X' }));
    check('closeChat', await close({}));
    check('closeChat', await tenant.bot.post('/chats/none/close'));
    check('transferChat', await tenant.bot.post('/transfer', { chatId: tenant.chatId }));
    check('transferChat', await tenant.bot.post('/transfer', { chatId: 'none' }));
  });

  it("the service's responses match the bot document under load", async () => {
    const limited = await Parley.start({ BOT_RATE_LIMIT: '1' });
    const own = await limited.createTenant();
    const answers = await Promise.all(Array.from({ length: 5 }, () => own.bot.get('/groups')));
    expect(answers.map(({ status }) => status)).toContain(429);
    for (const answer of answers) check('listGroups', answer);
    await limited.stop();
  });
});
