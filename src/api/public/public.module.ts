import { Module } from '@nestjs/common';
import { ContinueController } from './continue/continue.controller.js';
import { ConsoleController } from './console/console.controller.js';
import { ConsoleFiles } from './console/console-files.js';
import { DemoModule } from './demo/demo.module.js';
import { DocsController } from './docs/docs.controller.js';
import { DocsBuild } from './docs/docs-build.js';
import { DocsFiles } from './docs/docs-files.js';
import { HealthController } from './health/health.controller.js';
import { HealthMetrics } from './health/health-metrics.js';
import { HealthService } from './health/health.service.js';
import { AdminTokenGuard } from './health/admin-token.guard.js';
import { NodeReports } from './health/node-report.js';
import { WriteFaults } from './health/write-faults.js';
import { MainPath } from './health/main-path.js';
import { MetricsGuard } from './health/metrics.guard.js';
import { MetricsText } from './health/metrics-text.js';
import { SdkController } from './sdk/sdk.controller.js';
import { InboundController, InboundTokenGuard } from './mail/inbound.controller.js';
import { UnsubscribeController } from './mail/unsubscribe.controller.js';
import { TestChatController } from './widget/test-chat.controller.js';
import { FilesController } from './files/files.controller.js';
import { MailModule } from '../../mail/mail.module.js';
import { FilesModule } from '../../files/files.module.js';
import { WidgetController } from './widget/widget.controller.js';
import { WidgetFiles } from './widget/widget-files.js';

/** The public endpoints: health and metrics, the widget, the console, the packages of clients, the documentation, the demo. */
@Module({
  imports: [DemoModule, FilesModule, MailModule],
  controllers: [
    ContinueController,
    ConsoleController,
    DocsController,
    FilesController,
    HealthController,
    InboundController,
    SdkController,
    TestChatController,
    UnsubscribeController,
    WidgetController,
  ],
  providers: [
    ConsoleFiles,
    DocsBuild,
    DocsFiles,
    HealthMetrics,
    HealthService,
    MainPath,
    MetricsGuard,
    MetricsText,
    WidgetFiles,
    AdminTokenGuard,
    InboundTokenGuard,
    NodeReports,
    WriteFaults,
  ],
})
export class PublicModule {}
