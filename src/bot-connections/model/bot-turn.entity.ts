import { Check, Column, Entity, Index } from 'typeorm';
import { CodeColumn, KeyColumn, TimeColumn } from '../../platform/database/columns.js';
import type { FailureSettings } from './connection.js';
import type { FailureCode, TurnStatus, Usage } from './turn.js';

const isWaiting = `status = 'WAITING'`;
const isRunning = `status = 'RUNNING'`;

/** The answer of a connected bot to a visitor's messages. */
@Entity('bot_turns')
@Check(
  'ck_bot_turns_status',
  `status IN ('WAITING', 'RUNNING', 'DONE', 'HANDED_OVER', 'INTERRUPTED', 'CANCELLED', 'ABORTED', 'FAILED')`,
)
@Index('ix_bot_turns_waiting', ['dueAt'], { where: isWaiting })
@Index('ix_bot_turns_running', ['leasedUntil'], { where: isRunning })
@Index('uq_bot_turns_running', ['organizationId', 'chatId'], { unique: true, where: isRunning })
@Index('ix_bot_turns_chat', ['organizationId', 'chatId', 'id'])
@Index('ix_bot_turns_bot', ['organizationId', 'botId', 'id'])
@Index('ix_bot_turns_created', ['createdAt'])
export class BotTurn {
  @KeyColumn('pk_bot_turns', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_bot_turns')
  id!: string;

  @CodeColumn('bot_id')
  botId!: string;

  /** Null: the chat was erased or removed. */
  @CodeColumn('chat_id', { nullable: true })
  chatId!: string | null;

  @CodeColumn()
  status!: TurnStatus;

  @CodeColumn('code', { nullable: true })
  code!: FailureCode | null;

  /** The first and the last of the visitor's messages that it answers. */
  @Column({ name: 'first_seq', type: 'integer' })
  firstSeq!: number;

  @Column({ name: 'last_seq', type: 'integer' })
  lastSeq!: number;

  /** When its next run begins. */
  @TimeColumn('due_at')
  dueAt!: Date;

  /** When its first run began. Later messages are for the next turn. */
  @TimeColumn('began_at', { nullable: true })
  beganAt!: Date | null;

  /** The run that may change it. */
  @CodeColumn('run_id', { nullable: true })
  runId!: string | null;

  @TimeColumn('leased_until', { nullable: true })
  leasedUntil!: Date | null;

  @Column({ type: 'integer', default: 1 })
  step!: number;

  /** How many runs of this step have begun. */
  @Column({ type: 'integer', default: 0 })
  tries!: number;

  /** The messages that it has stored, in order. */
  @Column({ name: 'message_ids', type: 'text', array: true, default: [] })
  messageIds!: string[];

  /** The failure settings of a connection that was deleted before the turn's end. */
  @Column({ type: 'jsonb', nullable: true })
  failure!: FailureSettings | null;

  @Column({ type: 'jsonb', nullable: true })
  usage!: Usage | null;

  @Column({ name: 'first_token_ms', type: 'integer', nullable: true })
  firstTokenMs!: number | null;

  /** When the visitor stopped the turn. Its run notices that and ends it. */
  @TimeColumn('stopped_at', { nullable: true })
  stoppedAt!: Date | null;

  /** The turns that it repeats, because the visitor tried again. Its requests leave out their answers. */
  @Column({ type: 'text', array: true, default: [] })
  replaces!: string[];

  @CodeColumn('traceparent', { nullable: true })
  traceparent!: string | null;

  @TimeColumn('created_at')
  createdAt!: Date;

  @TimeColumn('ended_at', { nullable: true })
  endedAt!: Date | null;
}
