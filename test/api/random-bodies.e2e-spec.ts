import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Parley, type Tenant } from '../support/parley.js';

describe('random bodies', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
  const isText = (text: string) => !/[\0\ud800-\udfff]/u.test(text);
  const isStorable = (value: unknown): boolean =>
    isText(
      JSON.stringify(value)
        .replace(/\\\\/g, '')
        .replace(/\\u0000|\\ud[89a-f]/g, '\0'),
    );
  const anyText = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme', maxLength: 5_100, size: 'max' }),
  );
  const anyMetadata = fc.dictionary(
    fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString', 'options', '')),
    fc.jsonValue({ maxDepth: 6 }),
    { maxKeys: 8 },
  );
  const latest = async () => (await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200)).body.messages.at(-1);

  it('a valid message is stored and read back equal, and any other is a 400', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, fc.option(anyMetadata, { nil: undefined }), async (content, metadata) => {
        const { status } = await tenant.bot.post('/messages', { chatId: tenant.chatId, content, metadata });
        const length = [...content].length;
        const isValid =
          length >= 1 &&
          length <= 5_000 &&
          isText(content) &&
          (!metadata || (bytes(metadata) <= 10_240 && isStorable(metadata)));
        expect(status).toBe(isValid ? 200 : 400);
        if (!isValid) return;
        const message = await latest();
        expect(message.content).toBe(content);
        expect(JSON.parse(JSON.stringify(message.metadata))).toEqual(JSON.parse(JSON.stringify(metadata ?? {})));
      }),
      { numRuns: 150 },
    );
  });

  it('random fields never cause an internal error', async () => {
    const field = fc.oneof(
      fc.jsonValue(),
      fc.string({ unit: 'binary' }),
      fc.constant(tenant.chatId),
      fc.constantFrom('TEXT', 'QUICK_REPLY', 'IMAGE'),
    );
    const paths = ['/messages', '/transfer'];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        fc.record(
          { chatId: field, content: field, type: field, metadata: field, targetGroupId: field, reason: field },
          { requiredKeys: [] },
        ),
        async (path, body) => {
          const { status, headers } = await tenant.bot.post(path, body);
          expect([200, 400, 404, 409]).toContain(status);
          expect(headers['content-type']).toMatch(
            status === 200 ? /^application\/json/ : /^application\/problem\+json/,
          );
        },
      ),
      { numRuns: 250 },
    );
  });

  it('random bytes are answered', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.constantFrom('POST', 'PATCH'), async (body, method) => {
        const [url, token] =
          method === 'POST'
            ? [`${parley.url}/api/bot/messages`, tenant.token]
            : [`${parley.url}/api/admin/organizations/${tenant.id}`, 'test-admin-token'];
        const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
        const { status } = await fetch(url, { method, headers, body: new Uint8Array(body) });
        const isChange =
          body.length === 0 || /^[ \t\r\n]*\{[ \t\r\n]*\}[ \t\r\n]*$/.test(Buffer.from(body).toString('latin1'));
        expect(status).toBe(method === 'PATCH' && isChange ? 200 : 400);
      }),
      { numRuns: 150 },
    );
  });
});
