import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Parley, type Tenant } from '../support/parley.js';

/** Invisible texts: all kinds of white space, zero-width and format characters, an empty Braille cell. */
const BLANKS = ['', ' ', '   ', '\t\n', '\u00A0', '\u3000', '\u200B\u2060', ' \u00AD\uFEFF ', '\u2800', '\u202E'];

describe('names', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  const email = () => `${Math.random().toString(36).slice(2)}@example.com`;
  /**
   * Each resource with a name: the request that adds it, the request that changes it, and the pointer of its name in an
   * error.
   */
  const named = async () => {
    const { admin, botId } = tenant;
    const { body: group } = await admin.post('/groups', { name: 'Sales' }).expect(201);
    const { body: agent } = await admin.post('/agents', { name: 'Ada', email: email() }).expect(201);
    return [
      { post: (name: unknown) => parley.admin.post('', { name }), patch: (name: unknown) => admin.patch('', { name }) },
      {
        post: (name: unknown) => admin.post('/groups', { name }),
        patch: (name: unknown) => admin.patch(`/groups/${group.id}`, { name }),
      },
      {
        post: (name: unknown) => admin.post('/agents', { name, email: email() }),
        patch: (name: unknown) => admin.patch(`/agents/${agent.id}`, { name }),
      },
      {
        post: (name: unknown) => admin.post('/bots', { name }),
        patch: (name: unknown) => admin.patch(`/bots/${botId}`, { name }),
      },
      { post: (name: unknown) => admin.post(`/bots/${botId}/tokens`, { name }) },
      { patch: (name: unknown) => admin.patch('/widget', { name }) },
    ];
  };

  it('the name of any resource is trimmed', async () => {
    for (const { post, patch } of await named()) {
      if (post) expect((await post(' \u00A0Élan & Söhne\n').expect(201)).body.name).toBe('Élan & Söhne');
      if (patch) expect((await patch('\tÉlan  & Söhne ').expect(200)).body.name).toBe('Élan  & Söhne');
    }
  });

  it('an invisible name is rejected, and nothing changes', async () => {
    for (const { post, patch } of await named()) {
      for (const blank of BLANKS) {
        for (const ask of [post, patch]) {
          if (!ask) continue;
          const { body } = await ask(blank).expect(400);
          expect([blank, body.code, body.errors]).toEqual([
            blank,
            'validation_failed',
            [{ pointer: '/name', detail: 'must not be blank' }],
          ]);
        }
      }
    }
    const { body: groups } = await tenant.admin.get('/groups').expect(200);
    expect(groups.groups.every(({ name }: { name: string }) => name.trim() === name && name !== '')).toBe(true);
  });

  it("a name's limit counts characters after trimming, and combining characters are kept", async () => {
    const spaces = ' '.repeat(1_000);
    const name = '👩‍👩‍👧'.repeat(25);
    const { body } = await tenant.admin.post('/groups', { name: spaces + name + spaces }).expect(201);
    expect(body.name).toBe(name);
    await tenant.admin.post('/groups', { name: 'x'.repeat(200) + spaces }).expect(201);
    await tenant.admin.post('/groups', { name: 'x'.repeat(201) }).expect(400);
    for (const wrong of [7, null, ['Sales'], {}]) await tenant.admin.post('/groups', { name: wrong }).expect(400);
  });

  it('the texts of the widget follow the same rule as names', async () => {
    const texts = { greeting: ' Hello ', consent: '\nWe keep it ', officeHours: ' 9 to 5', questions: [' Price? '] };
    const { body } = await tenant.admin.patch('/widget', texts).expect(200);
    expect(body).toMatchObject({
      greeting: 'Hello',
      consent: 'We keep it',
      officeHours: '9 to 5',
      questions: ['Price?'],
    });
    for (const field of ['greeting', 'consent', 'officeHours']) {
      const { body: problem } = await tenant.admin.patch('/widget', { [field]: ' \u200B' }).expect(400);
      expect(problem.errors).toEqual([{ pointer: `/${field}`, detail: 'must not be blank' }]);
    }
    const { body: problem } = await tenant.admin.patch('/widget', { questions: ['Price?', '  '] }).expect(400);
    expect(problem.errors).toEqual([{ pointer: '/questions/1', detail: expect.any(String) }]);
  });
});
