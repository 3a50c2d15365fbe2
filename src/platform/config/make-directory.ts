import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those above it. One step at a time: in a place that takes no folders, like /proc, Node's own
 * `recursive` never returns.
 */
export function makeDirectory(path: string): void {
  const full = resolve(path);
  if (statSync(full, { throwIfNoEntry: false })?.isDirectory()) return;
  makeDirectory(dirname(full));
  try {
    mkdirSync(full);
  } catch (error) {
    if (!statSync(full, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
