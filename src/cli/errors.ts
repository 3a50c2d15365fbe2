/** How the command line ends (docs/command-line.md): scripts rely on these numbers. */
export const EXIT = { ok: 0, failed: 1, usage: 2, unreachable: 3 } as const;

/** Something to tell in one line; the code is what the process ends with. */
export class CliError extends Error {
  constructor(
    readonly exitCode: number,
    message: string,
    /** What the service answered, for `--json`. */
    readonly problem?: object,
  ) {
    super(message);
  }
}

/** The command was not understood, or cannot be done as it was given. */
export function usage(message: string): CliError {
  return new CliError(EXIT.usage, message);
}
