import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { Config } from './config.js';
import { DomainEventBus } from './domain-events.js';
import { HttpMetrics } from './http-metrics.js';
import { Lifecycle } from './lifecycle.js';
import { Meters } from './meters.js';
import { QueueDepths } from './queue-depths.js';
import { UnsentBytes } from './unsent-bytes.js';

/** The injection token of the root logger. */
export const LOGGER = Symbol('pino logger');

/** What every feature may use. */
@Global()
@Module({})
export class CommonModule {
  static with(config: Config, logger: Logger): DynamicModule {
    return {
      module: CommonModule,
      providers: [
        { provide: Config, useValue: config },
        { provide: LOGGER, useValue: logger },
        DomainEventBus,
        HttpMetrics,
        Lifecycle,
        Meters,
        QueueDepths,
        UnsentBytes,
        // One of its own for each service, so that several fit in a process.
        { provide: Registry, useFactory: () => new Registry() },
      ],
      exports: [Config, LOGGER, DomainEventBus, HttpMetrics, Lifecycle, Meters, QueueDepths, Registry, UnsentBytes],
    };
  }
}
