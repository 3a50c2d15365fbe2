/** A message as the visitor received it. */
export interface Message {
  id: string;
  seq: number;
  type: string;
  content: string;
  metadata: Record<string, unknown>;
  sender: { type: string; name: string | null };
}

/** A visitor's message, and how the bot handled it. */
export interface Turn {
  id: string;
  seq: number;
  content: string;
  /** Whether the bots had the chat, so that an answer was expected. */
  isWanted: boolean;
  /** The number of messages in the bot's answer. */
  answers: number;
  /** Whether the bot handed the chat over in response. */
  isHandedOver: boolean;
  /** Whether a later message was answered first. */
  isOutOfOrder: boolean;
}

/** Maps a bot's message id to the id of the visitor's message that it answers; null: none; undefined: unknown. */
export type AnswerOf = (messageId: string) => string | null | undefined;

/**
 * Assigns each message of the bot to the visitor's message that it answers: by the request that sent it if that is known, and
 * otherwise to the visitor's latest message before it.
 * @param messages in the order of `seq`
 */
export function toTurns(messages: readonly Message[], answerOf: AnswerOf): Turn[] {
  const turns: Turn[] = [];
  let isBots = true;
  let latestAnswered = -1;
  for (const message of messages) {
    const { id, seq, content, sender, metadata } = message;
    if (sender.type === 'VISITOR')
      turns.push({ id, seq, content, isWanted: isBots, answers: 0, isHandedOver: false, isOutOfOrder: false });
    if (sender.type === 'SYSTEM') {
      if (metadata.event === 'chat.transferred' && turns.length > 0) turns.at(-1)!.isHandedOver = isBots;
      isBots = isBotsAfter(metadata, isBots);
    }
    if (sender.type !== 'BOT') continue;
    for (const place of placesOf(metadata, answerOf(id), turns)) {
      const turn = turns[place]!;
      turn.isOutOfOrder ||= turn.answers === 0 && place < latestAnswered;
      turn.answers++;
      latestAnswered = Math.max(latestAnswered, place);
    }
  }
  return turns;
}

/** Whether the answer is complete, or people have the chat. */
export function isDone({ isWanted, isHandedOver, answers }: Turn, wanted: number): boolean {
  return !isWanted || isHandedOver || answers >= wanted;
}

/**
 * Describes what is wrong with a turn; null: nothing.
 * @param wanted how many messages each answer has
 * @param isOrdered whether the bot gets a chat's events in order, and so must answer in order
 */
export function faultOf(
  { isWanted, isHandedOver, isOutOfOrder, answers }: Turn,
  wanted: number,
  isOrdered = true,
): string | null {
  if (!isWanted) return answers > 0 ? 'was answered while people had the chat' : null;
  if (answers > wanted) return `was answered ${timesOf(answers, wanted)}`;
  if (answers === 0 && !isHandedOver) return 'was not answered';
  if (answers < wanted && !isHandedOver) return `was answered with ${answers} of ${wanted} messages`;
  return isOrdered && isOutOfOrder ? 'was answered after a later message' : null;
}

function timesOf(answers: number, wanted: number): string {
  if (wanted > 1) return `with ${answers} messages instead of ${wanted}`;
  return answers === 2 ? 'twice' : `${answers} times`;
}

/** The indexes of the visitor's messages that a bot's message answers. Its metadata may name several (docs/bots/sdk.md). */
function placesOf(
  { answers }: Record<string, unknown>,
  answered: string | null | undefined,
  turns: readonly Turn[],
): number[] {
  const { fromSeq, toSeq } = (answers ?? {}) as { fromSeq?: number; toSeq?: number };
  const isIn = ({ seq, id }: Turn) =>
    fromSeq !== undefined && toSeq !== undefined ? seq >= fromSeq && seq <= toSeq : id === answered;
  if (answered === undefined && fromSeq === undefined) return turns.length > 0 ? [turns.length - 1] : [];
  return turns.flatMap((turn, place) => (isIn(turn) ? [place] : []));
}

/** Events whose system message means that people now have the chat, and events that give it to the bots. */
const TO_PEOPLE: readonly unknown[] = ['chat.transferred', 'chat.assigned', 'chat.unassigned'];
const TO_BOTS: readonly unknown[] = ['chat.returned', 'chat.unanswered'];

function isBotsAfter({ event, by }: Message['metadata'], before: boolean): boolean {
  if (event === 'chat.reopened') return (by as { type: string }).type !== 'AGENT';
  return TO_BOTS.includes(event) || (before && !TO_PEOPLE.includes(event));
}
