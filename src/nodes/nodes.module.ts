import { Global, Module } from '@nestjs/common';
import { OtherNodes } from './other-nodes.js';

/** The way to the other nodes. Global, because several features tell them something. */
@Global()
@Module({ providers: [OtherNodes], exports: [OtherNodes] })
export class NodesModule {}
