import { Injectable } from '@nestjs/common';
import { OtherNodes, type RedisState } from '../../../platform/cluster/other-nodes.js';
import { remedyOf, textOf } from '../../../platform/database/faults/cause.js';
import { FaultLog, type RecentCause } from '../../../platform/database/faults/fault-log.js';
import { type WriteFault, WriteFaults } from './write-faults.js';

interface Explained {
  /** What's wrong, in words. */
  text: string;
  /** What an operator does about it. */
  remedy: string;
}

/** What a node sees of its installation. */
export interface NodeReport {
  /** What keeps writes from working, and since when; null while they work. */
  writes: (WriteFault & Explained) | null;
  /** Null without REDIS_URL. */
  redis: RedisState | null;
  /** Why requests and tasks failed within the last hour, at most 20 causes, the latest first. */
  causes: (RecentCause & Explained)[];
}

/** Shows an operator what this node knows, without a query: it works while the database doesn't. */
@Injectable()
export class NodeReports {
  constructor(
    private readonly writes: WriteFaults,
    private readonly nodes: OtherNodes,
    private readonly faults: FaultLog,
  ) {}

  read(): NodeReport {
    const { current } = this.writes;
    return {
      writes: current && { ...current, text: textOf(current.cause), remedy: remedyOf(current.cause) },
      redis: this.nodes.redis,
      causes: this.faults.recent.map((cause) => ({ ...cause, text: textOf(cause), remedy: remedyOf(cause) })),
    };
  }
}
