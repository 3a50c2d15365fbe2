// Writes the OpenAPI documents of the built service as dist/openapi/NAME.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeDocuments } from './documents.mjs';

const output = resolve(import.meta.dirname, '../../dist/openapi');
mkdirSync(output, { recursive: true });
for (const [name, document] of await makeDocuments()) {
  writeFileSync(join(output, `${name}.json`), `${JSON.stringify(document, null, 2)}\n`);
}
process.exit();
