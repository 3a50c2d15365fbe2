import type pg from 'pg';
import { usage } from '../errors.js';
import { checkId } from '../organization.js';
import { reasonOf } from '../service.js';
import { note, out } from '../show.js';
import { toJson } from '../text.js';
import { recordCopy } from '../copy/organization-copy.queries.js';
import { closing, findDatabase } from '../copy/target.js';
import { openWriting } from '../copy/two-databases.js';
import { ChatwootDatabase } from './chatwoot-database.js';
import { ChatwootFiles } from './chatwoot.js';
import type { Source } from './conversation.js';
import { Intercom } from './intercom.js';
import { refused } from './read-lines.js';
import { type Imported, ImportWriter } from './writer.js';
import { findAgents, findGroup, findOrganization, findOrganizations } from './writer.queries.js';

/** Conversations that are stored in one transaction. */
const TOGETHER = 50;
/** After how many conversations a line says so. */
const PROGRESS = 1_000;
const DAY_MS = 86_400_000;

export interface ImportOptions {
  from: string;
  org?: string;
  group?: string;
  account?: string;
  json?: boolean;
}

/**
 * Imports another system's conversations into an organization, as ended chats (docs/operate/moving.md). It can be repeated and interrupted:
 * what was imported stays, once.
 * @throws CliError for data that isn't the other system's, with its place
 */
export async function importConversations(
  environment: NodeJS.ProcessEnv,
  path: string,
  options: ImportOptions,
): Promise<void> {
  await closing('the import failed', async (open) => {
    const target = await openWriting(await findDatabase(environment));
    open.push(target);
    const organizationId = await findTarget(target, options.org);
    const organization = await findOrganization(target, organizationId);
    if (!organization) throw refused(`the database has no organization ${organizationId}`);
    const groupId = await findGroup(target, organizationId, options.group);
    if (!groupId) throw refused(`organization ${organizationId} has no group ${options.group}`);
    const agents = await findAgents(target, organizationId);
    const source = await openFrom(path, options);
    open.push(source);
    const writer = new ImportWriter(target, source.name, { organizationId, groupId, agents });
    const record = (counts: object) =>
      recordCopy(target, {
        action: 'organization.imported',
        target: organizationId,
        targetName: organization.name,
        details: { from: source.name, ...counts },
      });
    const oldest = await writeAll(target, source, writer, record);
    await record(writer.counts);
    warnOfRetention(organization.retentionDays, oldest);
    out(options.json ? toJson(writer.counts) : describe(writer.counts, `${organizationId} (${organization.name})`));
  });
}

async function findTarget(target: pg.Client, org: string | undefined): Promise<string> {
  if (org !== undefined) return checkId(org, '--org');
  const [only, other] = await findOrganizations(target);
  if (only === undefined || other !== undefined)
    throw usage('name the organization with --org <id> (parley organization list)');
  return only;
}

async function openFrom(path: string, { from, account }: ImportOptions): Promise<Source> {
  if (from === 'intercom') return new Intercom(path);
  if (from !== 'chatwoot') throw usage('--from must be chatwoot or intercom');
  return /^postgres(ql)?:\/\//.test(path) ? ChatwootDatabase.open(path, account) : new ChatwootFiles(path);
}

// Returns the time of the oldest conversation. What was stored before a failure stays, and is recorded.
async function writeAll(
  target: pg.Client,
  source: Source,
  writer: ImportWriter,
  record: (counts: object) => Promise<void>,
): Promise<number> {
  let [count, oldest] = [0, Infinity];
  let stored = { ...writer.counts };
  const commit = async () => {
    await target.query('COMMIT');
    stored = { ...writer.counts };
  };
  try {
    for await (const conversation of source.conversations()) {
      if (count % TOGETHER === 0) await target.query('BEGIN');
      await writer.write(conversation).catch((error: unknown) => {
        throw refused(`the import failed at conversation ${conversation.id}: ${reasonOf(error)}`);
      });
      oldest = Math.min(oldest, conversation.createdAt.getTime());
      if (++count % TOGETHER === 0) await commit();
      if (count % PROGRESS === 0) note(`${count} conversations`);
    }
    if (count % TOGETHER !== 0) await commit();
  } catch (error) {
    await target
      .query('ROLLBACK')
      .then(async () => stored.chats + stored.messages + stored.notes > 0 && record({ ...stored, isComplete: false }))
      .catch(() => note('the audit log has no entry of this import'));
    throw error;
  }
  return oldest;
}

function warnOfRetention(days: number | null, oldest: number): void {
  if (days !== null && oldest < Date.now() - days * DAY_MS)
    note(`the organization keeps messages for ${days} days: the next run of retention removes older ones`);
}

function describe({ chats, messages, notes, skipped }: Imported, into: string): string {
  return `imported into organization ${into}: ${chats} chats, ${messages} messages, ${notes} notes; ${skipped} conversations were skipped`;
}
