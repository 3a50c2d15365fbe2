/** A question of an endpoint, as its wire has it. */
export interface Interrupt {
  id: string;
  reason: string;
  message?: string;
  toolCallId?: string;
  responseSchema?: Record<string, unknown>;
  expiresAt?: string;
  /** Of an endpoint from before AG-UI 1.0, which takes the bare answer. */
  isLegacy?: boolean;
}

/** The answer to a question. */
export interface ResumeEntry {
  interruptId: string;
  status: 'resolved' | 'cancelled';
  payload?: unknown;
  /** The call that the question is about. */
  toolCallId?: string;
  isLegacy?: boolean;
}

/** The questions of a run. They're asked one after the other, and answered in one run. */
export interface OpenQuestions {
  interrupts: Interrupt[];
  /** The payloads of the answered ones, in their order. */
  payloads: { payload: unknown }[];
  /** The message that asks the current one. Later messages answer it. */
  messageId: string;
  seq: number;
  isAskedAgain: boolean;
}

/** What the visitor reads. */
export interface Question {
  text: string;
  choices: { label: string; value: string }[] | null;
}

/** What comes after the visitor's words: another question, or a run with the answers. */
export type Continuation =
  | { ask: Question; questions: Omit<OpenQuestions, 'messageId' | 'seq'> }
  | { entries: ResumeEntry[] };
