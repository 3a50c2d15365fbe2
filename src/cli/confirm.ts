import { createInterface } from 'node:readline';
import { usage } from './errors.js';
import { printable } from '../platform/lib/printable.js';

interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream & { isTTY?: boolean };
}

/** The question goes to stderr, because stdout carries only the service's response. */
const TERMINAL: Terminal = { input: process.stdin, output: process.stderr };

/** Asks a person. Every answer except yes means no. @throws CliError without a terminal */
export async function confirm(question: string, { input, output }: Terminal = TERMINAL): Promise<boolean> {
  if (!input.isTTY || !output.isTTY)
    throw usage('this is not a terminal, so the deletion cannot be confirmed: add --yes');
  const lines = createInterface({ input, output });
  const answer = await new Promise<string | null>((resolve) => {
    lines.question(`${printable(question)} [y/N] `, resolve);
    // Ctrl-C and Ctrl-D close it without an answer. setImmediate lets it read a last line first.
    lines.once('close', () => setImmediate(resolve, null));
  });
  lines.close();
  if (answer === null) output.write('\n');
  return /^y(es)?$/i.test(answer?.trim() ?? '');
}
