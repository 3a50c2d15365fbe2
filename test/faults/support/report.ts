import type { Verdict } from './verify.js';

const HEADS = [
  'fault',
  'acked',
  'lost',
  'dupl.',
  '500s',
  'broken',
  'slowest ms',
  'recovery ms',
  // Agents' figures: answered transitions, the longest wait while an agent was free, the latest time-out.
  'transitions',
  'idle ms',
  'late ms',
] as const;

/** The figures of each fault: a line when it's over, and all of them at the end. */
export class Report {
  private readonly rows: (readonly string[])[] = [];

  constructor(private readonly seed: number) {}

  add(name: string, verdict: Verdict): void {
    const { acked, lost, duplicated, internalErrors, broken, slowest, recovery, agents, statuses } = verdict;
    const ofAgents = agents ? [agents.transitions, agents.idle, agents.late] : [];
    const figures = [acked, lost, duplicated, internalErrors, broken, slowest, recovery, ...ofAgents];
    const texts = HEADS.slice(1).map((_, index) =>
      figures[index] === undefined ? '' : String(Math.round(figures[index])),
    );
    this.rows.push([name, ...texts]);
    const told = figures.map((figure, index) => `${HEADS[index + 1]} ${Math.round(figure)}`);
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
