import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { Parley, PRODUCT_TIME_LIMITS } from '../support/parley.js';
import { Road } from '../support/road.js';
import { Scrape } from '../support/scrape.js';

describe('readiness and liveness', () => {
  let database: TestDatabase;
  let road: Road;
  let parley: Parley;

  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    const over = await Road.toDatabase(database.url);
    road = over.road;
    // Only the limit of a scrape ends a query of a silent database.
    const timeLimits = {
      ...PRODUCT_TIME_LIMITS,
      request: 90_000,
      statement: 90_000,
      silence: 90_000,
      connection: 90_000,
    };
    parley = await Parley.start({}, over.url, timeLimits);
  });
  afterEach(async () => {
    road.isCut = road.losesAnswers = false;
    road.end();
    await parley.stop();
    await road.close();
  });

  const ready = async () => (await request(parley.url).get('/health/ready')).status;
  const isLive = () => request(parley.url).get('/health/live').expect(200);
  const recovers = () => eventually(ready, (status) => status === 200);

  it('a node is live but not ready while the database is down, and ready again afterward', async () => {
    await recovers();
    road.cut();
    expect(await ready()).toBe(503);
    await isLive();
    expect((await Scrape.of(parley.url)).value('parley_ready')).toBe(0);
    road.isCut = false;
    await recovers();
    await eventually(
      () => Scrape.of(parley.url),
      (seen) => seen.value('parley_ready') === 1,
    );
  });

  it('a node is live but not ready while the database is silent, and both answer quickly', async () => {
    road.losesAnswers = true;
    expect(await ready()).toBe(503);
    await isLive();
    road.losesAnswers = false;
    road.end();
    await recovers();
  });

  it('a node is live but not ready while a migration is missing', async () => {
    const { rows } = await parley.database.query(
      'DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations) RETURNING *',
    );
    expect(await ready()).toBe(503);
    await isLive();
    const [{ id, timestamp, name }] = rows;
    await parley.database.query('INSERT INTO migrations VALUES ($1, $2, $3)', [id, timestamp, name]);
    await recovers();
  });

  it("a scrape during a silent database has everything except the database's figures", async () => {
    await eventually(
      () => Scrape.of(parley.url),
      (seen) => seen.value('parley_webhook_deliveries_due') === 0,
    );
    road.losesAnswers = true;
    const during = await Scrape.of(parley.url);
    expect(during.value('parley_webhook_deliveries_due')).toBeUndefined();
    expect(during.value('parley_webhook_oldest_due_age_seconds')).toBeUndefined();
    expect(during.value('parley_ready')).toBe(0);
    expect(during.value('parley_http_requests_total')).toBeGreaterThan(0);
    const after = await Scrape.of(parley.url);
    expect(after.value('parley_scrape_errors_total', { source: 'webhook_deliveries' })).toBeGreaterThanOrEqual(1);
  });
});
