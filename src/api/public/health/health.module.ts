import { Module } from '@nestjs/common';
import { HealthMetrics } from './health-metrics.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { MetricsText } from './metrics-text.js';
import { MetricsGuard } from './metrics.guard.js';

@Module({
  controllers: [HealthController],
  providers: [HealthMetrics, HealthService, MetricsGuard, MetricsText],
})
export class HealthModule {}
