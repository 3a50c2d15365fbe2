import { aList, aNumber, aText, anObject, type Checks, checkOptions, oneOf } from './check.js';
import { ArgumentError } from './stack.js';
import { checkFiles } from '../files/file-input.js';
import { lengthOf, MAX_LENGTH } from './text.js';
import type { Content, HandOverOptions, MessageOptions, OutgoingMessage } from '../wire.js';

/** The options of a text that's said. */
export const SAID: Checks<Omit<MessageOptions, 'files'>> = {
  type: oneOf('TEXT', 'IMAGE', 'BUTTON', 'QUICK_REPLY'),
  metadata: anObject,
};

const MESSAGE: Checks<MessageOptions> = { ...SAID, files: (value) => (checkFiles(value), null) };
const OUTGOING: Checks<OutgoingMessage> = { ...MESSAGE, text: aText };
/** The types of messages that files may be without a text. */
const SILENT: readonly unknown[] = [undefined, 'TEXT', 'IMAGE'];

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
  tags: aList,
};

/**
 * Checks a message, which is a text or an object, and its options.
 * @param more the checks of the call's other options
 * @throws TypeError that names the option
 */
export function toOutgoing<Options extends MessageOptions>(
  message: string | OutgoingMessage,
  options: Options,
  more?: Checks<Omit<Options, keyof MessageOptions>>,
): Options & OutgoingMessage {
  if (typeof message !== 'string' && (typeof message !== 'object' || message === null))
    throw new ArgumentError(`content must be a string or a message, not ${message === null ? 'null' : typeof message}`);
  checkOptions(options, { ...MESSAGE, ...more });
  if (typeof message !== 'string') checkOptions(message, OUTGOING);
  const outgoing = { ...options, ...(typeof message === 'string' ? { text: message } : message) };
  const { text = '', type, metadata, files } = outgoing;
  const isSilent = text === '' && files != null && files.length > 0 && SILENT.includes(type ?? undefined);
  const length = lengthOf(text ?? '');
  if (!isSilent && (length < 1 || length > MAX_LENGTH)) {
    const [most, count] = [MAX_LENGTH, length].map((number) => number.toLocaleString('en'));
    throw new ArgumentError(`content must have 1 to ${most} characters; it has ${count}`);
  }
  checkChoices(type, metadata);
  return outgoing;
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
