import { isJsonObject } from '../../platform/lib/json.js';
import { languageOf } from '../../platform/locale/languages.js';
import type { Conversation, OpenConnection, Reply } from '../model/conversation.js';
import type { ScriptState } from '../model/script.js';
import { builtInScript, missSentence } from './built-in.js';
import { answerWith } from './script-run.js';

/** What a connection's script answers in a conversation. Nothing is sent anywhere. */
export function scriptedReply({ settings }: OpenConnection, conversation: Conversation): Reply {
  const { asked, lastSeq: seq, visitor } = conversation;
  const language = languageOf(conversation.locale ?? 'en');
  const state = stateIn(conversation.state);
  // What the bot asked before doesn't matter once an agent has answered.
  if (state && hasTeamAnswered(conversation)) state.step = null;
  const input = { state, asked, seq, visitor, sentence: missSentence(language) };
  const answer = answerWith(settings.script ?? builtInScript(language), input);
  return { ...answer, calls: [], raw: null, usage: null, warnings: [] };
}

/** Whether an agent wrote after the bot. */
function hasTeamAnswered({ history }: Conversation): boolean {
  const last = history.findLast((part) => 'said' in part && part.said.by !== 'VISITOR');
  return last !== undefined && 'said' in last && last.said.by === 'TEAM';
}

function stateIn(state: unknown): ScriptState | null {
  return isJsonObject(state) && typeof state.seq === 'number' ? { ...(state as unknown as ScriptState) } : null;
}
