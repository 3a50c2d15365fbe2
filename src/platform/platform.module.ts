import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { Config } from './config/config.js';
import { DomainEventBus } from './database/domain-events.js';
import { ClosedConnections } from './http/server/closed-connections.js';
import { HttpMetrics } from './http/responses/http-metrics.js';
import { Lifecycle } from './http/server/lifecycle.js';
import { AddressGuard } from './outbound/address-guard.js';
import { Metrics } from './telemetry/metrics.js';
import { PublicLog } from './telemetry/public-log.js';
import { QueueDepths } from './telemetry/queue-depths.js';
import { UnsentBytes } from './http/server/unsent-bytes.js';

/** The injection token of the root logger. */
export const LOGGER = Symbol('pino logger');

/** The services that every feature may use. */
@Global()
@Module({})
export class PlatformModule {
  static with(config: Config, logger: Logger): DynamicModule {
    return {
      module: PlatformModule,
      providers: [
        { provide: Config, useValue: config },
        { provide: LOGGER, useValue: logger },
        AddressGuard,
        ClosedConnections,
        DomainEventBus,
        HttpMetrics,
        Lifecycle,
        Metrics,
        PublicLog,
        QueueDepths,
        UnsentBytes,
        // Each service instance has its own registry, so that one process can run several.
        { provide: Registry, useFactory: () => new Registry() },
      ],
      exports: [
        AddressGuard,
        ClosedConnections,
        Config,
        LOGGER,
        DomainEventBus,
        HttpMetrics,
        Lifecycle,
        Metrics,
        PublicLog,
        QueueDepths,
        Registry,
        UnsentBytes,
      ],
    };
  }
}
