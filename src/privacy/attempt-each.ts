import type { Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isDatabaseAway } from '../platform/database/database-problem.js';

/** How organizations are handled one after the other. */
interface Attempts {
  manager: EntityManager;
  logger: Logger;
  /** What the log says about one that failed. */
  failure: string;
  shouldStop: () => boolean;
}

/**
 * Handles organizations one after the other. One that fails is logged, and the others are still handled.
 * @returns the failed ones
 * @throws Error if the service stops, or no database answers. A silent worker of a Citus cluster only concerns its organizations
 */
export async function attemptEach(
  { manager, logger, failure, shouldStop }: Attempts,
  organizationIds: readonly string[],
  handle: (organizationId: string) => Promise<void>,
): Promise<string[]> {
  const failed: string[] = [];
  for (const organizationId of organizationIds) {
    try {
      await handle(organizationId);
    } catch (err) {
      if (shouldStop()) throw err;
      if (isDatabaseAway(err)) await manager.query('SELECT');
      logger.warn({ err, organizationId }, failure);
      failed.push(organizationId);
    }
  }
  return failed;
}
