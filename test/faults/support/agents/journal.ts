import type { Answer } from './caller.js';

/** How often something was done, as far as the clients know. */
export interface Told {
  /** Answered 200. */
  done: number;
  /** Unknown: an attempt got no response, and a later one was rejected. */
  perhaps: number;
}

/** The answered transitions, by what their event must say. */
export class Journal {
  readonly told = new Map<string, Told>();
  /** The contents of agents' messages that were answered 201. */
  readonly said = new Map<string, { id: string; seq: number; agentId: string }>();
  /** Invariants that were broken, in words. */
  readonly faults: string[] = [];

  /** Records a response under a key of `eventKey`. Returns whether the transition was done. */
  note(key: string, { status, body, isRepeated }: Answer): boolean {
    const told = this.told.get(key) ?? { done: 0, perhaps: 0 };
    this.told.set(key, told);
    if (status < 300) told.done++;
    else if (isRepeated) told.perhaps++;
    if (status >= 300 && status !== 409 && status !== 404)
      this.faults.push(`${key} was answered ${status} ${JSON.stringify(body)}`);
    return status < 300;
  }

  /** Records a response that may be a 200 although nothing happened. */
  noteVague(key: string, { status, isRepeated }: Answer): void {
    const told = this.told.get(key) ?? { done: 0, perhaps: 0 };
    this.told.set(key, told);
    if (status < 300 || isRepeated) told.perhaps++;
  }

  get count(): number {
    return [...this.told.values()].reduce((sum, { done }) => sum + done, 0);
  }
}

/** A chat's event, and what distinguishes it from others of its type. */
export const eventKey = (type: string, chatId: string, mark = ''): string => `${type} ${chatId} ${mark}`;
