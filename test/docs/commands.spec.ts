import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PLACES = ['README.md', 'CONTRIBUTING.md', 'docs', 'examples', 'ops', 'docker', 'bench/README.md', '.env.example'];
const TEXT = /\.(?:md|ya?ml|mjs|conf|example)$|^docker\/bin\//;
/** The line that the start prints. Its token is for a demo that only this machine can reach. */
const PRINTED = "curl -X POST http://127.0.0.1:3000/api/bot/messages -H 'Authorization: Bearer prl_pat_…'";

// Every user of the machine can read a running command's arguments, with shell variables expanded.
const FORBIDDEN: readonly RegExp[] = [
  /\b(?:curl|wget)\b.*Bearer (?:"?\$|prl_|whsec_)/,
  /\bcurl\b.* (?:-u|--user|--oauth2-bearer)\b/,
  /\b(?:psql|pg_dump|pg_restore|pg_basebackup|createdb|dropdb)\b.*(?:\$\{?\w*URL|postgres(?:ql)?:\/\/[^ ]*:[^ ]*@)/,
  /\b(?:psql|pg_dump)\b.*PASSWORD '/i,
  /\bredis-cli\b.* (?:-a|--pass|-u)\b/,
  /\bdocker\b.* (?:-e|--env|--build-arg)[ =]\w*(?:TOKEN|KEY|PASSWORD|SECRET)\w*=/,
  / --(?:admin-|access-)?(?:token|password|secret|secret-key)[ =][^ `|,]/,
  /\b(?:echo|printf)\b.*\$\w*(?:TOKEN|KEY|PASSWORD|SECRET).*\| *(?:xargs|sudo)\b/,
];

/** docker-compose 1.29 gives `exec` a terminal without -T: a dump gets CR LF instead of LF, and under cron it fails. */
const WITH_TERMINAL = /\bdocker[ -]compose\b[^`]*\bexec\b(?! -T\b)[^`]* [|<>]/;

function filesIn(place: string): string[] {
  if (/\.\w+$/.test(place)) return [place];
  const names = readdirSync(`${ROOT}/${place}`, { recursive: true, encoding: 'utf8' });
  return names.map((name) => `${place}/${name}`).filter((name) => TEXT.test(name) && !name.includes('node_modules'));
}

/** A text's lines, with a line that ends in a backslash joined to the next. */
function linesOf(text: string): string[] {
  return text.replaceAll(/\\\n/g, ' ').split('\n');
}

const findIn = (text: string, patterns = FORBIDDEN) =>
  linesOf(text)
    .filter((line) => !line.startsWith(PRINTED))
    .filter((line) => patterns.some((pattern) => pattern.test(line)));

describe('commands in the documentation', () => {
  it.each(PLACES.flatMap(filesIn))('commands show no secret in the list of processes: %s', (file) => {
    expect(findIn(readFileSync(`${ROOT}/${file}`, 'utf8'))).toEqual([]);
  });

  it.each(PLACES.flatMap(filesIn))("commands redirect no container's terminal: %s", (file) => {
    expect(findIn(readFileSync(`${ROOT}/${file}`, 'utf8'), [WITH_TERMINAL])).toEqual([]);
  });

  it.each([
    'curl -H "Authorization: Bearer $ADMIN_TOKEN" http://127.0.0.1:3000',
    "curl http://x \\\n  -H 'Authorization: Bearer prl_pat_1'",
    'curl -u admin:$PASSWORD http://x',
    'pg_dump --file=x "$DATABASE_URL"',
    'psql postgres://me:hush@host/x',
    `psql -c "ALTER ROLE parley PASSWORD 'new'"`,
    'redis-cli -a hush ping',
    'docker run -e ADMIN_TOKEN=hush parley',
    'parley --token hush organization list',
  ])('the check finds a bad command: %s', (command) => {
    expect(findIn(command)).toHaveLength(1);
  });
});
