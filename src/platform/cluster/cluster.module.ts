import { Global, Module } from '@nestjs/common';
import { NodeMetrics } from './node-metrics.js';
import { OtherNodes } from './other-nodes.js';

/** The way to the other nodes. Global, because several features tell them something. */
@Global()
@Module({ providers: [NodeMetrics, OtherNodes], exports: [OtherNodes] })
export class ClusterModule {}
