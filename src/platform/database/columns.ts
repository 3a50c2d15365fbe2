import { Column, type ColumnOptions, JoinColumn, PrimaryColumn } from 'typeorm';

// Columns that entities share. Texts that are compared byte by byte have collation C: their indexes are smaller and
// faster, and their order is the same on every machine.

/** A column of the primary key. @param constraint the key's name */
export function KeyColumn(constraint: string, name?: string): PropertyDecorator {
  return PrimaryColumn({ name, type: 'text', collation: 'C', primaryKeyConstraintName: constraint });
}

/** An id, a state, or another text that is never shown to people. */
export function CodeColumn(name?: string, options: ColumnOptions = {}): PropertyDecorator {
  return Column({ name, type: 'text', collation: 'C', ...options });
}

const BIGINT = {
  to: (value: unknown) => value,
  from: (value: string | null) => (value === null ? null : Number(value)),
};

/** A number of bytes, or of rows. */
export function BytesColumn(name: string, options: ColumnOptions = {}): PropertyDecorator {
  return Column({ name, type: 'bigint', transformer: BIGINT, ...options });
}

/** A time, to the millisecond. */
export function TimeColumn(name: string, options: ColumnOptions = {}): PropertyDecorator {
  return Column({ name, type: 'timestamptz', precision: 3, ...options });
}

/**
 * The foreign key to a row of the same organization: `organization_id` and this column.
 * @param constraint the key's name
 */
export function JoinInOrganization(constraint: string, column: string): PropertyDecorator {
  return JoinColumn([
    { name: 'organization_id', referencedColumnName: 'organizationId', foreignKeyConstraintName: constraint },
    { name: column, referencedColumnName: 'id', foreignKeyConstraintName: constraint },
  ]);
}
