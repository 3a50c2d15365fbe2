import { BUILD } from '../../telemetry/build.js';

/** Runs a statement and returns its rows. */
type Read = <T extends object>(text: string, values?: unknown[]) => Promise<T[]>;

/** The newest release that has started on a database, and the oldest one that its schema serves. */
export interface SchemaRelease {
  newest: string;
  oldest: string;
}

export const READ_RELEASE = `SELECT newest, oldest FROM schema_release WHERE id = 'only'`;

// Releases are compared number by number, as text would put 0.10.0 before 0.9.0.
const CLAIM_RELEASE = `
  INSERT INTO schema_release (id, newest, oldest) VALUES ('only', $1, $2)
  ON CONFLICT (id) DO UPDATE SET newest = excluded.newest, oldest = excluded.oldest
  WHERE string_to_array(schema_release.newest, '.')::integer[] < string_to_array(excluded.newest, '.')::integer[]`;

/** Records that this release has started on the database, unless a newer one has. */
export async function claimRelease(read: Read): Promise<void> {
  const oldest = oldestBeside(BUILD.version);
  if (oldest !== null) await read(CLAIM_RELEASE, [BUILD.version, oldest]);
}

/** The oldest release that works on the schema of another one: one minor release before it (docs/operate/support.md). Null if it has no version. */
export function oldestBeside(version: string): string | null {
  const numbers = numbersOf(version);
  if (numbers === null) return null;
  const [major, minor] = numbers as [number, number];
  if (minor > 0) return `${major}.${minor - 1}.0`;
  return `${Math.max(major - 1, 0)}.0.0`;
}

/** Whether a release is too old for a schema that needs at least `oldest`. */
export function isTooOld(version: string, oldest: string): boolean {
  const [own, needed] = [numbersOf(version), numbersOf(oldest)];
  if (own === null || needed === null) return false;
  const place = own.findIndex((number, index) => number !== needed[index]);
  return place !== -1 && own[place]! < needed[place]!;
}

/** `1.2.3` as numbers; null if it isn't a release. */
function numbersOf(version: string): number[] | null {
  return /^\d{1,6}\.\d{1,6}\.\d{1,6}$/.test(version) ? version.split('.').map(Number) : null;
}
