// Writes the OpenAPI documents of the built service as dist/openapi/NAME.json. It doesn't connect to anything,
// because in `preview` Nest only reads the classes.
import { NestFactory } from '@nestjs/core';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const output = join(root, 'dist/openapi');
const { AppModule } = await import(join(root, 'dist/src/app.module.js'));
const { DOCUMENTS } = await import(join(root, 'dist/src/app.setup.js'));
const { createDocument } = await import(join(root, 'dist/src/api/document.js'));
const { loadConfig } = await import(join(root, 'dist/src/platform/config/config.js'));

const NOWHERE = 'postgres://localhost/none';
const config = loadConfig({ DATABASE_URL: NOWHERE, ADMIN_TOKEN: 'not-used', SECRET_KEY: 'not-used', DEMO: '0' });
const app = await NestFactory.create(AppModule.with(config, NOWHERE), {
  preview: true,
  abortOnError: false,
  logger: ['error'],
});
mkdirSync(output, { recursive: true });
for (const document of DOCUMENTS) {
  const name = document.prefix.split('/')[2];
  writeFileSync(join(output, `${name}.json`), `${JSON.stringify(createDocument(app, document), null, 2)}\n`);
}
process.exit();
