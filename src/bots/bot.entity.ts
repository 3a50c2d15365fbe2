import { Column, Entity, JoinColumn, ManyToOne } from 'typeorm';
import { KeyColumn, TimeColumn } from '../platform/database/columns.js';
import { Organization } from '../organizations/organization.entity.js';

/** A program that writes in an organization's chats. */
@Entity('bots')
export class Bot {
  @KeyColumn('pk_bots', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_bots')
  id!: string;

  @Column('text')
  name!: string;

  /** Whether it may only act in chats that it has (CONTRACT: Transfers). */
  @Column({ name: 'only_own_chats', type: 'boolean', default: false })
  onlyOwnChats!: boolean;

  /** Whether it's an AI, which visitors read before its first word (CONTRACT: AI disclosure). */
  @Column({ name: 'is_ai', type: 'boolean', default: true })
  isAi!: boolean;

  @TimeColumn('created_at')
  createdAt!: Date;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_bots_organization' })
  organization?: Organization;
}
