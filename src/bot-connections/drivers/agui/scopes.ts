import type { Json } from '../wire-json.js';
import { broken } from './items.js';

/** The steps and subagents of a run that are open. */
export class Scopes {
  private readonly steps = new Set<string>();
  private readonly subagents = new Set<string>();

  startStep({ stepName, subagentRunId }: Json): void {
    const key = JSON.stringify([subagentRunId, stepName]);
    if (this.steps.has(key)) throw broken('began a step again');
    this.steps.add(key);
  }

  endStep({ stepName, subagentRunId }: Json): void {
    if (!this.steps.delete(JSON.stringify([subagentRunId, stepName]))) throw broken("ended a step that isn't open");
  }

  startSubagent({ subagentRunId }: Json): void {
    if (this.subagents.has(subagentRunId as string)) throw broken('began a subagent again');
    this.subagents.add(subagentRunId as string);
  }

  endSubagent({ subagentRunId }: Json): void {
    if (!this.subagents.delete(subagentRunId as string)) throw broken("ended a subagent that isn't open");
  }

  checkClosed(): void {
    if (this.steps.size + this.subagents.size > 0) throw broken('ended the run with a step or a subagent open');
  }
}
