import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { Config } from '../platform/config/config.js';
import { POOL } from '../platform/database/pool.js';
import { type AddressStatus, findAddressStatuses } from './address-status.queries.js';

/** What's known of the addresses of visitors (CONTRACT: E-mail). */
@Injectable()
export class AddressStatuses {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly config: Config,
  ) {}

  /** The status of an address; null without one, or if this installation sends no mail. */
  async of(organizationId: string, address: string | null): Promise<AddressStatus | null> {
    if (address === null || !this.config.sendsMail) return null;
    return (await findAddressStatuses(this.pool, organizationId, [address]))[0]!;
  }

  /** Adds the status to each of a page of visitors. */
  async addTo<T extends { email: string | null }>(
    organizationId: string,
    visitors: readonly T[],
  ): Promise<(T & { mailStatus: AddressStatus | null })[]> {
    const addresses = visitors.map(({ email }) => email);
    const statuses = await findAddressStatuses(this.pool, organizationId, addresses);
    return visitors.map((visitor, at) => ({ ...visitor, mailStatus: statuses[at]! }));
  }
}
