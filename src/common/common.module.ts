import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Config } from './config.js';
import { DomainEventBus } from './domain-events.js';
import { Lifecycle } from './lifecycle.js';

/** What every feature may use. */
@Global()
@Module({})
export class CommonModule {
  static with(config: Config): DynamicModule {
    return {
      module: CommonModule,
      providers: [{ provide: Config, useValue: config }, DomainEventBus, Lifecycle],
      exports: [Config, DomainEventBus, Lifecycle],
    };
  }
}
