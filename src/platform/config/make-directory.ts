import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and its missing parents, one at a time. Node's own `recursive` never returns where no folder can be
 * created, as in /proc.
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
