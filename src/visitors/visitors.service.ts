import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, type Repository } from 'typeorm';
import { unauthorized } from '../platform/http/requests/bearer.js';
import { encodeTextPosition } from '../platform/lib/cursor.js';
import { newId } from '../platform/lib/ids.js';
import { type Page, toPage } from '../platform/validation/paging.js';
import { notFound } from '../platform/errors/problem.js';
import { isInForce } from './visitor-blocks.queries.js';
import { Visitor } from './visitor.entity.js';
import { searchVisitors, type VisitorSearch } from './visitor-search.queries.js';
import { listVisitors, type StoredAttributes, type VisitorFilter, type VisitorRow } from './visitors.queries.js';

/** The external id of the placeholder that owns the chats of erased visitors. */
const PLACEHOLDER_ID = '';

/** Keeps the visitor's row, and so the visitor's chats, from changing until the end of a transaction. */
const FOR_CHATS = { mode: 'for_no_key_update' } as const;

/** A visitor by our id, or by the id that the customer's own server signed. */
export type NamedVisitor = { id: string } | { externalId: string };

/** A visitor's profile. An absent field stays unchanged. */
export interface VisitorProfile {
  name?: string;
  email?: string;
  metadata?: Record<string, unknown>;
}

// Each external id has one row. The first device inserts it, and later devices update it. An unsigned name or email from an earlier
// release is replaced or removed. The verified attributes of a known visitor stay. A visitor without an external id always gets a new row.
const INSERT = `
  INSERT INTO visitors AS v (organization_id, id, external_id, name, email, metadata, created_at, is_kept, verified_attributes, signed_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::json, CASE WHEN $3::text IS NOT NULL THEN $7::timestamptz END)
  ON CONFLICT (organization_id, external_id) DO UPDATE SET
    name = COALESCE(excluded.name, CASE WHEN v.signed_at IS NOT NULL THEN v.name END),
    email = COALESCE(excluded.email, CASE WHEN v.signed_at IS NOT NULL THEN v.email END),
    metadata = COALESCE(excluded.metadata, v.metadata), signed_at = COALESCE(v.signed_at, excluded.signed_at)
  RETURNING id, verified_attributes AS "verifiedAttributes"`;

const UPDATE = `
  UPDATE visitors SET name = COALESCE($3, name), email = COALESCE($4, email), metadata = COALESCE($5::json, metadata)
  WHERE organization_id = $1 AND id = $2 AND erasing_since IS NULL AND external_id IS NULL
    AND (COALESCE($3, name), COALESCE($4, email), COALESCE($5::json, metadata)::text)
      IS DISTINCT FROM (name, email, metadata::text)`;

const FIND_SIGNED = `
  SELECT v.id, (v.signed_at IS NOT NULL AND (COALESCE($3, v.name), COALESCE($4, v.email), COALESCE($5, v.metadata::text))
      IS NOT DISTINCT FROM (v.name, v.email, v.metadata::text)) AS "isSame", v.verified_attributes AS "verifiedAttributes",
    EXISTS (SELECT FROM visitor_blocks b
      WHERE b.organization_id = $1 AND b.visitor_id = v.id AND ${isInForce('b')}) AS "isBlocked"
  FROM visitors v WHERE v.organization_id = $1 AND v.external_id = $2`;

/** A visitor whom a signed identity names. */
interface SignedVisitor {
  id: string;
  /** Whether the profile has all of what the identity says. */
  isSame: boolean;
  verifiedAttributes: StoredAttributes;
  isBlocked: boolean;
}

/** Visitors of an organization. */
@Injectable()
export class VisitorsService {
  constructor(@InjectRepository(Visitor) private readonly visitors: Repository<Visitor>) {}

  /** Finds a visitor. Excludes erased visitors and the placeholder that owns their chats. */
  find(organizationId: string, id: string): Promise<Visitor | null> {
    return findPerson(this.visitors.manager, organizationId, { id });
  }

  /** @throws Problem not_found */
  async get(organizationId: string, id: string): Promise<Visitor> {
    return (await this.find(organizationId, id)) ?? notFound('Visitor');
  }

  /**
   * Lists visitors in the order of their creation. Search results are sorted by the text that matched; a visitor with two matching texts
   * may be on two pages.
   */
  async list<T>(
    organizationId: string,
    filter: VisitorFilter | VisitorSearch,
    map: (row: VisitorRow) => T,
  ): Promise<Page<T>> {
    if ('text' in filter) return this.search(organizationId, filter, map);
    const rows = await listVisitors(this.visitors.manager, organizationId, { ...filter, limit: filter.limit + 1 });
    return toPage(rows, filter.limit, map);
  }

