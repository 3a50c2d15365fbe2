import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { migrate } from '../../src/platform/database/migrate.js';
import { queryOnce } from '../support/database.js';
import { Parley } from '../support/parley.js';

const SPECIAL = 'a@b:c/d?e#f%g&h=i+j "k\'l\\m é';

describe('a database and a role with special characters in their names', () => {
  const server = process.env.TEST_DATABASE_URL!;
  const unique = randomBytes(6).toString('hex');
  const name = `${SPECIAL} ${unique}`;
  const quoted = `"${name.replaceAll('"', '""')}"`;

  it('a percent-encoded DATABASE_URL reaches the database, through migrations, the pool, and several hosts', async () => {
    await queryOnce(server, `CREATE ROLE ${quoted} LOGIN PASSWORD '${SPECIAL.replaceAll("'", "''")}'`);
    await queryOnce(server, `CREATE DATABASE ${quoted} OWNER ${quoted}`);
    const [user, password, database] = [name, SPECIAL, name].map(encodeURIComponent);
    const { host } = new URL(server);
    const url = `postgres://${user}:${password}@${host},127.0.0.1:1/${database}?options=-clock_timeout%3D9s`;
    try {
      await migrate(url);
      const parley = await Parley.start({}, url.replace(',127.0.0.1:1', ''));
      const { bot, chatId } = await parley.createTenant();
      await bot.post('/messages', { chatId, content: 'hi' }).expect(200);
      expect((await fetch(`${parley.url}/health/ready`)).status).toBe(200);
      await parley.stop();
    } finally {
      await queryOnce(server, `DROP DATABASE ${quoted} WITH (FORCE)`);
      await queryOnce(server, `DROP ROLE ${quoted}`);
    }
  });

  it('a wrong password is answered immediately, and the error says how to write it, without the password', async () => {
    const url = Object.assign(new URL(server), { password: 'se%25cret' }).href;
    const said = await migrate(url).then(
      () => '',
      ({ message }: Error) => message,
    );
    expect(said).toMatch(
      /password authentication failed.*if user, password, or database name contain @ : .* %, write them/,
    );
    expect(said).not.toContain('cret');
  });
});
