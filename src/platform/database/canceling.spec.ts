import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';

const SOURCES = new URL('../../', import.meta.url);
/** What cancels a statement or ends its process: by SQL, or by node-postgres. Advice for people isn't what the service does. */
const CANCELS = /pg_(?:cancel|terminate)_backend|CancelRequest|\.cancel\(\s*(?:this\.)?(?:client|pool|query)/;
const ADVICE = /\b(?:SELECT pg_terminate_backend\((?:pid|\$\{pid\})\))/g;

/**
 * A statement that's canceled while its commit waits for the standby is stored on the primary only, and PostgreSQL reports success.
 * `statement_timeout` is no danger: PostgreSQL ends it before the commit.
 */
describe('canceling statements', () => {
  it('the service never cancels a statement in the database', () => {
    const names = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
    const code = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'));
    expect(code.length).toBeGreaterThan(100);
    expect(
      code.filter((name) => CANCELS.test(readFileSync(new URL(name, SOURCES), 'utf8').replaceAll(ADVICE, ''))),
    ).toEqual([]);
  });
});
