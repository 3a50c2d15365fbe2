import { NestFactory } from '@nestjs/core';
import { join, resolve } from 'node:path';

const dist = resolve(import.meta.dirname, '../../dist/src');
const NOWHERE = 'postgres://localhost/none';

/**
 * The OpenAPI documents of the built service, as [name, document]. It connects to nothing: Nest only reads the classes (`preview`).
 * The modules hold timers, so a script that calls this has to exit by itself.
 */
export async function makeDocuments() {
  const { AppModule } = await import(join(dist, 'app.module.js'));
  const { DOCUMENTS } = await import(join(dist, 'app.setup.js'));
  const { createDocument } = await import(join(dist, 'api/document.js'));
  const { loadConfig } = await import(join(dist, 'platform/config/config.js'));
  const config = loadConfig({ DATABASE_URL: NOWHERE, ADMIN_TOKEN: 'not-used', SECRET_KEY: 'not-used', DEMO: '0' });
  const app = await NestFactory.create(AppModule.with(config, NOWHERE), {
    preview: true,
    abortOnError: false,
    logger: ['error'],
  });
  return DOCUMENTS.map((document) => [document.prefix.split('/')[2], createDocument(app, document)]);
}
