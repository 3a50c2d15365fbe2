import type { Conversation, OpenConnection, Part, Said } from '../../model/conversation.js';
import type { ResumeEntry } from '../../model/question.js';
import type { EndpointRequest } from '../../wire/exchange.js';
import { bodyWithin, runRequest } from '../json-request.js';
import { dataText, known, personOf } from '../shared-data.js';
import { mediaOf, textWithFiles } from '../shared-files.js';
import { toolsOf } from '../tools.js';
import type { Json } from '../wire-json.js';

/** The version of AG-UI that Parley speaks. */
export const PROTOCOL_VERSION = '1.1';

/** The request of a run: a `RunAgentInput` (CONTRACT: Bots by address). */
export function aguiRequest(connection: OpenConnection, conversation: Conversation): EndpointRequest {
  const { settings } = connection;
  const { history, asked, followUp, resume, state, chatId, runId } = conversation;
  const entries = resume?.entries ?? [];
  const legacy = entries.find(({ isLegacy }) => isLegacy);
  const isShort = resume !== null && settings.resumeHistory === 'none';
  const after = [...asked.map((said) => ({ said })), ...followUp];
  const data = isShort ? null : dataText(conversation);
  const rest = {
    threadId: chatId,
    runId,
    ...(settings.protocol === '1' && { protocolVersion: PROTOCOL_VERSION }),
    tools: toolsOf(settings.tools, conversation.groups),
    context: contextOf(conversation),
    state: state ?? {},
    forwardedProps: {
      parley: propsOf(conversation),
      ...(legacy?.status === 'resolved' && { command: { resume: legacy.payload } }),
    },
    ...(resume && !legacy && { resume: entries.map(toEntry) }),
  };
  const named = new Set(entries.flatMap(({ toolCallId }) => (toolCallId === undefined ? [] : [toolCallId])));
  const past = isShort ? [] : history;
  const body = bodyWithin(past.length, (first) => ({
    ...rest,
    messages: [
      ...(data === null ? [] : [{ id: `data_${chatId}`, role: 'user', content: data }]),
      ...withAnswers(toMessages(conversation, [...past.slice(first), ...after], settings.protocol === '1'), named),
    ],
  }));
  return runRequest(connection, conversation, { body });
}

function toEntry({ interruptId, status, payload }: ResumeEntry): Json {
  return { interruptId, status, ...(payload !== undefined && { payload }) };
}

function contextOf({ groups }: Conversation): Json[] {
  if (!groups || groups.length === 0) return [];
  return [{ description: 'The groups of the team that the chat can be handed over to', value: JSON.stringify(groups) }];
}

function propsOf(conversation: Conversation): Json {
  const { organizationId, chatId, turnId, step, try: tries, visitor, page, isTest } = conversation;
  const person = personOf(conversation);
  const shared = known({ visitor: person && { ...person, isVerified: visitor!.isVerified }, page });
  return { organizationId, chatId, turnId, step, try: tries, ...(isTest && { test: true }), ...shared };
}

function toMessages({ omitted }: Conversation, parts: readonly Part[], hasParts: boolean): Json[] {
  const messages = parts.flatMap((part) => ('raw' in part ? part.raw : [toMessage(part.said, hasParts)]));
  return messages.filter(({ id }) => !omitted.has(id as string));
}

/** @param hasParts whether the endpoint takes files beside the text */
function toMessage(said: Said, hasParts: boolean): Json {
  const { id, by, name, value } = said;
  if (by === 'VISITOR') {
    const content = hasParts && said.files.length > 0 ? partsOf(said) : textWithFiles(said);
    return { id, role: 'user', content, ...(value !== null && { metadata: { parley: { value } } }) };
  }
  return { id, role: 'assistant', ...(by === 'TEAM' && { name: name ?? 'Team' }), content: textWithFiles(said) };
}

function partsOf({ text, files }: Said): Json[] {
  return [
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...files.map((file) => ({
      type: mediaOf(file),
      source: { type: 'url', value: file.url, mimeType: file.type },
      metadata: { parley: { name: file.name, size: file.size } },
    })),
  ];
}

/**
 * Answers each call that has no answer, unless an interrupt names it: its run failed, or agents took the chat. Drops the answers whose
 * call is missing.
 */
function withAnswers(messages: readonly Json[], named: ReadonlySet<string>): Json[] {
  const idsOf = ({ toolCalls }: Json) => ((toolCalls ?? []) as Json[]).map(({ id }) => id as string);
  const called = new Set(messages.flatMap(idsOf));
  const answered = new Set(messages.flatMap(({ role, toolCallId }) => (role === 'tool' ? [toolCallId as string] : [])));
  const isLost = (id: string) => !answered.has(id) && !named.has(id);
  return messages.flatMap((message) => {
    if (message.role === 'tool' && !called.has(message.toolCallId as string)) return [];
    const error = 'not executed';
    const lost = idsOf(message).filter(isLost);
    return [
      message,
      ...lost.map((id) => ({ id: `answer_${id}`, role: 'tool', toolCallId: id, content: error, error })),
    ];
  });
}
