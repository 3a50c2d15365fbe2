import { createInterface } from 'node:readline/promises';
import { usage } from './errors.js';
import { printable } from './text.js';

interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream & { isTTY?: boolean };
}

/** The question goes to stderr: what is on stdout is the answer of the service alone. */
const TERMINAL: Terminal = { input: process.stdin, output: process.stderr };

/** Asks a person; anything but yes is no. @throws CliError where nobody can be asked */
export async function confirm(question: string, { input, output }: Terminal = TERMINAL): Promise<boolean> {
  if (!input.isTTY || !output.isTTY) throw usage('nobody can be asked here whether to delete: add --yes');
  const lines = createInterface({ input, output });
  // Ctrl-D says nothing; a last line is heard first.
  const ended = new Promise<string>((resolve) => lines.once('close', () => setImmediate(resolve, '')));
  const answer = await Promise.race([lines.question(`${printable(question)} [y/N] `), ended]);
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}
