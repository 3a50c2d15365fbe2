import type pg from 'pg';
import { restartAbsences } from '../../organizations/organization-deletion.queries.js';
import { COPIED_TABLES, type CopiedTable, REMOVE_LEFT_BEHIND } from '../../platform/database/tenant-tables.js';
import { CliError, EXIT } from '../errors.js';
import { note } from '../show.js';
import type { InstallationAction } from '../../auth/audit/installation-action.js';
import type { CopiedSecrets } from './copied-secrets.js';
import {
  advancePositions,
  countRows,
  type Column,
  findColumns,
  findOrganization,
  insertRows,
  lockOrganization,
  recordCopy,
  type Row,
} from './organization-copy.queries.js';

/** Where an organization is copied from. */
export interface Original {
  /** How errors call it. */
  readonly name: string;
  /** How the installation's audit log calls it. */
  readonly from: string;
  /** Undefined if it doesn't have this organization. */
  find(id: string): Promise<{ name: string; removalBegan: boolean } | undefined>;
  /** The rows of a table, some at a time. */
  pages(table: CopiedTable, columns: readonly Column[]): AsyncIterable<Row[]>;
  count(table: CopiedTable): Promise<number>;
}

/** What was copied: the number of rows by their table. */
export interface Copied {
  organization: { id: string; name: string };
  from: string;
  rows: Record<string, number>;
  secrets: { resealed: number; unreadable: number };
}

/** After how many rows of a table a line says so. */
const PROGRESS_ROWS = 100_000;
/** The tables whose numbers are in the entry. */
const COUNTED = ['chats', 'messages', 'visitors', 'agents', 'bots'] as const;
const UNIQUE_VIOLATION = '23505';
/** The class of errors that refuse a commit. */
const CONSTRAINT_VIOLATIONS = '23';

/** The connection was lost during the commit, which may be done. */
export class UnknownOutcome extends CliError {}

/** What else a copy does. */
interface Steps {
  /** Before the transaction, which should be short: no index advances while it's open. */
  before?: () => Promise<void>;
  /** At the end of the transaction, before others see the organization. */
  last?: () => Promise<void>;
}

/**
 * Copies an organization in one transaction of the target, so that others see all of it or nothing. What it locks are its own new rows.
 */
export class OrganizationCopy {
  constructor(
    private readonly original: Original,
    private readonly target: pg.Client,
    private readonly secrets: CopiedSecrets,
  ) {}

  /** @throws UnknownOutcome if it may be done; another CliError if nothing was copied */
  async run(id: string, action: InstallationAction, { before, last }: Steps = {}): Promise<Copied> {
    const { from } = this.original;
    const organization = await this.findOriginal(id);
    if (!(await lockOrganization(this.target, id)))
      throw refused(`another import or copy of organization ${id} is running`);
    await this.refuseExisting(id);
    await before?.();
    await this.target.query('BEGIN');
    const rows: Record<string, number> = {};
    for (const statement of REMOVE_LEFT_BEHIND) await this.target.query(statement, [id]);
    for (const table of COPIED_TABLES) rows[table.name] = await this.copyTable(table, id);
    for (const table of COPIED_TABLES) await this.compare(table, id, rows[table.name]!);
    await advancePositions(this.target, id);
    await restartAbsences(this.target, id);
    const counts = COUNTED.map((table) => [table, rows[table]!]);
    const details = { from, ...Object.fromEntries(counts) };
    await recordCopy(this.target, { action, target: id, targetName: organization.name, details });
    await last?.();
    await this.commit(id);
    return { organization: { id, name: organization.name }, from, rows, secrets: this.secrets.counts };
  }

  private async commit(id: string): Promise<void> {
    await this.target.query('COMMIT').catch((error: { code?: string; message: string }) => {
      if (error.code?.startsWith(CONSTRAINT_VIOLATIONS)) throw error;
      throw new UnknownOutcome(
        EXIT.failed,
        `the commit had no answer, so organization ${id} may exist now (${error.message}). See: parley organization get ${id}. ` +
          `If it doesn't exist, repeat this; parley files check --fix removes bytes that are left`,
      );
    });
  }

  private async findOriginal(id: string): Promise<{ name: string }> {
    const original = await this.original.find(id);
    if (!original) throw refused(`${this.original.name} has no organization ${id}`);
    if (original.removalBegan)
      throw refused(`the removal of organization ${id} had begun in ${this.original.name}: restore an earlier moment`);
    return original;
  }

  private async refuseExisting(id: string): Promise<void> {
    const existing = await findOrganization(this.target, id);
    if (!existing) return;
    if (existing.removalBegan) throw refused(`organization ${id} is still being removed: repeat this in a minute`);
    const instead = `parley organization delete ${id} --now, and repeat this`;
    throw refused(
      existing.isDeleted
        ? `organization ${id} is deleted, and its data is still there: parley organization restore ${id} brings it back. ` +
            `For this state instead: ${instead}`
        : `organization ${id} exists. To replace it: ${instead}`,
    );
  }

  private async copyTable(table: CopiedTable, id: string): Promise<number> {
    const columns = await findColumns(this.target, table.name);
    let count = 0;
    for await (const rows of this.original.pages(table, columns)) {
      for (const row of rows) this.convert(table, columns, id, row);
      await insertRows(this.target, table, columns, rows).catch(explainDuplicate(table));
      if (Math.floor((count + rows.length) / PROGRESS_ROWS) > Math.floor(count / PROGRESS_ROWS))
        note(`${table.name}: ${count + rows.length} rows`);
      count += rows.length;
    }
    return count;
  }

  private convert({ name, emptied }: CopiedTable, columns: readonly Column[], id: string, row: Row): void {
    const sealed = this.secrets.columnsOf(name);
    const rowId = row[columns.findIndex((column) => column.name === 'id')]!;
    columns.forEach((column, at) => {
      if (emptied.includes(column.name)) row[at] = null;
      // An empty secret was given up.
      else if (sealed.includes(column.name) && row[at] !== null && row[at] !== '\\x')
        row[at] = this.secrets.convert(name, column.name, id, rowId, row[at]!);
    });
  }

  private async compare(table: CopiedTable, id: string, copied: number): Promise<void> {
    const [original, stored] = [await this.original.count(table), await countRows(this.target, table, id)];
    if (original === copied && stored === copied) return;
    throw refused(`nothing was copied: ${table.name} has ${original} rows in the original, and ${stored} in the copy`);
  }
}

const explainDuplicate = (table: CopiedTable) => (error: { code?: string; constraint?: string }) => {
  if (error.code !== UNIQUE_VIOLATION) throw error;
  throw refused(
    table.name === 'organizations' && error.constraint === 'pk_organizations'
      ? 'nothing was copied: another copy of this organization has just ended'
      : `nothing was copied: another organization has the same value in ${table.name} (${error.constraint})`,
  );
};

function refused(message: string): CliError {
  return new CliError(EXIT.failed, message);
}
