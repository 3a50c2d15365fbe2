import { describe, expect, it } from '@jest/globals';
import { hasServer, type OddDatabase, tryDatabase } from './odd-database.js';

/** Tests that Parley does everything right on each database, or doesn't start and says why. */
export function testDatabases(databases: readonly OddDatabase[]): void {
  describe('a database that is not as Parley makes it', () => {
    it.each(databases)('$name: Parley does everything right, or does not start and says why', async (odd) => {
      if (!(await hasServer(odd))) return;
      const said = await tryDatabase(odd);
      expect(said).toMatch(odd.expect === 'works' ? /^works$/ : odd.expect);
    });
  });
}
