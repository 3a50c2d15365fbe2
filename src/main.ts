import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Server } from 'node:http';
import { MainPath } from './api/public/health/main-path.js';
import { printStartup } from './api/public/startup-message.js';
import { AppModule } from './app.module.js';
import { APP_OPTIONS, configureApp } from './app.setup.js';
import { type Config, ConfigError, loadConfig } from './platform/config/config.js';
import { Lifecycle } from './platform/http/server/lifecycle.js';
import { startEmbeddedPostgres } from './platform/database/embedded-postgres.js';
import { DatabaseError } from './platform/database/database-error.js';
import { OtherKeyError } from './platform/database/key/key-check.js';
import { removeNewSecrets } from './platform/config/local-secrets.js';
import { migrate } from './platform/database/migrate.js';
import { MigrationProgress } from './platform/database/migrating/migration-progress.js';
import { StartingServer } from './platform/http/responses/starting-server.js';
import { createLogger } from './platform/telemetry/logging.js';
import { HttpAdapter } from './platform/http/server/http.adapter.js';
import { Connections, Shutdown } from './platform/http/server/shutdown.js';

const shutdown = new Shutdown().listen();

async function main(): Promise<void> {
  const config = loadConfig();
  const databaseUrl = config.DATABASE_URL ?? (await openEmbeddedPostgres(config));
  const { starting, faults } = await migrateDatabase(config, databaseUrl);
  const module = AppModule.with(config, databaseUrl);
  const app = configureApp(await NestFactory.create<NestExpressApplication>(module, new HttpAdapter(), APP_OPTIONS));
  const connections = new Connections(app.getHttpServer() as Server);
  shutdown.add(() => close(app, connections));
  const logger = new Logger('Database');
  for (const { problem, remedy } of faults) logger.warn(`${problem}; ${remedy}`);
  await app.get(MainPath).prove();
  await starting.close();
  await app.listen(config.PORT, config.HOST).catch(explainListen(config));
  await printStartup(app, config);
}

/** Migrates the database, while a server answers health checks. Returns that server, which runs until the service listens, and what isn't right. */
async function migrateDatabase(config: Config, url: string) {
  const logger = createLogger(config).child({ context: 'Database' });
  const starting: StartingServer = new StartingServer(config, () => progress.summary);
  const progress = new MigrationProgress(
    (line) => logger.info(line),
    () => starting.listen(),
  );
  const { DATABASE_POOL_SIZE: poolSize, MIGRATION_WAIT_MINUTES: minutes } = config;
  const faults = await migrate(url, { poolSize, keys: config, indexWait: minutes * 60_000, progress });
  return { starting, faults };
}

async function openEmbeddedPostgres(config: Config): Promise<string> {
  const starting = startEmbeddedPostgres(config.DATA_DIR);
  shutdown.add(async () => (await starting.catch(() => undefined))?.stop());
  return (await starting).url;
}

async function close(app: NestExpressApplication, connections: Connections): Promise<void> {
  const startedAt = performance.now();
  const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(1);
  app.get(Lifecycle).drain();
  await connections.drain();
  const drained = seconds();
  await app.close();
  new Logger('Shutdown').log(`stopped after ${seconds()} s; requests and connections took ${drained} s of them`);
}

function explainListen({ HOST, PORT }: Config): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.code === 'EADDRINUSE') throw new ConfigError(`PORT ${PORT} is in use on ${HOST}; set PORT to another`);
    if (error.code === 'EACCES')
      throw new ConfigError(`PORT ${PORT} may not be used by this user; set PORT to another`);
    if (error.syscall) throw new ConfigError(`HOST ${HOST} cannot be listened on: ${error.code}`);
    throw error;
  };
}

main().catch((error: unknown) => {
  // A key that was generated for another key's database must not stay.
  if (error instanceof OtherKeyError) removeNewSecrets();
  const isExpected = error instanceof ConfigError || error instanceof DatabaseError;
  console.error(isExpected ? `Parley cannot start: ${error.message}` : error);
  void shutdown.exit(1);
});
