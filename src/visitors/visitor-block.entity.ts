import { Column, Entity, ManyToOne } from 'typeorm';
import { CodeColumn, JoinInOrganization, KeyColumn, TimeColumn } from '../platform/database/columns.js';
import { Visitor } from './visitor.entity.js';

/** A visitor whom an agent has blocked: the visitor's requests are refused until then. */
@Entity('visitor_blocks')
export class VisitorBlockRow {
  @KeyColumn('pk_visitor_blocks', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_visitor_blocks', 'visitor_id')
  visitorId!: string;

  /** Null: until an agent unblocks the visitor. */
  @TimeColumn('until', { nullable: true })
  until!: Date | null;

  /** For agents; the visitor never sees it. */
  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  /** The agent who blocked the visitor, and may have been deleted since. */
  @CodeColumn('agent_id')
  agentId!: string;

  @Column({ name: 'agent_name', type: 'text' })
  agentName!: string;

  @TimeColumn('blocked_at')
  blockedAt!: Date;

  @ManyToOne(() => Visitor, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_visitor_blocks_visitor', 'visitor_id')
  visitor?: Visitor;
}
