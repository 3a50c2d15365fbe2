import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { KeyWatch } from './key-watch.js';
import { Neighbors } from './neighbors.js';
import { NodeMetrics } from './node-metrics.js';
import { OtherNodes } from './other-nodes.js';
import { SchemaRelease } from './schema-release.entity.js';
import { SecretsService } from './secrets.service.js';
import { SecretKeyCheck } from './secret-key-check.entity.js';
import { ServiceNode } from './service-node.entity.js';
import { ThisNode } from './this-node.js';

/** Messages between the nodes of an installation. Global, because several features publish to other nodes. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([SchemaRelease, SecretKeyCheck, ServiceNode])],
  providers: [KeyWatch, Neighbors, NodeMetrics, OtherNodes, SecretsService, ThisNode],
  exports: [Neighbors, OtherNodes, SecretsService, ThisNode],
})
export class ClusterModule {}
