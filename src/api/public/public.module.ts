import { Module } from '@nestjs/common';
import { DemoModule } from './demo/demo.module.js';
import { HealthModule } from './health/health.module.js';
import { WidgetModule } from './widget/widget.module.js';

/** What anybody may ask for: health and metrics, the widget, the demo. */
@Module({
  imports: [DemoModule, HealthModule, WidgetModule],
})
export class PublicModule {}
