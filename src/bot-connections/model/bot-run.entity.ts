import { Column, Entity, Index, ManyToOne } from 'typeorm';
import { CodeColumn, JoinInOrganization, KeyColumn, TimeColumn } from '../../platform/database/columns.js';
import { BotTurn } from './bot-turn.entity.js';
import type { FailureCode, RunOutcome, Usage } from './turn.js';

/** A request to an endpoint: one try of a turn's step. */
@Entity('bot_runs')
@Index('ix_bot_runs_turn', ['organizationId', 'turnId'])
export class BotRun {
  @KeyColumn('pk_bot_runs', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_bot_runs')
  id!: string;

  @CodeColumn('turn_id')
  turnId!: string;

  @Column('integer')
  step!: number;

  @Column('integer')
  try!: number;

  /** Null while it's running. */
  @CodeColumn('outcome', { nullable: true })
  outcome!: RunOutcome | null;

  @CodeColumn('code', { nullable: true })
  code!: FailureCode | null;

  /** For administrators, without secrets. */
  @Column({ type: 'text', nullable: true })
  detail!: string | null;

  @Column({ name: 'http_status', type: 'integer', nullable: true })
  httpStatus!: number | null;

  @Column({ name: 'protocol_version', type: 'text', nullable: true })
  protocolVersion!: string | null;

  @TimeColumn('started_at')
  startedAt!: Date;

  @Column({ name: 'duration_ms', type: 'integer', nullable: true })
  durationMs!: number | null;

  @Column({ name: 'first_token_ms', type: 'integer', nullable: true })
  firstTokenMs!: number | null;

  @Column({ type: 'integer', nullable: true })
  bytes!: number | null;

  @Column({ type: 'jsonb', nullable: true })
  usage!: Usage | null;

  @Column({ type: 'jsonb', nullable: true })
  warnings!: string[] | null;

  @ManyToOne(() => BotTurn, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_bot_runs_turn', 'turn_id')
  turn?: BotTurn;
}
