import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { BUILD } from '../../../platform/telemetry/build.js';
import { Config } from '../../../platform/config/config.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import { HealthService } from './health.service.js';

/** Metrics of the process, and whether it is ready. */
@Injectable()
export class HealthMetrics {
  constructor(health: HealthService, registry: Registry, metrics: Metrics, config: Config) {
    collectDefaultMetrics({ register: registry });
    metrics.info('parley_build_info', { ...BUILD, node: process.version });
    metrics.gauge('parley_drill', () => (config.DRILL ? 1 : 0));
    metrics.gauge('parley_ready', () =>
      health.checkReady().then(
        () => 1,
        () => 0,
      ),
    );
  }
}
