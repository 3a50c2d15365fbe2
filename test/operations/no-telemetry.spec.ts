import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const SCRIPT = join(process.cwd(), 'node_modules', '@scarf', 'scarf', 'report.js');

/** The install script of `@scarf/scarf`, a dependency of swagger-ui-dist; npm 10 runs it. */
interface Report {
  getDependencyInfo: () => Promise<unknown>;
  reportPostInstall: () => Promise<unknown>;
}

describe('installing', () => {
  it('installing reports nothing to the makers of a dependency', async () => {
    // No process listens on this port: a report would fail, and reach no one.
    process.env.SCARF_LOCAL_PORT = '9';
    const report = require(SCRIPT) as Report;
    const parent = { name: 'swagger-ui-dist', version: '5.0.0', scarfSettings: { defaultOptIn: true } };
    const rootPackage: unknown = JSON.parse(readFileSync('package.json', 'utf8'));
    report.getDependencyInfo = async () => ({ scarf: { name: '@scarf/scarf', version: '1' }, parent, rootPackage });
    await expect(report.reportPostInstall()).rejects.toThrow(/opted out/);
  });
});
