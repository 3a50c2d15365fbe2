import { type DynamicModule, Module } from '@nestjs/common';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { LoggerModule } from 'nestjs-pino';
import { AdminModule } from './admin/admin.module.js';
import { AuthModule } from './auth/auth.module.js';
import { CommonModule } from './common/common.module.js';
import type { Config } from './common/config.js';
import { createLogger, loggingParams } from './common/logging.js';
import { PrivacyModule } from './privacy/privacy.module.js';
import { DatabaseModule } from './database/database.module.js';
import { DemoModule } from './demo/demo.module.js';
import { GroupsModule } from './groups/groups.module.js';
import { HealthModule } from './health/health.module.js';
import { MessagesModule } from './messages/messages.module.js';
import { NodesModule } from './nodes/nodes.module.js';
import { TransferModule } from './transfer/transfer.module.js';
import { VisitorsModule } from './visitors/visitors.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';
import { WidgetModule } from './widget/widget.module.js';

/** The service: every feature on one database. */
@Module({})
export class AppModule {
  static with(config: Config, databaseUrl: string): DynamicModule {
    const logger = createLogger(config);
    return {
      module: AppModule,
      imports: [
        CommonModule.with(config, logger),
        DatabaseModule.connect(databaseUrl, config.DATABASE_POOL_SIZE),
        EventEmitterModule.forRoot(),
        LoggerModule.forRoot(loggingParams(logger)),
        NodesModule,
        AuthModule,
        GroupsModule,
        MessagesModule,
        TransferModule,
        VisitorsModule,
        WebhooksModule,
        AdminModule,
        PrivacyModule,
        HealthModule,
        DemoModule,
        WidgetModule,
      ],
    };
  }
}
