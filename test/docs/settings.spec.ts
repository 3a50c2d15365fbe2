import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { VARIABLES } from '../../src/platform/config/variables.js';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
/** The image sets them, and the rest of docker-compose.yml relies on their values. */
const OF_THE_IMAGE = ['NODE_ENV', 'HOST', 'PORT', 'DATA_DIR'];
const SETTINGS = Object.keys(VARIABLES).filter((name) => !OF_THE_IMAGE.includes(name));

const named = (text: string, pattern: RegExp) => [...new Set(Array.from(text.matchAll(pattern), ([, name]) => name!))];

describe('environment variables', () => {
  it("docker-compose.yml passes every variable to the service's container, except the image's own", () => {
    const [, service] = /^ {2}parley:.*\n((?: {4}.*\n|\n)+)/m.exec(read('docker-compose.yml'))!;
    expect(named(service!, /^ {6}(\w+): \$\{\1:-/gm).toSorted()).toEqual(SETTINGS.toSorted());
    const image = named(/^ENV .*$/m.exec(read('Dockerfile'))![0], /(\w+)=/g);
    expect(image).toEqual(expect.arrayContaining(OF_THE_IMAGE));
  });

  it(".env.example has every variable, except the image's own", () => {
    const known = named(read('.env.example'), /^#(\w+)=/gm);
    expect(SETTINGS.filter((name) => !known.includes(name))).toEqual([]);
  });
});
