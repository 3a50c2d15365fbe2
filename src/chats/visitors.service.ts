import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { newId } from '../common/ids.js';
import { Visitor } from './visitor.entity.js';

/** What is known of a visitor; a field that is absent stays as it is. */
export interface VisitorProfile {
  name?: string;
  email?: string;
  metadata?: Record<string, unknown>;
}

// The same person on every device: whoever comes first makes the row, later ones bring it up to date. A visitor without
// an external id is always a new one.
const INSERT = `
  INSERT INTO visitors AS v (organization_id, id, external_id, name, email, metadata, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (organization_id, external_id) DO UPDATE SET
    name = COALESCE(excluded.name, v.name), email = COALESCE(excluded.email, v.email),
    metadata = COALESCE(excluded.metadata, v.metadata)
  RETURNING id`;

const UPDATE = `
  UPDATE visitors SET name = COALESCE($3, name), email = COALESCE($4, email), metadata = COALESCE($5, metadata)
  WHERE organization_id = $1 AND id = $2`;

/** The people at the other end. */
@Injectable()
export class VisitorsService {
  constructor(@InjectRepository(Visitor) private readonly visitors: Repository<Visitor>) {}

  find(organizationId: string, id: string): Promise<Visitor | null> {
    return this.visitors.findOneBy({ organizationId, id });
  }

  /**
   * A new visitor, or the one whom the customer's own server knows by `externalId`; answers its id. Plain SQL, because
   * the metadata is the visitor's own JSON and no library may take its keys for something else.
   */
  async create(
    organizationId: string,
    profile: VisitorProfile,
    externalId: string | null = null,
    manager: EntityManager = this.visitors.manager,
  ): Promise<string> {
    const values = [organizationId, newId('vis'), externalId, ...toColumns(profile), new Date()];
    const rows: { id: string }[] = await manager.query(INSERT, values);
    return rows[0]!.id;
  }

  async update(organizationId: string, id: string, profile: VisitorProfile): Promise<void> {
    await this.visitors.manager.query(UPDATE, [organizationId, id, ...toColumns(profile)]);
  }

  /** Makes others who would change this visitor's chats wait for the transaction's end. */
  async lock(manager: EntityManager, organizationId: string, id: string): Promise<void> {
    await manager.getRepository(Visitor).findOne({
      where: { organizationId, id },
      lock: { mode: 'for_no_key_update' },
    });
  }
}

function toColumns({ name, email, metadata }: VisitorProfile): (string | null)[] {
  return [name ?? null, email ?? null, metadata ? JSON.stringify(metadata) : null];
}
