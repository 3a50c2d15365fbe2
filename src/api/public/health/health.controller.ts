import { Controller, Get, Header, UseGuards } from '@nestjs/common';
import { Registry } from 'prom-client';
import { HealthService, type Readiness } from './health.service.js';
import { AdminTokenGuard } from './admin-token.guard.js';
import { type NodeReport, NodeReports } from './node-report.js';
import { MetricsText } from './metrics-text.js';
import { MetricsGuard } from './metrics.guard.js';

@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthService,
    private readonly text: MetricsText,
    private readonly reports: NodeReports,
  ) {}

  /** Answers whenever the process runs. */
  @Get('health/live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** Answers 200 when the database answers, its schema is up to date, and the process is not shutting down. */
  @Get('health/ready')
  ready(): Promise<Readiness> {
    return this.health.checkReady();
  }

  /** What this node sees of its database and of Redis, and why requests failed. */
  @Get('health/node')
  @UseGuards(AdminTokenGuard)
  @Header('Cache-Control', 'no-store')
  node(): NodeReport {
    return this.reports.read();
  }

  @Get('metrics')
  @UseGuards(MetricsGuard)
  @Header('Content-Type', Registry.PROMETHEUS_CONTENT_TYPE)
  metrics(): Promise<string> {
    return this.text.read();
  }
}
