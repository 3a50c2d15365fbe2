import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { Parley } from '../support/parley.js';

const PAGE = readFileSync(new URL('../../docs/operate/command-line.md', import.meta.url), 'utf8');

describe('samples of the command line in the guide', () => {
  let parley: Parley;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());

  it('a new organization has the fields of the sample, in their order', async () => {
    const { body } = await parley.admin.post('', { name: 'Acme' }).expect(201);
    const [, sample] = /^\$ npx parley organization create --name Acme\n([^]*?)^keep identitySecret/m.exec(PAGE)!;
    const { identitySecret: _, ...plain } = body;
    const fields = sample!
      .trim()
      .split('\n')
      .map((line) => line.split(/[ .]/)[0]);
    expect([...new Set(fields)]).toEqual([...Object.keys(plain), 'identitySecret']);
  });
});
