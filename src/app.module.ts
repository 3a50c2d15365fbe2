import { type DynamicModule, Module } from '@nestjs/common';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { LoggerModule } from 'nestjs-pino';
import { AdminApiModule } from './api/admin/admin-api.module.js';
import { AgentApiModule } from './api/agent/agent-api.module.js';
import { BotApiModule } from './api/bot/bot-api.module.js';
import { PublicModule } from './api/public/public.module.js';
import { VisitorApiModule } from './api/visitor/visitor-api.module.js';
import { AuthModule } from './auth/auth.module.js';
import { BotSilenceModule } from './bot-silence/bot-silence.module.js';
import { ChangesModule } from './changes/changes.module.js';
import { PlatformModule } from './platform/platform.module.js';
import type { Config } from './platform/config/config.js';
import { createLogger, loggingParams } from './platform/telemetry/logging.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { FaultLog } from './platform/database/faults/fault-log.js';
import { ClusterModule } from './platform/cluster/cluster.module.js';

/** The root module: all features on one database. */
@Module({})
export class AppModule {
  static with(config: Config, databaseUrl: string): DynamicModule {
    const faults = new FaultLog();
    const logger = createLogger(config, (fields, message) => faults.admits(fields, message));
    return {
      module: AppModule,
      imports: [
        PlatformModule.with(config, logger),
        DatabaseModule.connect(databaseUrl, config.DATABASE_POOL_SIZE, faults),
        EventEmitterModule.forRoot(),
        LoggerModule.forRoot(loggingParams(logger)),
        ClusterModule,
        AuthModule,
        ChangesModule,
        BotSilenceModule,
        BotApiModule,
        VisitorApiModule,
        AdminApiModule,
        AgentApiModule,
        PublicModule,
      ],
    };
  }
}
