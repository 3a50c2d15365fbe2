import { aNumber, aText, anObject, type Checks, checkOptions, oneOf } from './check.js';
import { ArgumentError } from './stack.js';
import type { Content, HandOverOptions } from '../wire.js';

type MessageOptions = Omit<Content, 'content'>;

export const MESSAGE: Checks<MessageOptions> = {
  type: oneOf('TEXT', 'IMAGE', 'BUTTON', 'QUICK_REPLY'),
  metadata: anObject,
};

/** The options of a hand-over. */
export const HAND_OVER: Checks<HandOverOptions> = {
  targetBotId: aText,
  targetGroupId: aText,
  reason: aText,
  summary: aText,
  cause: anObject,
  ifUnavailable: oneOf('QUEUE', 'FAIL'),
  maxWaitSeconds: aNumber(0, 86_400),
  onUnanswered: oneOf('KEEP', 'RETURN_TO_BOT'),
};

/** Checks the options of a message, and its choices. @param more the checks of the call's other options @throws TypeError */
export function checkMessage<More extends object>(given: unknown, more?: Checks<More>): void {
  checkOptions(given, { ...MESSAGE, ...more });
  const { type, metadata } = given as MessageOptions;
  checkChoices(type, metadata);
}

/**
 * Checks the choices of a message: Parley stores a BUTTON's as they are, and the widget leaves out what it can't show.
 * @throws TypeError that names the choice
 */
export function checkChoices(type: Content['type'], metadata: Content['metadata']): void {
  if ((type !== 'QUICK_REPLY' && type !== 'BUTTON') || metadata?.options === undefined) return;
  const members = type === 'QUICK_REPLY' ? ['value'] : ['value', 'url'];
  const form = members.map((member) => `{ label, ${member} }`).join(' or ');
  const { options } = metadata;
  if (!Array.isArray(options)) throw new ArgumentError(`metadata.options of a ${type} must be an array of ${form}`);
  const wrong = options.findIndex((choice) => !isChoice(choice, members));
  if (wrong === -1) return;
  const given: unknown = options[wrong];
  const has =
    typeof given === 'object' && given !== null ? `; it has ${Object.keys(given).join(', ') || 'nothing'}` : '';
  throw new ArgumentError(`metadata.options[${wrong}] of a ${type} must be ${form} with texts${has}`);
}

function isChoice(choice: unknown, members: readonly string[]): boolean {
  if (typeof choice !== 'object' || choice === null) return false;
  const given = choice as Record<string, unknown>;
  return typeof given.label === 'string' && members.some((member) => typeof given[member] === 'string');
}
