import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { migrate } from '../../src/platform/database/migrate.js';
import { until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { findTraces, readSeqs, upTo } from '../support/traces.js';
import { ArchivedPostgres } from './support/archived-postgres.js';

const ENVIRONMENT = { SECRET_KEY: 'kept-beside-it' };
const GUIDE = readFileSync('docs/operate/backup.md', 'utf8');

/** The lines of docs/operate/backup.md. */
const ARCHIVING = [
  'wal_level = replica',
  'archive_mode = on',
  `archive_command = 'test ! -f /var/lib/parley-wal/%f && cp %p /var/lib/parley-wal/%f'`,
];
const RESTORING = [`restore_command = 'cp /var/lib/parley-wal/%f %p'`, `recovery_target_action = 'promote'`];

interface Sent {
  content: string;
  chatId: string;
  id: string;
}

/** Bots that send without a pause. A message is in `acked` once it's answered. */
class Load {
  readonly acked: Sent[] = [];
  private isOver = false;
  private readonly work: Promise<unknown>;

  constructor(
    private readonly name: string,
    tenant: Tenant,
    chats: readonly string[],
  ) {
    this.work = Promise.all(chats.map((chatId, place) => this.send(tenant, chatId, place)));
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.work;
  }

  /** Waits until every chat has some more acknowledged messages. */
  async proceeds(): Promise<void> {
    const before = this.acked.length;
    await until('more messages are stored', () => this.acked.length >= before + 40);
  }

  private async send({ bot }: Tenant, chatId: string, place: number): Promise<void> {
    for (let count = 0; !this.isOver; count++) {
      const content = `${this.name}-${place}-${count}`;
      const { body } = await bot.post('/messages', { chatId, content }).set('Idempotency-Key', content).expect(200);
      this.acked.push({ content, chatId, id: body.id });
    }
  }
}

describe('a service restored to a moment', () => {
  let postgres: ArchivedPostgres;
  let after: Parley;
  let tenant: Tenant;
  let chats: string[];
  /** What was acknowledged before the moment, and what was sent after it. */
  let kept: Sent[];
  let undone: Sent[];

  beforeAll(async () => {
    postgres = await ArchivedPostgres.start(ARCHIVING);
    await migrate(postgres.url);
    const before = await Parley.start(ENVIRONMENT, postgres.url);
    tenant = await before.createTenant();
    const created = await Promise.all(upTo(4).map(() => tenant.admin.post('/chats', {}).expect(201)));
    chats = created.map(({ body }) => body.id as string);

    const load = new Load('early', tenant, chats);
    await load.proceeds();
    await postgres.backUp();
    await load.proceeds();
    kept = [...load.acked];
    const [{ moment }] = (await postgres.query('SELECT clock_timestamp()::text AS moment')) as [{ moment: string }];
    await load.stop();
    const later = new Load('late', tenant, chats);
    await later.proceeds();
    await later.stop();
    undone = later.acked;

    await postgres.archiveAll();
    await before.stop();
    await postgres.restore([...RESTORING, `recovery_target_time = '${moment}'`]);
    after = await Parley.start(ENVIRONMENT, postgres.url);
  }, 120_000);
  afterAll(async () => {
    await after.stop();
    await postgres.stop();
  });

  const send = ({ chatId, content }: Sent) =>
    after.bot(tenant.token).post('/messages', { chatId, content }).set('Idempotency-Key', content).expect(200);

  it.each([...ARCHIVING, ...RESTORING])('the guide says %s', (line) => {
    expect(GUIDE).toContain(line);
  });

  it('what was acknowledged before that moment is stored once', async () => {
    const rows = await after.query<{ id: string; content: string }>('SELECT id, content FROM messages');
    const stored = new Map(rows.map(({ id, content }) => [id, content]));
    expect(stored.size).toBe(rows.length);
    expect(kept.filter(({ id, content }) => stored.get(id) !== content)).toEqual([]);
  });

  it('what was sent after that moment left no trace', async () => {
    const rows = await after.query<{ id: string }>('SELECT id FROM messages WHERE id = ANY ($1)', [
      undone.map(({ id }) => id),
    ]);
    expect(rows).toEqual([]);
    expect(await findTraces(after, undone.at(-1)!.id)).toEqual([]);
  });

  it('every chat has its seqs without a gap, as its counter says', async () => {
    for (const chatId of chats) {
      const { seqs, messageCount } = await readSeqs(after, tenant.id, chatId);
      expect([seqs, messageCount]).toEqual([upTo(seqs.length), seqs.length]);
      expect(seqs.length).toBeGreaterThan(0);
    }
  });

  it('a retry of a message from before that moment returns the first result', async () => {
    expect((await send(kept[0]!)).body.id).toBe(kept[0]!.id);
  });

  it('a retry of a message from after that moment is stored once', async () => {
    const again = await send(undone[0]!);
    expect(again.body.id).not.toBe(undone[0]!.id);
    expect((await send(undone[0]!)).body.id).toBe(again.body.id);
  });
});
