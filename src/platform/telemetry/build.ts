import { existsSync, readFileSync } from 'node:fs';

/** What this process runs. */
export interface Build {
  /** The version of the package. */
  version: string;
  /** The commit, in 12 digits; with `-dirty` if it was built from changed files; `unknown` without git. */
  commit: string;
}

/** The first of these files that exists, seen from the built service and from the sources. */
function read<T>(paths: string[]): Partial<T> {
  const file = paths.map((path) => new URL(path, import.meta.url)).find((url) => existsSync(url));
  return file ? (JSON.parse(readFileSync(file, 'utf8')) as T) : {};
}

const { version = 'unknown' } = read<Build>(['../../../../package.json', '../../../package.json']);
const { commit = 'unknown' } = read<Build>(['../../../build.json', '../../../dist/build.json']);

/** The build of this process. `scripts/build-info.mjs` writes the commit. */
export const BUILD: Build = { version, commit };

/** A build as people read it: `0.1.0 (1a2b3c4d5e6f)`. */
export function nameOf(build: Build): string {
  return `${build.version} (${build.commit})`;
}
