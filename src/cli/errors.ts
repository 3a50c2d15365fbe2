/** The exit codes of the command line (docs/operate/command-line.md). Scripts rely on these numbers. */
export const EXIT = { ok: 0, failed: 1, usage: 2, unreachable: 3 } as const;

/** An error that is printed as one line, with the exit code of the process. */
export class CliError extends Error {
  constructor(
    readonly exitCode: number,
    message: string,
    /** The service's problem, for `--json`. */
    readonly problem?: object,
  ) {
    super(message);
  }
}

/** A usage error: the command is unknown, or can't be run with these options. */
export function usage(message: string): CliError {
  return new CliError(EXIT.usage, message);
}
