import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Field, type Noun, pluralOf } from '../../src/cli/noun.js';
import { NOUNS } from '../../src/cli/nouns.js';
import { OpenApi } from '../support/openapi.js';
import { Parley } from '../support/parley.js';

const ROOT = '/api/admin/organizations';
const PAGING = ['cursor', 'limit'];

/** The path of a noun's list in the OpenAPI document, and of one item. */
function pathsOf(noun: Noun): [list: string, one: string] {
  const item = `{${noun.name}Id}`;
  if (noun.name === 'organization') return [ROOT, `${ROOT}/${item}`];
  const name = noun.path ?? pluralOf(noun);
  if (noun.isOfInstallation) return [`/api/admin/${name}`, `/api/admin/${name}/${item}`];
  const above = noun.parent ? `/${noun.parent}s/{${noun.parent}Id}` : '';
  const list = `${ROOT}/{organizationId}${above}/${name}`;
  return [list, noun.isSingle ? list : `${list}/${item}`];
}

const sorted = (names: string[]) => [...new Set(names)].toSorted();
const namesOf = (fields: readonly Field[] = []) => fields.map(({ field }) => field);

describe('command-line options', () => {
  let parley: Parley;
  let document: any;

  beforeAll(async () => {
    parley = await Parley.start();
    ({ document } = await OpenApi.read(parley.url, '/api/admin/docs'));
  });
  afterAll(() => parley.stop());

  const resolve = (schema: any): any => {
    const { $ref } = schema.allOf?.[0] ?? schema;
    return $ref ? document.components.schemas[$ref.split('/').at(-1)] : schema;
  };
  const fieldsOf = (schema: any): string[] =>
    Object.entries<any>(resolve(schema).properties).flatMap(([name, value]) => {
      const { properties } = resolve(value);
      return properties ? Object.keys(properties).map((inner) => `${name}.${inner}`) : [name];
    });
  const bodyOf = (path: string, method: string) =>
    fieldsOf(document.paths[path][method].requestBody.content['application/json'].schema);

  it.each(NOUNS)('command-line options match the fields and filters of the admin API: $name', (noun) => {
    const [list, one] = pathsOf(noun);
    const { filters, create, update, actions = [] } = noun;
    const ofVerbs = actions.flatMap(({ path, body }) => (path === '' ? Object.keys(body!) : []));
    if (create) expect(sorted([...namesOf(create), ...ofVerbs])).toEqual(sorted([...bodyOf(list, 'post'), ...ofVerbs]));
    if (update) expect(sorted([...namesOf(update), ...ofVerbs])).toEqual(sorted(bodyOf(one, 'patch')));
    const parameters: any[] = document.paths[list].get.parameters.filter((parameter: any) => parameter.in === 'query');
    const queries = parameters.map(({ name }) => name as string).filter((name) => !PAGING.includes(name));
    expect(sorted(namesOf(filters))).toEqual(sorted(queries));
  });
});
