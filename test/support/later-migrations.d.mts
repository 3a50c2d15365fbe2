import type { QueryRunner } from 'typeorm';

type Later = new () => { up(runner: QueryRunner): Promise<void>; down(): Promise<void> };

export function laterMigrations(tools: {
  createIndexConcurrently(runner: QueryRunner, name: string, definition: string): Promise<void>;
  createTable(runner: QueryRunner, statement: string): Promise<void>;
}): Later[];
export const LATER_INDEX: string;
export function addMigrations(migrations: Later[], list: unknown[], names: readonly string[]): () => void;
