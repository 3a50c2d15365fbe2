import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { KeyRetention } from './key-retention.js';

/** Keys of retried requests, and their first results. */
@Module({ imports: [TypeOrmModule.forFeature([IdempotencyKey])], providers: [KeyRetention] })
export class IdempotencyModule {}
