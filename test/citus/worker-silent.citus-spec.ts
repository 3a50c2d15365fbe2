import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '../../src/platform/database/migrate.js';
import { until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { CitusLab } from './support/lab.js';

describe('a Citus cluster while one of its workers is silent', () => {
  let lab: CitusLab;
  let parley: Parley;
  let living: Tenant;
  let lost: Tenant;

  beforeAll(async () => {
    lab = await CitusLab.start(2);
    await migrate(lab.url);
    parley = await Parley.start({}, lab.url);
    living = await parley.createTenant();
    const home = await lab.workerOf(living.id);
    do lost = await parley.createTenant();
    while ((await lab.workerOf(lost.id)) === home);
  });
  afterAll(async () => {
    await (await lab?.workerOf(lost.id))?.resume();
    await parley?.stop();
    await lab?.stop();
  });

  /** Sends a message that a retry doesn't store again. */
  const sendOnce = (tenant: Tenant, content: string) =>
    send(tenant, content).set('Idempotency-Key', content.replace(' ', '-'));
  const send = ({ bot, chatId }: Tenant, content: string) => bot.post('/messages', { chatId, content });

  it("the other organizations store messages while it's silent, and it stores each retry once when it answers again", async () => {
    await send(living, 'before').expect(200);
    await send(lost, 'before').expect(200);
    await (await lab.workerOf(lost.id)).pause();
    const answers: number[] = [];
    const asked = Array.from({ length: 30 }, async (_, index) => {
      const { status } = await sendOnce(lost, `lost ${index}`);
      answers.push(status);
    });
    for (let index = 0; index < 5; index++) await send(living, `living ${index}`).expect(200);
    // The service gives up after 20 s at the latest.
    expect(answers).toEqual([]);
    await Promise.all(asked);
    expect(new Set(answers)).toEqual(new Set([503]));
    await (await lab.workerOf(lost.id)).resume();
    for (let index = 0; index < 30; index++) {
      await until('a retry is stored', async () => (await sendOnce(lost, `lost ${index}`)).status === 200);
    }
    const text = `SELECT content FROM messages WHERE organization_id = $1 AND content LIKE 'lost%' ORDER BY seq`;
    const stored = (await parley.query<{ content: string }>(text, [lost.id])).map(({ content }) => content);
    expect(stored.toSorted()).toEqual(Array.from({ length: 30 }, (_, index) => `lost ${index}`).toSorted());
  });

  it('other requests of the other organizations are answered while requests of its organizations come all the time', async () => {
    const read = ({ bot }: Tenant) => bot.get('/groups').then(({ status }) => status);
    expect([await read(living), await read(lost)]).toEqual([200, 200]);
    await (await lab.workerOf(lost.id)).pause();
    let isOver = false;
    const refused = new Set<number>();
    // Three times as many as there are connections.
    const asking = Array.from({ length: 60 }, async (_, place) => {
      for (; !isOver; refused.add(place)) expect(await read(lost)).toBe(503);
    });
    try {
      await until('all have been refused', () => refused.size === 60);
      await until('another organization is answered', async () => (await read(living)) === 200);
      for (let count = 0; count < 30; count++) expect(await read(living)).toBe(200);
    } finally {
      isOver = true;
    }
    await Promise.all(asking);
    await (await lab.workerOf(lost.id)).resume();
    await until('its organization is answered again', async () => (await read(lost)) === 200);
  });
});
