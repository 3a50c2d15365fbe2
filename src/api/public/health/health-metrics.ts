import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { existsSync, readFileSync } from 'node:fs';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import { HealthService } from './health.service.js';

// Above the built service, or above the sources when they themselves run.
const PACKAGES = ['../../../../../package.json', '../../../../package.json'].map(
  (path) => new URL(path, import.meta.url),
);

/** What operators see of the process itself, and whether it is ready. */
@Injectable()
export class HealthMetrics {
  constructor(health: HealthService, registry: Registry, metrics: Metrics) {
    collectDefaultMetrics({ register: registry });
    const build = 'The version of Parley and of Node that runs; the value is always 1';
    metrics.info('parley_build_info', build, { version: readVersion(), node: process.version });
    metrics.gauge('parley_ready', 'What /health/ready would answer: 1 for 200, 0 for 503', () =>
      health.checkReady().then(
        () => 1,
        () => 0,
      ),
    );
  }
}

function readVersion(): string {
  const file = PACKAGES.find((url) => existsSync(url));
  return file ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : 'unknown';
}
