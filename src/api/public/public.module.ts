import { Module } from '@nestjs/common';
import { DemoModule } from './demo/demo.module.js';
import { HealthModule } from './health/health.module.js';
import { WidgetModule } from './widget/widget.module.js';

/** The public endpoints: health and metrics, the widget, the demo. */
@Module({
  imports: [DemoModule, HealthModule, WidgetModule],
})
export class PublicModule {}
