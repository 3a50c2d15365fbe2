import { Column, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { CodeColumn, JoinInOrganization, KeyColumn, TimeColumn } from '../platform/database/columns.js';
import { Group } from '../groups/group.entity.js';
import { Organization } from '../organizations/organization.entity.js';
import { Agent } from './agent.entity.js';

/** What happens to the chat after a reply is sent. */
export const REPLY_ACTIONS = ['CLOSE', 'TRANSFER'] as const;
export type ReplyAction = (typeof REPLY_ACTIONS)[number];

/** A text that agents send often, under a shortcut. An agent's own one has `agentId`. */
@Entity('canned_replies')
// An index on expressions, which a decorator can't express.
@Index('uq_canned_replies_shortcut', { synchronize: false })
export class CannedReply {
  @KeyColumn('pk_canned_replies', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_canned_replies')
  id!: string;

  @CodeColumn()
  shortcut!: string;

  @Column('text')
  content!: string;

  /** The agent whose own reply it is; null: the organization's. */
  @CodeColumn('agent_id', { nullable: true })
  agentId!: string | null;

  /** Only agents of this group get it; null: all. */
  @CodeColumn('group_id', { nullable: true })
  groupId!: string | null;

  /** The language of the content; null: any. */
  @CodeColumn('language', { nullable: true })
  language!: string | null;

  @CodeColumn('action', { nullable: true })
  action!: ReplyAction | null;

  /** Where TRANSFER moves the chat. */
  @CodeColumn('action_group_id', { nullable: true })
  actionGroupId!: string | null;

  @TimeColumn('created_at')
  createdAt!: Date;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_canned_replies_organization' })
  organization?: Organization;

  @ManyToOne(() => Agent, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_canned_replies_agent', 'agent_id')
  agent?: Agent | null;

  @ManyToOne(() => Group, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_canned_replies_group', 'group_id')
  group?: Group | null;
}
