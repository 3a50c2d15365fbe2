import { Column, Entity, Index } from 'typeorm';
import { CodeColumn, KeyColumn, TimeColumn } from '../../platform/database/columns.js';
import type { ActorType } from '../context/request-context.js';
import type { EntryDetails, InstallationAction } from './installation-action.js';

/** A line of the installation's audit log. It names organizations and operators by id, and stays when they're removed. */
@Entity('installation_entries')
@Index('ix_installation_entries_at', ['at'])
@Index('ix_installation_entries_target', ['target', 'id'])
export class InstallationEntry {
  @KeyColumn('pk_installation_entries')
  id!: string;

  @TimeColumn('at')
  at!: Date;

  @CodeColumn('actor_type')
  actorType!: ActorType;

  @CodeColumn('actor_id', { nullable: true })
  actorId!: string | null;

  /** The actor's name at that time. */
  @Column({ name: 'actor_name', type: 'text', nullable: true })
  actorName!: string | null;

  @CodeColumn()
  action!: InstallationAction;

  /** The id of the organization or the operator. */
  @CodeColumn()
  target!: string;

  /** Its name at that time. */
  @Column({ name: 'target_name', type: 'text', nullable: true })
  targetName!: string | null;

  @Column({ type: 'jsonb', nullable: true })
  details!: EntryDetails | null;
}
