import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a statement does to an existing table. `blocks`: others wait for its end, not for a moment only. */
export type StepKind = 'build' | 'read' | 'write' | 'lock';

/** A statement of a migration that concerns a table. */
export interface PlannedStep {
  migration: string;
  table: string;
  kind: StepKind;
  /** Whether statements of others wait until it ends. Without it, they wait for a moment at most. */
  blocks: boolean;
  action: string;
  /** How many statements of the migration do the same. */
  times: number;
}

type Pattern = readonly [form: RegExp, kind: StepKind, blocks: boolean, action: string];

/** The first form that fits a statement says what it does. Each one finds the name of the table. */
const PATTERNS: readonly Pattern[] = [
  [/^CREATE (?:UNIQUE )?INDEX CONCURRENTLY (?:IF NOT EXISTS )?\w+ ON (\w+)/i, 'build', false, 'builds an index'],
  [/^CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?\w+ ON (\w+)/i, 'build', true, 'builds an index'],
  [/^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?(\w+) VALIDATE CONSTRAINT/i, 'read', false, 'reads all rows'],
  [
    /^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?(\w+) (?=[^]*\bTYPE\b)(?=[^]*ALTER COLUMN)/i,
    'write',
    true,
    'rewrites all rows',
  ],
  [
    /^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?(\w+) (?=[^]*(?:ADD CONSTRAINT|SET NOT NULL))(?![^]*(?:NOT VALID|USING INDEX))/i,
    'read',
    true,
    'reads all rows',
  ],
  [/^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?(\w+)/i, 'lock', false, 'changes its columns or rules'],
  [/^(?:CREATE|DROP) (?:OR REPLACE )?(?:CONSTRAINT )?TRIGGER [^]*? ON (\w+)/i, 'lock', false, 'changes a trigger'],
  [/^DROP TABLE (?:IF EXISTS )?(\w+)/i, 'lock', false, 'removes it'],
  [/^(?:WITH [^]*\s)?UPDATE (\w+)/i, 'write', false, 'changes rows'],
  [/^(?:WITH [^]*\s)?DELETE FROM (\w+)/i, 'write', false, 'removes rows'],
  [/^INSERT INTO \w+ [^]*\bFROM (\w+)/i, 'read', false, 'copies rows'],
];

/** The statements of migrations, which run on nothing: they're only recorded. */
export async function planSteps(migrations: readonly MigrationInterface[]): Promise<PlannedStep[]> {
  const steps: PlannedStep[] = [];
  for (const migration of migrations) {
    const name = migration.constructor.name;
    for (const statement of await record(migration)) steps.push(...stepsOf(name, statement));
  }
  const first = steps.filter((step, place) => steps.findIndex((other) => isSame(step, other)) === place);
  return first.map((step) => ({ ...step, times: steps.filter((other) => isSame(step, other)).length }));
}

// No migration uses what its statements return, except for an index that an earlier attempt left.
async function record(migration: MigrationInterface): Promise<string[]> {
  const texts: string[] = [];
  const query = async (text: string) => {
    texts.push(text);
    return [];
  };
  await migration.up({ query } as unknown as QueryRunner);
  return texts.flatMap(split);
}

// The bodies of functions are in dollar quotes, and do nothing yet.
function split(text: string): string[] {
  const plain = text.replaceAll(/\$(\w*)\$[^]*?\$\1\$/g, `''`).replaceAll(/--.*$/gm, '');
  return plain.split(';').map((statement) => statement.replaceAll(/\s+/g, ' ').trim());
}

function stepsOf(migration: string, statement: string): PlannedStep[] {
  const base = { migration, blocks: false, times: 1 };
  const referenced = Array.from(statement.matchAll(/ REFERENCES (\w+)/g), ([, table]) => table!);
  const locks = referenced.map((table) => ({ ...base, table, kind: 'lock' as const, action: 'is referred to' }));
  for (const [form, kind, blocks, action] of PATTERNS) {
    const table = form.exec(statement)?.[1];
    if (table !== undefined) return [{ ...base, table, kind, blocks, action }, ...locks];
  }
  return locks;
}

function isSame(one: PlannedStep, other: PlannedStep): boolean {
  return one.migration === other.migration && one.table === other.table && one.action === other.action;
}
