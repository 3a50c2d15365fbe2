import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const PAGES = readdirSync(new URL('../../docs/operate', import.meta.url))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/operate/${name}`);

/** What writes people's data or secrets to a file of the shell's user. */
const WRITES = /pg_dump|pg_basebackup|pg_dumpall|\/export\b.*>|> \S+\.(dump|tgz|sql|json|csv|key|pem)\b/;

const blocksOf = (page: string) => Array.from(read(page).matchAll(/^ *```sh\n([^]*?)^ *```/gm), ([, block]) => block!);
const isPrivate = (block: string) =>
  block.startsWith('umask 077') ||
  block.split('\n').every((line) => !WRITES.test(line) || line.trim().startsWith('(umask 077 && '));

describe('commands of the guide that write data', () => {
  it('let only their user read the files', () => {
    const writing = PAGES.flatMap((page) => blocksOf(page).filter((block) => WRITES.test(block)));
    expect(writing.length).toBeGreaterThanOrEqual(7);
    expect(writing.filter((block) => !isPrivate(block))).toEqual([]);
  });

  it('with Docker Compose, files are backed up after the database, and restored with it', () => {
    const blocks = PAGES.flatMap(blocksOf);
    const dumps = blocks.filter((block) => block.includes('docker compose exec -T postgres pg_dump'));
    expect(dumps.length).toBeGreaterThanOrEqual(3);
    for (const block of dumps)
      expect(block).toMatch(/pg_dump[^]+exec -T parley tar -C \/var\/lib\/parley -czf - files > \S+\.tgz/);
    const restores = blocks.filter((block) => block.includes('docker compose exec -T postgres pg_restore'));
    expect(restores).toHaveLength(1);
    expect(restores[0]).toMatch(/pg_restore[^]+run .*parley tar -C \/var\/lib\/parley -xzf - < \S+\.tgz[^]+up -d\n$/);
  });

  it('the archive of the log belongs to PostgreSQL, which runs its command with umask 077', () => {
    const [, settings] = /```ini\n([^]*?archive_command[^]*?)```/.exec(read('docs/operate/backup.md'))!;
    expect(settings).toMatch(/umask 077.*install -d -m 700 -o postgres/);
  });
});
