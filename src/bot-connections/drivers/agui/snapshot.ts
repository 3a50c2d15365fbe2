import type { SnapshotChange } from '../../model/transcript.js';
import type { Json } from '../wire-json.js';

/** The result of merging a snapshot of the thread's messages with the messages of the run so far. */
export interface Merged {
  /** The messages of the run, in the endpoint's form. */
  messages: Json[];
  change: SnapshotChange;
  /** The assistant's messages after the visitor's last one that no event has brought. */
  answers: string[];
}

/** Merges a snapshot. @param sentIds messages that the endpoint got */
export function mergeSnapshot(
  snapshot: readonly Json[],
  messages: readonly Json[],
  sentIds: ReadonlySet<string>,
): Merged {
  const known = new Set(messages.map(({ id }) => id as string));
  const given = new Map(snapshot.map((message) => [message.id as string, message]));
  const hasReasoning = snapshot.some(({ role }) => role === 'reasoning');
  const replaced: Record<string, Json> = {};
  for (const id of sentIds) if (given.has(id)) replaced[id] = given.get(id)!;
  const isKept = ({ id, role }: Json) => given.has(id as string) || (role === 'reasoning' && !hasReasoning);
  const fresh = snapshot.filter(
    ({ id, role }) => !known.has(id as string) && !sentIds.has(id as string) && role !== 'activity',
  );
  const lastOfVisitor = snapshot.findLastIndex(({ role }) => role === 'user');
  const answers = snapshot.slice(lastOfVisitor + 1).flatMap(({ id, role, content }) => {
    const isNew = role === 'assistant' && !known.has(id as string) && !sentIds.has(id as string);
    return isNew && typeof content === 'string' && content.trim() !== '' ? [content] : [];
  });
  return {
    messages: [...messages.filter(isKept).map((message) => given.get(message.id as string) ?? message), ...fresh],
    change: { replaced, omitted: [...sentIds].filter((id) => !given.has(id)) },
    answers,
  };
}
