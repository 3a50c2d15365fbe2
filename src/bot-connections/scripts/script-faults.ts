import { isJsonObject } from '../../platform/lib/json.js';
import { MAX_ID_LENGTH } from '../../platform/lib/ids.js';
import { findNameFault, findTextFault } from '../../platform/validation/validators.js';
import { ACTIONS, ASKS, type Script, SCRIPT_LIMITS, type ScriptStep } from '../model/script.js';
import { foldWords } from './words.js';

const { bytes, steps: MAX_STEPS, ...MAX } = SCRIPT_LIMITS;
const ID = /^[A-Za-z0-9_-]{1,40}$/;

type Given = Record<string, unknown>;
/** A fault of a value: what's wrong, after the JSON pointer of the part that it's about. */
type Fault = string | null;

/** What's wrong with a given script; null: nothing. Groups aren't checked. */
export function findScriptFault(value: unknown): Fault {
  if (!isJsonObject(value)) return 'must be an object';
  const { steps, fallback } = value;
  if (!Array.isArray(steps) || steps.length < 1 || steps.length > MAX_STEPS)
    return `/steps must be an array of 1 to ${MAX_STEPS} steps`;
  if (Buffer.byteLength(JSON.stringify(value)) > bytes) return `must have at most ${bytes} bytes as JSON`;
  const fault = firstOf(steps, findStepFault);
  if (fault) return below('/steps', fault);
  if (isGiven(fallback)) {
    const wrong = findFallbackFault(fallback);
    if (wrong) return below('/fallback', wrong);
  }
  return findPathFault(toScript(value));
}

/** The script without what isn't part of one. Call it with a script without faults. */
export function toScript(value: unknown): Script {
  const { steps, fallback } = value as { steps: Given[]; fallback?: Given | null };
  return {
    steps: steps.map((step) => ({
      ...only(step, ['id', 'text', 'ask', 'keywords']),
      ...(isGiven(step.next) && { next: toNext(step.next) }),
      ...(isGiven(step.choices) && {
        choices: (step.choices as Given[]).map(({ label, next }) => ({ label, next: toNext(next) })),
      }),
    })) as unknown as ScriptStep[],
    ...(isGiven(fallback) && { fallback: only(fallback, ['text', 'misses', 'groupId']) }),
  };
}

function toNext(next: unknown): Given {
  const given = next as Given;
  const more = { step: ['step'], hand_over: ['groupId'], close: [] }[given.action as 'step' | 'hand_over' | 'close'];
  return only(given, ['action', ...more]);
}

function only(given: object, names: readonly string[]): Given {
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => names.includes(name) && isGiven(value)));
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null;
}

function below(pointer: string, fault: string): string {
  return fault.startsWith('/') ? `${pointer}${fault}` : `${pointer} ${fault}`;
}

function firstOf<T>(items: readonly T[], find: (item: T) => Fault): Fault {
  for (const [at, item] of items.entries()) {
    const fault = find(item);
    if (fault) return below(`/${at}`, fault);
  }
  return null;
}

/** The first fault of some fields. */
function fieldFault(faults: Record<string, Fault>): Fault {
  for (const [name, fault] of Object.entries(faults)) if (fault) return below(`/${name}`, fault);
  return null;
}

function findStepFault(step: unknown): Fault {
  if (!isJsonObject(step)) return 'must be an object';
  const { id, text, choices, ask, next, keywords } = step;
  const isId = typeof id === 'string' && ID.test(id);
  const fault = fieldFault({
    id: isId ? null : `must have 1 to ${MAX.id} characters of A-Z, a-z, 0-9, _, and -`,
    text: findTextFault(text, 1, MAX.text) ?? findNameFault((text as string).trim(), MAX.text),
    choices: isGiven(choices) ? findChoicesFault(choices) : null,
    ask: isGiven(ask) && !ASKS.includes(ask as (typeof ASKS)[number]) ? `must be one of ${ASKS.join(', ')}` : null,
    next: isGiven(next) ? findNextFault(next) : null,
    keywords: isGiven(keywords) ? findKeywordsFault(keywords) : null,
  });
  if (fault) return fault;
  if (isGiven(choices) && isGiven(ask)) return '/ask is for steps without choices';
  if (isGiven(choices) && isGiven(next)) return '/next is for steps without choices';
  return isGiven(ask) && !isGiven(next) ? '/next is required with ask' : null;
}

