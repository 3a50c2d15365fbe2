import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const inRepository = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** A copy of an example's folder, with the SDK installed as users install it. */
export class Example {
  private constructor(readonly folder: string) {}

  /** @param packages linked from the repository, in the place of an installation */
  static install(name: string, sdkName = 'parley-bot', packages: readonly string[] = []): Example {
    const folder = mkdtempSync(join(tmpdir(), 'parley-example-'));
    cpSync(inRepository(`examples/${name}`), folder, { recursive: true });
    const sdk = join(folder, 'node_modules', sdkName);
    mkdirSync(sdk, { recursive: true });
    execFileSync('tar', ['-xzf', inRepository(`dist/sdk/${sdkName}.tgz`), '--strip-components=1', '-C', sdk]);
    for (const linked of packages)
      symlinkSync(inRepository(`node_modules/${linked}`), join(folder, 'node_modules', linked), 'junction');
    return new Example(folder);
  }

  file(name: string): string {
    return join(this.folder, name);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
