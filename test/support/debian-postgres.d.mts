// debian-postgres.mjs is JavaScript because jest loads a suite's global set-up without compiling it.
export function findBinaries(): string;
export function findAccount(): { uid?: number; gid?: number };
