import { CliError, EXIT } from '../errors.js';
import { note } from '../show.js';
import { printable } from '../../platform/lib/printable.js';
import type { Item } from '../service.js';
import type { ItemClient } from '../verbs.js';

/** The timeout of a test in milliseconds: it takes 60 s at most. */
const TIMEOUT_MS = 75_000;

interface Result {
  ok: boolean;
  firstTokenMs: number | null;
  durationMs: number;
  usage: { inputTokens?: number; outputTokens?: number } | null;
  error: { code: string; detail: string } | null;
}

/** Tries a bot's connection, and prints the answer while it comes. @throws CliError if it failed */
export async function testBot({ service, path, show, isJson }: ItemClient, message: string | undefined): Promise<void> {
  const body = message === undefined ? {} : { message };
  if (isJson) {
    const result = await service.post<Item & Result>(`${path}/connection/test`, body, TIMEOUT_MS);
    show.item(result);
    if (!result.ok) process.exitCode = EXIT.failed;
    return;
  }
  const printer = new Printer();
  for await (const { type, data } of service.events(`${path}/connection/test`, body, TIMEOUT_MS)) {
    if (type === 'done') return finish(data as unknown as Result, printer);
    printer.print(type, data);
  }
  printer.endLine();
  throw new CliError(EXIT.unreachable, 'the service ended the test without a result');
}

function finish({ ok, firstTokenMs, durationMs, usage, error }: Result, printer: Printer): void {
  printer.endLine();
  if (!ok) throw new CliError(EXIT.failed, `the test failed: ${error!.code}: ${error!.detail}`);
  const tokens = usage ? `, ${usage.inputTokens ?? 0} tokens in, ${usage.outputTokens ?? 0} out` : '';
  const first = firstTokenMs === null ? '' : `, the first word after ${firstTokenMs} ms`;
  note(`answered within ${durationMs} ms${first}${tokens}`);
}

/** Prints the text to standard output, and the rest to standard error. */
class Printer {
  private isInLine = false;

  print(type: string, data: Item): void {
    if (type === 'text') return this.printText(data as { text: string; isWhole?: boolean });
    this.endLine();
    if (type === 'status') note(`… ${String(data.status)}`);
    else if (type === 'tool') note(`calls ${String(data.name)} ${String(data.arguments)}`);
    else if (type === 'warning') note(`warning: ${String(data.warning)}`);
  }

  endLine(): void {
    if (this.isInLine) process.stdout.write('\n');
    this.isInLine = false;
  }

  private printText({ text, isWhole }: { text: string; isWhole?: boolean }): void {
    // The endpoint replaced its text, or began another message.
    if (isWhole) this.endLine();
    process.stdout.write(text.split('\n').map(printable).join('\n'));
    this.isInLine = !text.endsWith('\n');
  }
}
