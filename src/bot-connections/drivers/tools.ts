import { findTagFault, MAX_TAG, MAX_TAGS } from '../../tags/tag-key.js';
import type { ToolName } from '../model/connection.js';
import type { OfferedGroup, ToolCall } from '../model/conversation.js';
import { isJsonObject, isStorable } from '../../platform/lib/json.js';

/** The most characters of a tool's texts. */
const MAX_REASON = 500;
const MAX_SUMMARY = 5_000;
const MAX_TEXT = 5_000;
const MAX_LABEL = 100;
const MAX_CHOICES = 10;

/** A tool as endpoints see it: a JSON Schema of its arguments. */
export interface Tool {
  name: ToolName;
  description: string;
  parameters: Record<string, unknown>;
}

export interface HandOver {
  tool: 'hand_over';
  groupId: string | null;
  reason: string;
  summary: string | null;
}

export interface OfferChoices {
  tool: 'offer_choices';
  text: string;
  choices: { label: string; value: string }[];
}

export interface SetTags {
  tool: 'set_tags';
  add: string[];
  remove: string[];
}

/** What a call asks for, with checked arguments. */
export type Wanted = HandOver | OfferChoices | SetTags | { tool: 'close_chat' };

/** The tools that a connection offers. */
export function toolsOf(names: readonly ToolName[], groups: readonly OfferedGroup[] | null): Tool[] {
  return names.map((name) => ({ name, ...TOOLS[name](groups) }));
}

const text = (maxLength: number, description: string) => ({ type: 'string', minLength: 1, maxLength, description });

const TOOLS: Record<ToolName, (groups: readonly OfferedGroup[] | null) => Omit<Tool, 'name'>> = {
  hand_over: (groups) => ({
    description: 'Hands the chat over to a person of the team. Your part of the conversation ends with it.',
    parameters: closed(
      {
        ...(groups !== null &&
          groups.length > 0 && {
            groupId: {
              type: 'string',
              enum: groups.map(({ id }) => id),
              description: 'The group; omit it for the default',
            },
          }),
        reason: text(MAX_REASON, 'Why, in a few words. The visitor may read it'),
        summary: text(MAX_SUMMARY, 'What the team should know. The visitor does not see it'),
      },
      ['reason'],
    ),
  }),
  offer_choices: () => ({
    description: 'Asks the visitor with buttons. The answer comes with their next message.',
    parameters: closed(
      {
        text: text(MAX_TEXT, 'The question'),
        choices: {
          type: 'array',
          minItems: 1,
          maxItems: MAX_CHOICES,
          items: closed(
            {
              label: text(MAX_LABEL, 'What the button says'),
              value: text(MAX_LABEL, 'What you get; omit it for the label'),
            },
            ['label'],
          ),
        },
      },
      ['text', 'choices'],
    ),
  }),
  set_tags: () => ({
    description: 'Adds tags to the chat, and removes tags from it. People of the team see them, the visitor does not.',
    parameters: closed(
      {
        add: tagList('The chat gets these. A tag that does not exist is made'),
        remove: tagList('The chat loses these'),
      },
      [],
    ),
  }),
  close_chat: () => ({
    description: 'Closes the chat. Only if the visitor has nothing more to ask.',
    parameters: closed({}, []),
  }),
};

function tagList(description: string) {
  return {
    type: 'array',
    maxItems: MAX_TAGS,
    items: { type: 'string', minLength: 1, maxLength: MAX_TAG },
    description,
  };
}

function closed(properties: object, required: string[]) {
  return { type: 'object', properties, required, additionalProperties: false };
}

/**
 * Checks a call by the schema that was offered.
 * @returns what it asks for, or the error that the endpoint gets
 */
export function readCall(call: ToolCall, tools: readonly Tool[]): Wanted | { error: string } {
  const tool = tools.find(({ name }) => name === call.name);
  if (!tool) return { error: `There is no tool ${call.name.slice(0, MAX_LABEL)}` };
  const given = parse(call.arguments);
  if (!given) return { error: 'The arguments must be a JSON object' };
  const known = Object.keys(tool.parameters.properties as object);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) return { error: `${unknown.slice(0, MAX_LABEL)} is not an argument of ${tool.name}` };
  return READERS[tool.name](given, tool);
}

type Given = Record<string, unknown>;

const READERS: Record<ToolName, (given: Given, tool: Tool) => Wanted | { error: string }> = {
  hand_over: ({ groupId = null, reason, summary = null }, { parameters }) => {
    const groups = (parameters.properties as { groupId?: { enum: string[] } }).groupId?.enum ?? [];
    if (groupId !== null && !groups.includes(groupId as string))
      return { error: 'groupId must be one of the offered groups' };
    if (!isText(reason, MAX_REASON)) return { error: `reason must be a text of 1 to ${MAX_REASON} characters` };
    if (summary !== null && !isText(summary, MAX_SUMMARY))
      return { error: `summary must be a text of 1 to ${MAX_SUMMARY} characters` };
    return { tool: 'hand_over', groupId: groupId as string | null, reason, summary };
  },
  offer_choices: ({ text: question, choices }) => {
    if (!isText(question, MAX_TEXT)) return { error: `text must be a text of 1 to ${MAX_TEXT} characters` };
    if (!Array.isArray(choices) || choices.length < 1 || choices.length > MAX_CHOICES || !choices.every(isChoice))
      return { error: `choices must be 1 to ${MAX_CHOICES} objects with a label and, if you want, a value` };
    const options = choices.map(({ label, value }) => ({ label, value: value ?? label }));
    if (new Set(options.map(({ value }) => value)).size < options.length)
      return { error: 'choices must have different values' };
    return { tool: 'offer_choices', text: question, choices: options };
  },
  set_tags: ({ add = [], remove = [] }) => {
    for (const [name, list] of Object.entries({ add, remove }))
      if (!isTagList(list))
        return { error: `${name} must be a list of at most ${MAX_TAGS} tags of 1 to ${MAX_TAG} characters` };
    const [added, removed] = [trimmed(add), trimmed(remove)];
    if (added.length + removed.length === 0) return { error: 'add or remove must have a tag' };
    return { tool: 'set_tags', add: added, remove: removed };
  },
  close_chat: () => ({ tool: 'close_chat' }),
};

function isTagList(list: unknown): list is string[] {
  const isTag = (tag: unknown) => typeof tag === 'string' && findTagFault(tag.trim()) === null;
  return Array.isArray(list) && list.length <= MAX_TAGS && list.every(isTag);
}

const trimmed = (list: unknown) => (list as string[]).map((tag) => tag.trim());

function isText(value: unknown, max: number): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= max && isStorable(value);
}

function isChoice(value: unknown): value is { label: string; value?: string } {
  if (!isJsonObject(value) || Object.keys(value).some((name) => name !== 'label' && name !== 'value')) return false;
  return isText(value.label, MAX_LABEL) && (value.value === undefined || isText(value.value, MAX_LABEL));
}

function parse(json: string): Given | null {
  if (json.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(json);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
