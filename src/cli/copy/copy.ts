import type pg from 'pg';
import { addressOf } from '../../platform/config/database-url.js';
import type { CopiedTable } from '../../platform/database/tenant-tables.js';
import { checkId } from '../organization.js';
import { out } from '../show.js';
import { toJson } from '../text.js';
import { OrganizationCopy, type Original } from './organization-copy.js';
import { type Column, countRows, findOrganization, pagesOf } from './organization-copy.queries.js';
import { closing, linesOf, openOwn } from './target.js';
import { openSource } from './two-databases.js';

/**
 * Copies one organization from another database, such as a restored backup, into the database of the service: everything or nothing.
 * Reads one moment of the other database, and changes nothing there.
 * @throws CliError if the organization exists, or the databases or their keys don't fit together
 */
export async function copyOrganization(
  environment: NodeJS.ProcessEnv,
  id: string,
  options: { from: string; json?: boolean },
): Promise<void> {
  checkId(id);
  await closing('nothing was copied', async (open) => {
    const { target, secrets } = await openOwn(environment);
    open.push(target);
    const source = await openSource(options.from, secrets);
    open.push(source);
    const original = new OtherDatabase(source, id, addressOf(options.from));
    const copied = await new OrganizationCopy(original, target, secrets).run(id, 'organization.copied');
    out(options.json ? toJson(copied) : linesOf(copied, 'copied').join('\n'));
  });
}

class OtherDatabase implements Original {
  readonly name = 'the database of --from';

  constructor(
    private readonly client: pg.Client,
    private readonly id: string,
    readonly from: string,
  ) {}

  find(id: string) {
    return findOrganization(this.client, id);
  }

  pages(table: CopiedTable, columns: readonly Column[]) {
    return pagesOf(this.client, table, columns, this.id);
  }

  count(table: CopiedTable): Promise<number> {
    return countRows(this.client, table, this.id);
  }
}
