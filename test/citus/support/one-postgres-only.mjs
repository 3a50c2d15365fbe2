/** Files of the default suite that can't run on a cluster, and why. */
const REASONS = {
  'src/': 'unit tests need no database',
};

/** Patterns of their paths, for jest. */
export const ONE_POSTGRES_ONLY = Object.keys(REASONS).map((path) => `<rootDir>/${path}`);
