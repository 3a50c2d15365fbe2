// ports.mjs is JavaScript because jest loads a suite's global set-up without compiling it.
export function freePort(): Promise<string>;
export function closedPort(): Promise<string>;
