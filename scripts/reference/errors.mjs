import { PROBLEM_GROUPS, PROBLEMS } from '../../dist/src/platform/errors/problem-codes.js';
import { anchored, table } from './table.mjs';

const entries = Object.entries(PROBLEMS);

/** Every error code with its meaning, by the part of the product that it belongs to. */
export function errors() {
  return Object.entries(PROBLEM_GROUPS)
    .map(([group, title]) => {
      const rows = entries.filter(([, row]) => row.group === group);
      return `## ${title}\n\n${table(['Code', 'Status', 'What it means', 'What to do'], rows.map(toCells))}`;
    })
    .join('\n\n');
}

const toCells = ([code, { status, meaning, action }]) => [anchored(code), status, meaning, action];

/** The codes as a TypeScript file for clients. */
export function errorCodes() {
  return `// Generated from src/platform/errors/problem-codes.ts by \`npm run generate:reference\`. Do not edit.

/** Every \`code\` of an error that Parley answers. A newer Parley may have more. */
export const errorCodes = ${JSON.stringify(entries.map(([code]) => code))} as const;

export type ErrorCode = (typeof errorCodes)[number];
`;
}
