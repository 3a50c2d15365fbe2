import type { Reply, Said, SharedVisitor } from '../model/conversation.js';
import {
  DEFAULT_MISSES,
  type Script,
  SCRIPT_LIMITS,
  type ScriptChoice,
  type ScriptNext,
  type ScriptState,
  type ScriptStep,
} from '../model/script.js';
import { addressIn, nameIn } from './details.js';
import { foldWords, hasWords, isSame, type Words } from './words.js';

/** The newest messages of a turn that are compared, and characters of their words. */
const MAX_COMPARED = 10;
const MAX_WORDS = 5_000;
/** A longer text is no label. */
const MAX_LABEL = 3 * SCRIPT_LIMITS.label;

/** What a script answers to. */
export interface ScriptInput {
  /** Where the chat is; null: before the first step. */
  state: ScriptState | null;
  /** What the visitor said. */
  asked: readonly Said[];
  /** The last message of the visitor, which may have no words. */
  seq: number;
  /** What's known of the visitor isn't asked for. */
  visitor: Pick<SharedVisitor, 'name' | 'email'> | null;
  /** What the bot says if it doesn't understand, unless the script has a sentence. */
  sentence: string;
}

/** What a script does. */
export type ScriptAnswer = Required<Pick<Reply, 'messages' | 'offer' | 'handOver' | 'isClosing' | 'state' | 'details'>>;

/**
 * Answers what the visitor said (CONTRACT: Scripts). A step that's no longer in the script doesn't count: the script then begins again.
 */
export function answerWith(script: Script, { state, asked: all, seq, visitor, sentence }: ScriptInput): ScriptAnswer {
  const asked = all.slice(-MAX_COMPARED);
  const at = script.steps.find(({ id }) => id === state?.step);
  const path = new Path(script, visitor, at ? state!.chosen : [], seq);
  const current = at ?? script.steps[0]!;
  // The chat came back after a hand-over, and its last message was answered before.
  if (state && seq <= state.seq) return path.enter(script.steps[0]!.id);
  const chosen = findChoice(script, current, asked);
  if (chosen) return path.choose(chosen);
  // The visitor clicked a choice that the script no longer has.
  if (asked.some(({ value }) => value !== null)) return path.enter(current.id);
  if (at?.ask) return readAnswer(path, at, asked) ?? miss(path, at, state!, sentence);
  const words = foldWords(wordsOf(asked).slice(0, MAX_WORDS));
  const named = script.steps.find((step) => hasKeyword(step, words));
  if (named) return path.enter(named.id);
  return at ? miss(path, at, state!, sentence) : path.enter(current.id);
}

/**
 * The choice that was clicked or typed last. Typed words count only for the current step. A click counts for every step, because the
 * script may have changed since.
 */
function findChoice(script: Script, current: ScriptStep, asked: readonly Said[]): ScriptChoice | undefined {
  const { choices = [] } = current;
  const labels = choices.map(({ label }) => foldWords(label));
  const everywhere = [current, ...script.steps].flatMap((step) => step.choices ?? []);
  for (const { value, text } of asked.toReversed()) {
    if (value === null && text.length > MAX_LABEL) continue;
    const words = foldWords(text);
    const found =
      value === null
        ? choices.find((_, at) => isSame(labels[at]!, words))
        : everywhere.find(({ label }) => label === value);
    if (found) return found;
  }
  return undefined;
}

function hasKeyword({ keywords = [] }: ScriptStep, words: Words): boolean {
  return keywords.some((keyword) => hasWords(words, foldWords(keyword)));
}

function wordsOf(asked: readonly Said[]): string {
  return asked.map(({ text }) => text).join('\n');
}

/** Goes on with the answer to a question; null if it isn't one. */
function readAnswer(path: Path, { ask, next }: ScriptStep, asked: readonly Said[]): ScriptAnswer | null {
  const words = wordsOf(asked);
  if (ask === 'text') return path.go(next!);
  const given = ask === 'email' ? addressIn(words) : nameIn(words);
  if (given === null) return null;
  path.learn(ask === 'email' ? { email: given } : { name: given });
  return path.go(next!);
}

/**
 * Answers words that lead nowhere: the bot says so, or hands over at the last miss. If the step offers no choices and asks nothing, the
 * first step's choices are shown.
 */
function miss(path: Path, at: ScriptStep, { misses: before }: ScriptState, sentence: string): ScriptAnswer {
  const { steps, fallback = {} } = path.script;
  const misses = before + 1;
  if (misses >= (fallback.misses ?? DEFAULT_MISSES)) {
    const { groupId } = fallback;
    return path.go({ action: 'hand_over', ...(groupId !== undefined && { groupId }) });
  }
  const shown = at.choices || at.ask ? at : steps[0]!;
  return path.stay(fallback.text ?? sentence, shown, misses);
}

/** The way that an answer takes through the script. */
class Path {
  private readonly messages: string[] = [];
  private details: ScriptAnswer['details'] = null;

  constructor(
    readonly script: Script,
    private readonly visitor: ScriptInput['visitor'],
    private readonly chosen: readonly string[],
    private readonly seq: number,
  ) {}

  choose({ label, next }: ScriptChoice): ScriptAnswer {
    const chosen = [...this.chosen, label].slice(-SCRIPT_LIMITS.row);
    return new Path(this.script, this.visitor, chosen, this.seq).go(next);
  }

  learn(details: { name: string } | { email: string }): void {
    this.details = details;
  }

  enter(id: string): ScriptAnswer {
    return this.go({ action: 'step', step: id });
  }

  /** Follows the steps until the visitor has a turn. It ends, because a script has no circle without a turn of the visitor. */
  go(next: ScriptNext): ScriptAnswer {
    let to = next;
    while (to.action === 'step') {
      const { step: id } = to;
      const step = this.script.steps.find((one) => one.id === id)!;
      if (step.choices) return this.stay(step.text, step, 0);
      if (!this.isKnown(step)) this.messages.push(step.text);
      if (!step.next || (step.ask && !this.isKnown(step))) return this.end({ state: this.at(step, 0) });
      to = step.next;
    }
    if (to.action === 'close') return this.end({ isClosing: true });
    const summary = this.chosen.length > 0 ? this.chosen.join(' › ') : null;
    return this.end({ handOver: { reason: null, groupId: to.groupId ?? null, summary } });
  }

  /** Says a text with the choices of a step, which the visitor is at then. */
  stay(text: string, step: ScriptStep, misses: number): ScriptAnswer {
    const choices = step.choices?.map(({ label }) => ({ label, value: label }));
    if (!choices) this.messages.push(text);
    return this.end({ offer: choices ? { text, choices } : null, state: this.at(step, misses) });
  }

  private at(step: ScriptStep, misses: number): ScriptState {
    return { step: step.id, misses, chosen: [...this.chosen], seq: this.seq };
  }

  private isKnown({ ask }: ScriptStep): boolean {
    if (ask !== 'name' && ask !== 'email') return false;
    return Boolean((this.details as Partial<Record<string, string>> | null)?.[ask] ?? this.visitor?.[ask]);
  }

  private end(more: Partial<ScriptAnswer>): ScriptAnswer {
    const { messages, details, seq } = this;
    const state = { step: null, misses: 0, chosen: [], seq };
    return { messages, offer: null, handOver: null, isClosing: false, state, details, ...more };
  }
}
