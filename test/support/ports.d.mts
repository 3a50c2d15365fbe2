// ports.mjs is JavaScript because jest loads the global set-up of a suite as it stands.
export function freePort(): Promise<string>;
export function closedPort(): Promise<string>;
