import { Entity } from 'typeorm';
import { KeyColumn, TimeColumn } from '../database/columns.js';

/** A process of this service. It updates `seen_at` regularly; everything that depends on it ends when the updates stop. */
@Entity('nodes')
export class ServiceNode {
  @KeyColumn('pk_nodes')
  id!: string;

  @TimeColumn('started_at')
  startedAt!: Date;

  @TimeColumn('seen_at')
  seenAt!: Date;
}
