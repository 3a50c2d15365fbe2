import { describe, expect, it } from '@jest/globals';
import { hasServer, tryDatabase } from './odd/odd-database.js';
import { ODD_DATABASES } from './odd/odd-databases.js';

describe('a database that is not as Parley makes it', () => {
  it.each(ODD_DATABASES)('$name: Parley does everything right, or does not start and says why', async (odd) => {
    if (!(await hasServer(odd))) return;
    const said = await tryDatabase(odd);
    expect(said).toMatch(odd.expect === 'works' ? /^works$/ : odd.expect);
  });
});
