import { Module } from '@nestjs/common';
import { ConsoleModule } from './console/console.module.js';
import { DemoModule } from './demo/demo.module.js';
import { HealthModule } from './health/health.module.js';
import { SdkModule } from './sdk/sdk.module.js';
import { WidgetModule } from './widget/widget.module.js';

/** The public endpoints: health and metrics, the widget, the page of links to sign in, the packages, the demo. */
@Module({
  imports: [ConsoleModule, DemoModule, HealthModule, SdkModule, WidgetModule],
})
export class PublicModule {}
