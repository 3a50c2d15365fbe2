import { adminStrings } from '../../../locales/admin-strings.js';
import type { Connection } from '../../api.js';

type Script = NonNullable<Connection['script']>;
type Step = Script['steps'][number];
type Next = NonNullable<Step['next']>;

/** What follows the text of a step. */
export const FOLLOWS = ['choices', 'text', 'name', 'email', 'next', 'wait'] as const;
export type Follow = (typeof FOLLOWS)[number];

/** A step as it's edited. */
export interface StepDraft {
  id: string;
  text: string;
  follow: Follow;
  choices: ChoiceDraft[];
  /** Where it goes on without a choice. */
  target: string;
  /** Separated by commas. */
  keywords: string;
}

/** A target is `step:` and an id, `group:` and an id or nothing, `close`, or empty. */
export interface ChoiceDraft {
  label: string;
  target: string;
}

/** A script as it's edited. */
export interface ScriptDraft {
  mode: 'builtIn' | 'own';
  steps: StepDraft[];
  fallback: { text: string; misses: number; groupId: string };
}

export const MAX_STEPS = 50;
export const MAX_CHOICES = 10;
const DEFAULT_MISSES = 2;

/** The draft of a saved script; null: of one that's yet to be written. */
export function toDraft(script: Script | null): ScriptDraft {
  const { text = '', misses = DEFAULT_MISSES, groupId = '' } = script?.fallback ?? {};
  return {
    mode: script ? 'own' : 'builtIn',
    steps: script ? script.steps.map(toStepDraft) : sampleSteps(),
    fallback: { text, misses, groupId },
  };
}

function toStepDraft({ id, text, choices, ask, next, keywords = [] }: Step): StepDraft {
  const follow = choices ? 'choices' : (ask ?? (next ? 'next' : 'wait'));
  return {
    id,
    text,
    follow,
    choices: (choices ?? []).map((choice) => ({ label: choice.label, target: toTarget(choice.next) })),
    target: next ? toTarget(next) : '',
    keywords: keywords.join(', '),
  };
}

function toTarget({ action, step, groupId = '' }: Next): string {
  if (action === 'step') return `step:${step}`;
  return action === 'close' ? 'close' : `group:${groupId}`;
}

/** The script of a draft; null: the built-in one. */
export function toScript({ mode, steps, fallback: { text, misses, groupId } }: ScriptDraft): Script | null {
  if (mode === 'builtIn') return null;
  const fallback = {
    ...(text.trim() && { text }),
    ...(misses !== DEFAULT_MISSES && { misses }),
    ...(groupId && { groupId }),
  };
  return { steps: steps.map(toStep), ...(Object.keys(fallback).length > 0 && { fallback }) };
}

function toStep({ id, text, follow, choices, target, keywords }: StepDraft): Step {
  const words = keywords
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);
  return {
    id,
    text,
    ...(follow === 'choices' && { choices: choices.map(({ label, target: to }) => ({ label, next: toNext(to) })) }),
    ...((follow === 'text' || follow === 'name' || follow === 'email') && { ask: follow }),
    ...(hasTarget(follow) && { next: toNext(target) }),
    ...(words.length > 0 && { keywords: words }),
  };
}

/** Whether a step has one target of its own. */
export function hasTarget(follow: Follow): boolean {
  return follow !== 'choices' && follow !== 'wait';
}

function toNext(target: string): Next {
  if (target === 'close') return { action: 'close' };
  const [kind, id] = [target.split(':', 1)[0], target.slice(target.indexOf(':') + 1)];
  if (kind === 'group') return id ? { action: 'hand_over', groupId: id } : { action: 'hand_over' };
  return { action: 'step', step: id };
}

/** A new step, with an id that no other one has. */
export function newStep(steps: readonly StepDraft[]): StepDraft {
  let number = steps.length + 1;
  while (steps.some(({ id }) => id === `step-${number}`)) number++;
  return { id: `step-${number}`, text: '', follow: 'choices', choices: [newChoice()], target: '', keywords: '' };
}

export function newChoice(): ChoiceDraft {
  return { label: '', target: '' };
}

/** What follows a removed step is to be chosen again. */
export function withoutStep(steps: readonly StepDraft[], id: string): StepDraft[] {
  const kept = (target: string) => (target === `step:${id}` ? '' : target);
  return steps
    .filter((step) => step.id !== id)
    .map((step) => ({
      ...step,
      target: kept(step.target),
      choices: step.choices.map((choice) => ({ ...choice, target: kept(choice.target) })),
    }));
}

/** The ids of steps that nothing leads to. */
export function unreachable(steps: readonly StepDraft[]): Set<string> {
  const left = new Set(steps.map(({ id }) => id));
  const begin = steps.filter(({ keywords }, at) => at === 0 || keywords.trim() !== '');
  const queue = begin.map(({ id }) => id);
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (!left.delete(id)) continue;
    const step = steps.find((one) => one.id === id)!;
    const targets = step.follow === 'choices' ? step.choices.map(({ target }) => target) : [step.target];
    queue.push(...targets.filter((target) => target.startsWith('step:')).map((target) => target.slice(5)));
  }
  return left;
}

function sampleSteps(): StepDraft[] {
  const { sample } = adminStrings.value.script;
  const none = { choices: [], target: '', keywords: '' };
  const begin = [
    { label: sample.question, target: 'step:step-2' },
    { label: sample.person, target: 'group:' },
  ];
  return [
    { ...none, id: 'step-1', text: sample.begin, follow: 'choices', choices: begin },
    { ...none, id: 'step-2', text: sample.describe, follow: 'text', target: 'group:' },
  ];
}
