import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** As `nest-cli.json` says, which a previous release may not have. */
const SWC_OPTIONS = ['--extensions', '.ts', '--copy-files', '--config-file', join(ROOT, '.swcrc')];
const NEED = `This test builds the commit before the newest migration: run it in a git clone with its whole history (git fetch --unshallow)`;
/** The first commit whose schema is upgraded. */
const FIRST_COMMIT = readFileSync(new URL('../first-commit.txt', import.meta.url), 'utf8').trim();

export interface Previous {
  commit: string;
  /** The number of migrations that it doesn't have. */
  missing: number;
  main: string;
}

/**
 * Builds the last state of the source without the newest migration, or the first commit whose schema is upgraded.
 * @throws Error when git doesn't have it
 */
export function buildPrevious(): Previous {
  const migrations = migrationsOf(readdirSync(join(ROOT, 'migrations')));
  const before = commitBefore(`migrations/${migrations.at(-1)!}`);
  const commit = isAncestor(before, FIRST_COMMIT) ? FIRST_COMMIT : before;
  const known = migrationsOf(git('ls-tree', '--name-only', '-r', commit, 'migrations/').split('migrations/'));
  const directory = mkdtempSync(join(tmpdir(), 'parley-previous-'));
  const archive = execFileSync('git', ['archive', '--format=tar', commit], { cwd: ROOT, maxBuffer: 1 << 29 });
  execFileSync('tar', ['-x', '-C', directory], { input: archive });
  const build = { cwd: directory, encoding: 'utf8' } as const;
  if (lockOf(directory) === lockOf(ROOT)) symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], build);
  execFileSync(join(ROOT, 'node_modules/.bin/swc'), ['src', 'migrations', '--out-dir', 'dist', ...SWC_OPTIONS], build);
  return { commit, missing: migrations.length - known.length, main: join(directory, 'dist/src/main.js') };
}

function lockOf(directory: string): string {
  return readFileSync(join(directory, 'package-lock.json'), 'utf8');
}

function migrationsOf(names: string[]): string[] {
  return names
    .map((name) => name.trim())
    .filter((name) => /^\d+-.*\.ts$/.test(name))
    .sort();
}

function isAncestor(commit: string, of: string): boolean {
  return git('merge-base', commit, of) === git('rev-parse', '--verify', '--quiet', `${commit}^{commit}`);
}

// An uncommitted migration comes after the last commit. In a shallow clone, the first commit seems to have added
// everything, but its predecessor isn't available.
function commitBefore(path: string): string {
  const isWhole = git('rev-parse', '--is-shallow-repository') === 'false';
  const added = git('log', '--diff-filter=A', '--format=%H', '-1', '--', path);
  if (added === '' && isWhole) return git('rev-parse', 'HEAD');
  return git('rev-parse', '--verify', '--quiet', `${added}^{commit}^`);
}

function git(...args: string[]): string {
  try {
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  } catch (cause) {
    throw new Error(NEED, { cause });
  }
}
