import { Global, Module } from '@nestjs/common';
import { NodeMetrics } from './node-metrics.js';
import { OtherNodes } from './other-nodes.js';

/** Messages between the nodes of an installation. Global, because several features publish to other nodes. */
@Global()
@Module({ providers: [NodeMetrics, OtherNodes], exports: [OtherNodes] })
export class ClusterModule {}
