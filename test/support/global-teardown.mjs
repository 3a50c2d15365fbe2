import { rmSync } from 'node:fs';

export default async function tearDown() {
  const { postgres, directory } = globalThis.testPostgres ?? {};
  globalThis.testPostgres = undefined;
  await postgres?.stop();
  if (directory) rmSync(directory, { recursive: true, force: true });
}
