import { Entity } from 'typeorm';
import { KeyColumn, TimeColumn } from '../database/columns.js';

/** A process of this service. It writes `seen_at` again and again; what hangs on it ends when it is not seen any more. */
@Entity('nodes')
export class ServiceNode {
  @KeyColumn('pk_nodes')
  id!: string;

  @TimeColumn('started_at')
  startedAt!: Date;

  @TimeColumn('seen_at')
  seenAt!: Date;
}
