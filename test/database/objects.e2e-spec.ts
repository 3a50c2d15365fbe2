import { expect, it } from '@jest/globals';
import { OBJECT_NAMES } from '../../src/platform/database/properties/objects.js';
import { createDatabase, queryOnce } from '../support/database.js';

const NAMES = `
  SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'S')
  UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace`;

it('the start checks the rights to every table, sequence, and function of this release', async () => {
  const database = await createDatabase();
  const names = (await queryOnce<{ name: string }>(database.url, NAMES)).map(({ name }) => name);
  await database.drop();
  const numberOf = (name: string) => Number(/_(\d+)$/.exec(name)?.[1] ?? 0);
  const baseOf = (name: string) => name.replace(/_\d+$/, '');
  // Functions of earlier releases stay for their nodes.
  const isNewest = (name: string) =>
    names.every((other) => baseOf(other) !== baseOf(name) || numberOf(other) <= numberOf(name));
  expect(OBJECT_NAMES.flat().toSorted()).toEqual(names.filter(isNewest).toSorted());
});
