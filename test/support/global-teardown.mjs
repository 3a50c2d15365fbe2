import { rmSync } from 'node:fs';

export default async function tearDown() {
  if (!globalThis.testPostgres) return;
  await globalThis.testPostgres.postgres.stop();
  rmSync(globalThis.testPostgres.directory, { recursive: true, force: true });
}
