import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { existsSync, readFileSync } from 'node:fs';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import { HealthService } from './health.service.js';

// package.json, seen from the built service or from the sources.
const PACKAGES = ['../../../../../package.json', '../../../../package.json'].map(
  (path) => new URL(path, import.meta.url),
);

/** Metrics of the process, and whether it is ready. */
@Injectable()
export class HealthMetrics {
  constructor(health: HealthService, registry: Registry, metrics: Metrics) {
    collectDefaultMetrics({ register: registry });
    metrics.info('parley_build_info', { version: readVersion(), node: process.version });
    metrics.gauge('parley_ready', () =>
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
