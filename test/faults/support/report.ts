import type { Verdict } from './verify.js';

const HEADS = ['fault', 'acked', 'lost', 'dupl.', '500s', 'broken', 'slowest ms', 'recovery ms'] as const;

/** The figures of each fault: a line when it is over, all of them at the end. */
export class Report {
  private readonly rows: (readonly string[])[] = [];

  constructor(private readonly seed: number) {}

  add(name: string, verdict: Verdict): void {
    const { acked, lost, duplicated, internalErrors, broken, slowest, recovery, statuses } = verdict;
    const figures = [acked, lost, duplicated, internalErrors, broken, slowest, recovery];
    this.rows.push([name, ...figures.map((figure) => String(Math.round(figure)))]);
    const told = HEADS.slice(1).map((head, index) => `${head} ${Math.round(figures[index]!)}`);
    process.stdout.write(`  ${name}: ${told.join(', ')}; seed ${this.seed} (${statuses})\n`);
  }

  table(): string {
    const all = [HEADS as readonly string[], ...this.rows];
    const widths = HEADS.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
    const align = (text: string, column: number) =>
      column === 0 ? text.padEnd(widths[0]!) : text.padStart(widths[column]!);
    return `\nseed ${this.seed}\n${all.map((row) => row.map(align).join('  ')).join('\n')}\n`;
  }
}
