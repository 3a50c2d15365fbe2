import { Column, Entity, ManyToOne } from 'typeorm';
import { CodeColumn, JoinInOrganization, KeyColumn, TimeColumn } from '../../platform/database/columns.js';
import { Receiver } from '../../receivers/receiver.entity.js';
import type { ConnectionKind, ConnectionSettings } from './connection.js';

/** What answers for a bot: an endpoint at an address, or a script. It gets the events of its row in `receivers`. */
@Entity('bot_connections')
export class BotConnection {
  @KeyColumn('pk_bot_connections', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_bot_connections', 'bot_id')
  botId!: string;

  /** The id of its row in `receivers`. */
  @CodeColumn()
  id!: string;

  @CodeColumn()
  kind!: ConnectionKind;

  /** Without the query, which counts as a secret. */
  @Column('text')
  url!: string;

  @Column({ name: 'has_query', type: 'boolean' })
  hasQuery!: boolean;

  @Column({ name: 'has_key', type: 'boolean' })
  hasKey!: boolean;

  @Column({ name: 'header_names', type: 'text', array: true })
  headerNames!: string[];

  /** The query, key, headers, and signing secrets, sealed. */
  @Column({ type: 'bytea' })
  secrets!: Buffer;

  @Column({ type: 'jsonb' })
  settings!: ConnectionSettings;

  @Column({ name: 'is_enabled', type: 'boolean' })
  isEnabled!: boolean;

  @TimeColumn('created_at')
  createdAt!: Date;

  @TimeColumn('last_success_at', { nullable: true })
  lastSuccessAt!: Date | null;

  @TimeColumn('last_failure_at', { nullable: true })
  lastFailureAt!: Date | null;

  @CodeColumn('last_failure_code', { nullable: true })
  lastFailureCode!: string | null;

  /** How many turns in a row failed because the endpoint was down. */
  @Column({ name: 'failures_in_row', type: 'integer', default: 0 })
  failuresInRow!: number;

  @ManyToOne(() => Receiver, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_bot_connections_receiver', 'id')
  receiver?: Receiver;
}