function findChoicesFault(choices: unknown): Fault {
  if (!Array.isArray(choices) || choices.length < 1 || choices.length > MAX.choices)
    return `must be an array of 1 to ${MAX.choices} choices`;
  const fault = firstOf(choices, (choice) => {
    if (!isJsonObject(choice)) return 'must be an object';
    const { label, next } = choice;
    const labelFault = findTextFault(label, 1, MAX.label) ?? findNameFault((label as string).trim(), MAX.label);
    return fieldFault({ label: labelFault, next: isGiven(next) ? findNextFault(next) : 'is required' });
  });
  if (fault) return fault;
  const labels = (choices as { label: string }[]).map(({ label }) => foldWords(label).text);
  const twice = labels.findIndex((label, at) => labels.indexOf(label) < at);
  return twice < 0 ? null : `/${twice}/label is the label of another choice of this step`;
}

function findNextFault(next: unknown): Fault {
  if (!isJsonObject(next)) return 'must be an object';
  const { action, step, groupId } = next;
  if (!ACTIONS.includes(action as (typeof ACTIONS)[number])) return `/action must be one of ${ACTIONS.join(', ')}`;
  const isStep = action === 'step';
  return fieldFault({
    step: isStep ? findTextFault(step, 1, MAX.id) : isGiven(step) ? 'is for the action step' : null,
    groupId: isGiven(groupId) ? findGroupFault(action, groupId) : null,
  });
}

function findGroupFault(action: unknown, groupId: unknown): Fault {
  return action === 'hand_over' ? findTextFault(groupId, 1, MAX_ID_LENGTH) : 'is for the action hand_over';
}

function findKeywordsFault(keywords: unknown): Fault {
  if (!Array.isArray(keywords) || keywords.length > MAX.keywords)
    return `must be an array of at most ${MAX.keywords} texts`;
  return firstOf(
    keywords,
    (keyword) => findTextFault(keyword, 1, MAX.keyword) ?? findNameFault((keyword as string).trim(), MAX.keyword),
  );
}

function findFallbackFault(fallback: unknown): Fault {
  if (!isJsonObject(fallback)) return 'must be an object';
  const { text, misses, groupId } = fallback;
  const isCount = Number.isInteger(misses) && (misses as number) >= 1 && (misses as number) <= MAX.misses;
  return fieldFault({
    text: isGiven(text) ? (findTextFault(text, 1, MAX.text) ?? findNameFault((text as string).trim(), MAX.text)) : null,
    misses: isGiven(misses) && !isCount ? `must be an integer from 1 to ${MAX.misses}` : null,
    groupId: isGiven(groupId) ? findTextFault(groupId, 1, MAX_ID_LENGTH) : null,
  });
}

/** What's wrong with the ids of steps, or with where the steps lead. */
function findPathFault({ steps }: Script): Fault {
  const places = new Map<string, number>();
  for (const [at, { id }] of steps.entries()) {
    if (places.has(id)) return `/steps/${at}/id is the id of another step`;
    places.set(id, at);
  }
  const isUnknown = (next: ScriptStep['next']) => next?.action === 'step' && !places.has(next.step);
  const unknown = 'must be the id of a step';
  for (const [at, { next, choices = [] }] of steps.entries()) {
    if (isUnknown(next)) return `/steps/${at}/next/step ${unknown}`;
    const wrong = choices.findIndex((choice) => isUnknown(choice.next));
    if (wrong >= 0) return `/steps/${at}/choices/${wrong}/next/step ${unknown}`;
  }
  const fault = firstOf(steps, (step) => findRowFault(step, steps, places));
  return fault && below('/steps', fault);
}

/** Whether a step leads on through too many steps, or back to itself, before the visitor has a turn. */
function findRowFault(begin: ScriptStep, steps: readonly ScriptStep[], places: ReadonlyMap<string, number>): Fault {
  const passed = new Set<ScriptStep>();
  let step = begin;
  while (passesOn(step)) {
    passed.add(step);
    step = steps[places.get(step.next.step)!]!;
    if (step === begin) return '/next/step leads back to this step without a turn of the visitor';
    // A circle of other steps, which have the fault.
    if (passed.has(step)) return null;
    if (passed.size >= MAX.row)
      return `/next/step leads through more than ${MAX.row} steps without a turn of the visitor`;
  }
  return null;
}

/** Whether a step may lead on by itself. One that asks for a name or an address may, because it's skipped if that's known. */
function passesOn(step: ScriptStep): step is ScriptStep & { next: { action: 'step'; step: string } } {
  return step.next?.action === 'step' && step.ask !== 'text';
}