  /** Finds the visitor of a signed identity, and compares the profile. */
  async findSigned(organizationId: string, externalId: string, profile: VisitorProfile): Promise<SignedVisitor | null> {
    const values = [organizationId, externalId, ...toColumns(profile)];
    const rows: SignedVisitor[] = await this.visitors.manager.query(FIND_SIGNED, values);
    return rows[0] ?? null;
  }

  /**
   * Creates a visitor, or updates the one with this `externalId`, and returns the id. With an `externalId`, the name and email must be
   * signed too, because they're shown as verified. Uses plain SQL, because the metadata is the visitor's own JSON, and a library might
   * interpret its keys.
   * @param isKept whether the visitor is kept even without any message
   */
  async create(
    organizationId: string,
    profile: VisitorProfile,
    externalId: string | null = null,
    manager: EntityManager = this.visitors.manager,
    isKept = false,
  ): Promise<string> {
    return (await this.insert(organizationId, profile, externalId, manager, isKept)).id;
  }

  /**
   * The same for a signed identity that no visitor had a moment ago. Returns the verified attributes too: another device may have created the
   * visitor.
   */
  createSigned(
    organizationId: string,
    profile: VisitorProfile,
    externalId: string,
    verifiedAttributes: NonNullable<StoredAttributes>,
  ): Promise<{ id: string; verifiedAttributes: StoredAttributes }> {
    return this.insert(organizationId, profile, externalId, this.visitors.manager, false, verifiedAttributes);
  }

  private async insert(
    organizationId: string,
    profile: VisitorProfile,
    externalId: string | null,
    manager: EntityManager,
    isKept: boolean,
    verified: NonNullable<StoredAttributes> = {},
  ): Promise<{ id: string; verifiedAttributes: StoredAttributes }> {
    const stored = Object.keys(verified).length > 0 ? JSON.stringify(verified) : null;
    const values = [organizationId, newId('vis'), externalId, ...toColumns(profile), new Date(), isKept, stored];
    const rows: { id: string; verifiedAttributes: StoredAttributes }[] = await manager.query(INSERT, values);
    return rows[0]!;
  }

  /** Changes the profile of an anonymous visitor. Does nothing for a signed one, which only `create` changes. */
  async update(organizationId: string, id: string, profile: VisitorProfile): Promise<void> {
    await this.visitors.manager.query(UPDATE, [organizationId, id, ...toColumns(profile)]);
  }

  /**
   * Locks the visitor's row until the transaction ends, so that changes of the visitor's chats wait.
   * @throws Problem unauthorized if the visitor was deleted
   */
  async lock(manager: EntityManager, organizationId: string, id: string): Promise<void> {
    if (!(await findPerson(manager, organizationId, { id }, FOR_CHATS)))
      throw unauthorized('The visitor of this token was deleted');
  }

  /** The same for a visitor whom someone else names. @throws Problem not_found */
  async getLocked(manager: EntityManager, organizationId: string, named: NamedVisitor): Promise<Visitor> {
    return (await findPerson(manager, organizationId, named, FOR_CHATS)) ?? notFound('Visitor');
  }

  private async search<T>(
    organizationId: string,
    search: VisitorSearch,
    map: (row: VisitorRow) => T,
  ): Promise<Page<T>> {
    const { limit } = search;
    const found = await searchVisitors(this.visitors.manager, organizationId, { ...search, limit: limit + 1 });
    const items = found.slice(0, limit);
    const last = items.at(-1);
    return { items: items.map(map), nextCursor: found.length > limit && last ? encodeTextPosition(last) : null };
  }
}

async function findPerson(
  manager: EntityManager,
  organizationId: string,
  named: NamedVisitor,
  lock?: typeof FOR_CHATS,
): Promise<Visitor | null> {
  const where = { organizationId, ...named, erasingSince: IsNull() };
  const visitor = await manager.getRepository(Visitor).findOne({ where, lock });
  return visitor?.externalId === PLACEHOLDER_ID ? null : visitor;
}

function toColumns({ name, email, metadata }: VisitorProfile): (string | null)[] {
  return [name ?? null, email ?? null, metadata ? JSON.stringify(metadata) : null];
}
