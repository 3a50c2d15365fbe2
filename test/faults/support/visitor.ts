/** A message as a visitor has applied it. */
export interface Heard {
  id: string;
  seq: number;
}

/** Somebody who reads one chat and says things in it. */
export interface Visitor {
  readonly name: string;
  readonly chatId: string;
  /** What they have applied, in that order. */
  readonly applied: readonly Heard[];
  /** Says it once, however often it has to be tried. */
  say(content: string, isOver: () => boolean): Promise<void>;
  close(): void;
}
