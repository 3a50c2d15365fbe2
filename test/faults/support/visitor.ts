/** A message as a visitor has applied it. */
export interface Heard {
  id: string;
  seq: number;
}

/** A client that reads one chat and writes into it. */
export interface Visitor {
  readonly name: string;
  readonly chatId: string;
  /** The applied messages, in that order. */
  readonly applied: readonly Heard[];
  /** Sends it once, with as many attempts as needed. */
  say(content: string, isOver: () => boolean): Promise<void>;
  close(): void;
}
