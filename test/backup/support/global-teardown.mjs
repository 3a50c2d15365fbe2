import { rmSync } from 'node:fs';

export default function tearDown() {
  globalThis.backupPostgres.stop();
  rmSync(globalThis.backupPostgres.directory, { recursive: true, force: true });
}
