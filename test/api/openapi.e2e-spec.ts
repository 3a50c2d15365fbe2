import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import request, { type Response } from 'supertest';
import { SubscriptionUpkeep } from '../../src/pull/subscription-upkeep.js';
import { Parley, type Tenant } from '../support/parley.js';

describe('the OpenAPI document of the bot API', () => {
  let parley: Parley;
  let tenant: Tenant;
  let document: any;
  const ajv = new Ajv2020({ strict: false, allErrors: true });

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    document = (await request(parley.url).get('/api/bot/docs').expect(200)).body;
    formats.default(ajv);
    // Fields that the document doesn't name must not be returned.
    for (const schema of Object.values<any>(document.components.schemas)) schema.additionalProperties = false;
    ajv.addSchema(document, 'document');
  });
  afterAll(() => parley.stop());

  /** Validates a response against the document for this operation and status. */
  const check = (operationId: string, { status, headers, body }: Response) => {
    const [path, method, operation] = operations().find(([, , { operationId: id }]) => id === operationId)!;
    const response = operation.responses[status];
    expect([operationId, status, response && 'documented']).toEqual([operationId, status, 'documented']);
    const type = headers['content-type']!.split(';')[0]!;
    const pointer = ['paths', path, method, 'responses', String(status), 'content', type, 'schema'];
    const $ref = `document#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
    expect(Object.keys(response.content)).toEqual([type]);
    const validate = ajv.compile({ $ref });
    expect([operationId, status, validate(body), validate.errors]).toEqual([operationId, status, true, null]);
    for (const name of Object.keys(headers)) {
      if (/^(retry-after|idempotent-replayed|www-authenticate)$/.test(name)) {
        expect(Object.keys(response.headers ?? {}).map((header) => header.toLowerCase())).toContain(name);
      }
    }
  };
  const operations = (): [string, string, any][] =>
    Object.entries<any>(document.paths).flatMap(([path, item]) =>
      Object.entries<any>(item).map(([method, operation]) => [path, method, operation] as [string, string, any]),
    );

  it('the bot document is OpenAPI 3.1 of the bot API only, served without a token, and shown as a page', async () => {
    expect(document.openapi).toBe('3.1.0');
    expect(
      operations()
        .map(([path, method]) => `${method.toUpperCase()} ${path}`)
        .sort(),
    ).toEqual([
      'DELETE /api/bot/subscription',
      'GET /api/bot/chats',
      'GET /api/bot/chats/{chatId}',
      'GET /api/bot/chats/{chatId}/messages',
      'GET /api/bot/chats/{chatId}/read',
      'GET /api/bot/events',
      'GET /api/bot/groups',
      'GET /api/bot/groups/availability',
      'GET /api/bot/subscription',
      'POST /api/bot/chats/{chatId}/read',
      'POST /api/bot/chats/{chatId}/return',
      'POST /api/bot/chats/{chatId}/typing',
      'POST /api/bot/messages',
      'POST /api/bot/transfer',
      'PUT /api/bot/subscription',
    ]);
    const { text, headers } = await request(parley.url).get('/docs').expect(200);
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(text).toContain('Parley bot API');
  });

  it('the bot document names the security scheme and every error of every operation', () => {
    expect(document.components.securitySchemes.accessToken).toMatchObject({ type: 'http', scheme: 'bearer' });
    for (const [path, method, { security, responses, parameters }] of operations()) {
      expect(security).toEqual([{ accessToken: [] }]);
      const expected = [
        method === 'delete' ? '204' : '200',
        '401',
        '429',
        '500',
        '503',
        ...(method === 'post' ? ['400', '404', '415'] : []),
      ];
      if (parameters.some(({ name }: any) => name === 'Idempotency-Key')) expected.push('422');
      expect([path, Object.keys(responses)]).toEqual([path, expect.arrayContaining(expected)]);
    }
  });

  it('the bot document states every body limit', () => {
    const { SendMessageDto, TransferDto } = document.components.schemas;
    expect(SendMessageDto.required.sort()).toEqual(['chatId', 'content']);
    expect(SendMessageDto.properties).toMatchObject({
      chatId: { type: 'string', minLength: 1, maxLength: 64 },
      content: { type: 'string', minLength: 1, maxLength: 5000 },
      type: { enum: ['TEXT', 'IMAGE', 'BUTTON', 'QUICK_REPLY'] },
      metadata: { type: 'object' },
    });
    expect(TransferDto).toMatchObject({
      required: ['chatId'],
      properties: { reason: { maxLength: 500 }, targetGroupId: { maxLength: 64 } },
    });
  });

  it('the examples in the bot document work', async () => {
    const { example } = document.components.schemas.SendMessageDto.properties.metadata;
    const { example: content } = document.components.schemas.SendMessageDto.properties.content;
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
      ['sayTyping', 'typing', { isTyping: true, text: 'Hel' }],
      ['markRead', 'read', { seq: 1 }],
    ] as const) {
      check(operationId, await tenant.bot.post(`/chats/${tenant.chatId}/${path}`, good));
      check(operationId, await tenant.bot.post(`/chats/${tenant.chatId}/${path}`, {}));
      check(operationId, await tenant.bot.post(`/chats/none/${path}`, good));
    }
    await tenant.bot.post('/transfer', { chatId: tenant.chatId }).expect(200);
    check('sayTyping', await tenant.bot.post(`/chats/${tenant.chatId}/typing`, { isTyping: true, ifOwner: 'BOT' }));
    check('getSubscription', await tenant.bot.get('/subscription'));
    check('putSubscription', await tenant.bot.put('/subscription', { senderTypes: ['BOT'] }));
    check('putSubscription', await tenant.bot.put('/subscription', { senderTypes: [] }));
    check('getSubscription', await tenant.bot.get('/subscription'));
    check('sendMessage', await send(body));
    check('pollEvents', await tenant.bot.get('/events?wait=0'));
    check('pollEvents', await tenant.bot.get('/events?wait=x'));
    check('pollEvents', await tenant.bot.get('/events?wait=0&ack=x'));
    await parley.query(`UPDATE deliveries SET created_at = created_at - interval '8 days'`);
    await parley.app.get(SubscriptionUpkeep).run();
    check('pollEvents', await tenant.bot.get('/events?wait=0'));
    const waiting = [0, 1].map((wait) => Promise.resolve(tenant.bot.get(`/events?wait=${1 - wait}`)));
    for (const answer of await Promise.all(waiting)) check('pollEvents', answer);
    await tenant.bot.delete('/subscription').expect(204);
    check('deleteSubscription', await tenant.bot.delete('/subscription'));
    check('getRead', await tenant.bot.get(`/chats/${tenant.chatId}/read`));
    check('getRead', await tenant.bot.get('/chats/none/read'));
    check('transferChat', await tenant.bot.post('/transfer', { chatId: tenant.chatId }).set('Idempotency-Key', 'k'));
    check('transferChat', await tenant.bot.post('/transfer', { chatId: tenant.chatId }).set('Idempotency-Key', 'k'));
    check('listMessages', await tenant.bot.get(`/chats/${tenant.chatId}/messages`));
    await tenant.admin.patch(`/chats/${tenant.chatId}`, { status: 'CLOSED' }).expect(200);
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
