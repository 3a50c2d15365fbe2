import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Parley } from '../support/parley.js';
import { ScriptedBot, SHOP } from './support/script.js';

describe('the script of a bot', () => {
  let parley: Parley;
  let bot: ScriptedBot;

  beforeAll(async () => {
    parley = await Parley.start();
    bot = await ScriptedBot.start(parley, {});
  });
  afterAll(() => parley.stop());

  const step = (more: object = {}) => ({ id: 'a', text: 'Hi', ...more });
  const to = (id: string) => ({ action: 'step', step: id });
  const choice = (next: unknown, label: unknown = 'Go') => step({ choices: [{ label, next }] });
  const row = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      id: `s${at}`,
      text: 'Hi',
      ...(at < count - 1 && { next: to(`s${at + 1}`) }),
    }));

  it.each<[string, unknown]>([
    ['', 'text'],
    ['/steps', { steps: [] }],
    ['/steps', { steps: Array.from({ length: 51 }, (_, at) => step({ id: `s${at}` })) }],
    ['', { steps: Array.from({ length: 50 }, (_, at) => step({ id: `s${at}`, text: 'x'.repeat(1_500) })) }],
    ['/steps/0', { steps: [null] }],
    ['/steps/0/id', { steps: [step({ id: 'a b' })] }],
    ['/steps/1/id', { steps: [step(), step()] }],
    ['/steps/0/text', { steps: [step({ text: ' ' })] }],
    ['/steps/0/text', { steps: [step({ text: 'x'.repeat(2_001) })] }],
    ['/steps/0/text', { steps: [step({ text: '\ud800' })] }],
    ['/steps/0/ask', { steps: [step({ ask: 'phone', next: { action: 'close' } })] }],
    ['/steps/0/next', { steps: [step({ ask: 'text' })] }],
    ['/steps/0/next/action', { steps: [step({ next: { action: 'jump' } })] }],
    ['/steps/0/next/step', { steps: [step({ next: to('b') })] }],
    ['/steps/0/next/step', { steps: [step({ next: { action: 'close', step: 'a' } })] }],
    ['/steps/0/next/groupId', { steps: [step({ next: { action: 'close', groupId: 'grp_1' } })] }],
    ['/steps/0/next/groupId', { steps: [step({ next: { action: 'hand_over', groupId: 'grp_1' } })] }],
    ['/steps/0/choices', { steps: [step({ choices: [] })] }],
    ['/steps/0/choices', { steps: [step({ choices: Array.from({ length: 11 }, () => ({})) })] }],
    ['/steps/0/choices/0/label', { steps: [choice({ action: 'close' }, '')] }],
    ['/steps/0/choices/0/next', { steps: [choice(null)] }],
    ['/steps/0/choices/0/next/step', { steps: [choice(to('nowhere'))] }],
    ['/steps/0/choices/0/next/groupId', { steps: [choice({ action: 'hand_over', groupId: 'grp_1' })] }],
    [
      '/steps/0/choices/1/label',
      { steps: [step({ choices: ['Café', ' CAFE! '].map((label) => ({ label, next: to('a') })) })] },
    ],
    ['/steps/0/ask', { steps: [{ ...choice(to('a')), ask: 'text' }] }],
    ['/steps/0/next', { steps: [{ ...choice(to('a')), next: to('a') }] }],
    ['/steps/0/keywords', { steps: [step({ keywords: 'word' })] }],
    ['/steps/0/keywords/1', { steps: [step({ keywords: ['word', ''] })] }],
    ['/steps/0/next/step', { steps: [step({ next: to('a') })] }],
    [
      '/steps/1/next/step',
      { steps: [step({ next: to('b') }), step({ id: 'b', next: to('c') }), step({ id: 'c', next: to('b') })] },
    ],
    ['/steps/0/next/step', { steps: [step({ ask: 'name', next: to('b') }), step({ id: 'b', next: to('a') })] }],
    ['/steps/0/next/step', { steps: row(11) }],
    ['/steps/0/choises', { steps: [step({ choises: [] })] }],
    ['/fallback/misses', { ...SHOP, fallback: { misses: 6 } }],
    ['/fallback/text', { ...SHOP, fallback: { text: '' } }],
    ['/fallback/groupId', { ...SHOP, fallback: { groupId: 'grp_1' } }],
  ])('a script with a fault at %j is refused', async (pointer, script) => {
    const { body } = await bot.tenant.admin.put(bot.path, { kind: 'script', script }).expect(400);
    expect(body.code).toBe('validation_failed');
    expect(body.errors.map((error: { pointer: string }) => error.pointer)).toEqual([`/script${pointer}`]);
    const { body: tried } = await bot.tenant.admin
      .post(`${bot.path}/test`, { connection: { kind: 'script', script } })
      .expect(400);
    expect(tried.errors[0].pointer).toBe(`/connection/script${pointer}`);
  });

  it.each<[string, object]>([
    ['url', { url: 'https://agent.example' }],
    ['headers', { headers: { 'X-Key': 'k' } }],
    ['key', { key: 'k' }],
    ['tries', { tries: 1 }],
    ['share', { share: [] }],
  ])('a connection of kind script has no %s', async (name, fields) => {
    const { body } = await bot.tenant.admin.put(bot.path, { kind: 'script', ...fields }).expect(400);
    expect(body.errors).toEqual([{ pointer: `/${name}`, detail: 'is not a field of connections of kind script' }]);
  });

  it('a connection to an address has no script, and needs an address', async () => {
    const other = { kind: 'agui', url: 'https://agent.example', script: SHOP };
    const { body } = await bot.tenant.admin.put(bot.path, other).expect(400);
    expect(body.errors[0].pointer).toBe('/script');
    const { body: without } = await bot.tenant.admin.put(bot.path, { kind: 'agui' }).expect(400);
    expect(without.errors).toEqual([{ pointer: '/url', detail: 'is required' }]);
  });

  it('a script that names a group of another organization is refused', async () => {
    const other = await parley.createTenant();
    const { body: group } = await other.admin.post('/groups', { name: 'Theirs' }).expect(201);
    const script = { steps: [choice({ action: 'hand_over', groupId: group.id })] };
    const { body } = await bot.tenant.admin.put(bot.path, { kind: 'script', script }).expect(400);
    expect(body.errors[0]).toEqual({
      pointer: '/script/steps/0/choices/0/next/groupId',
      detail: 'must be the ID of a group of this organization',
    });
  });

  it('the largest script is accepted, and a body with more values than that is refused before it is parsed', async () => {
    const choices = Array.from({ length: 10 }, (_, at) => ({ label: `c${at}`, next: { action: 'close' } }));
    const keywords = Array.from({ length: 20 }, (_, at) => `w${at}`);
    const steps = Array.from({ length: 50 }, (_, at) => ({ id: `s${at}`, text: 'Hi', choices, keywords }));
    await bot.tenant.admin.put(bot.path, { kind: 'script', script: { steps } }).expect(200);
    const others = Array.from({ length: 16_000 }, () => 0);
    const { body } = await bot.tenant.admin.put(bot.path, { kind: 'script', script: { steps, others } }).expect(400);
    expect(body.detail).toMatch(/values/);
    await bot.tenant.admin.put(bot.path, { kind: 'script', script: SHOP }).expect(200);
  });

  it('a script comes back as it was given, without unknown fields', async () => {
    const steps = [...SHOP.steps, ...row(10)];
    const given = { steps: [{ ...steps[0], ask: null, color: 'red' }, ...steps.slice(1)], fallback: { misses: 1 } };
    const { body } = await bot.tenant.admin.put(bot.path, { kind: 'script', script: given }).expect(200);
    expect(body.script).toEqual({ steps, fallback: { misses: 1 } });
    const { body: changed } = await bot.tenant.admin.patch(bot.path, { script: null }).expect(200);
    expect(changed.script).toBeNull();
  });
});
