import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { SCRIPT_LIMITS } from '../../bot-connections/model/script.js';
import { findScriptFault } from '../../bot-connections/scripts/script-faults.js';
import { isJsonObject } from '../../platform/lib/json.js';
import {
  Sized,
  sizeOfBytes,
  sizeOfJson,
  sizeOfList,
  sizeOfObject,
  sizeOfText,
  sizeOfTexts,
} from '../../platform/validation/body-size.js';
import { type Shape, Shaped } from '../../platform/validation/misspelt.js';
import { JsonValue, Nullable } from '../../platform/validation/validation-rules.js';
import { MAX_ID_LENGTH } from '../../platform/lib/ids.js';
import { Check, findTextFault } from '../../platform/validation/validators.js';
import { ScriptResponse } from './bot-scripts.dto.js';

const MAX_HEADERS = 20;
const MAX_HEADERS_BYTES = 16 * 1024;
const MAX_KEY_BYTES = 4_096;
const MAX_BODY_BYTES = 4 * 1024;

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const VISIBLE_ASCII = /^[\x20-\x7e]*$/;

/** Headers that Parley sets, or that belong to the connection. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie2',
  'expect',
  'host',
  'idempotency-key',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'webhook-id',
  'webhook-signature',
  'webhook-timestamp',
]);

function findHeadersFault(headers: unknown): string | null {
  if (!isJsonObject(headers)) return 'must be an object of header names and values';
  const names = Object.keys(headers);
  if (names.length > MAX_HEADERS) return `must have at most ${MAX_HEADERS} headers`;
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length) return 'must not name a header twice';
  if (Buffer.byteLength(JSON.stringify(headers)) > MAX_HEADERS_BYTES)
    return `must have at most ${MAX_HEADERS_BYTES} bytes as JSON`;
  for (const name of names) {
    const fault = findHeaderFault(name, headers[name]);
    if (fault) return NAME.test(name) ? `/${name.replaceAll('~', '~0')} ${fault}` : fault;
  }
  return null;
}

function findHeaderFault(name: string, value: unknown): string | null {
  if (!NAME.test(name)) return 'must have names of headers as names';
  if (OWN_HEADERS.has(name.toLowerCase())) return 'is set by Parley';
  return isHeaderValue(value) ? null : 'must be a text of visible ASCII characters';
}

function isHeaderValue(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.trim() === value && VISIBLE_ASCII.test(value);
}

/** The headers of each request. */
export function Headers(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Check('headers', findHeadersFault),
    JsonValue(),
    Sized(sizeOfTexts(MAX_HEADERS, MAX_HEADERS_BYTES)),
    ApiPropertyOptional({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: `Sent with each request: at most ${MAX_HEADERS}, and ${MAX_HEADERS_BYTES} bytes. They're never returned. Omitted: they stay; \`{}\` removes them`,
    }),
  );
}

/** The key of the endpoint. */
export function Key(): PropertyDecorator {
  const isKey = (value: unknown) => value === '' || (isHeaderValue(value) && (value as string).length <= MAX_KEY_BYTES);
  return applyDecorators(
    IsOptional(),
    Check('key', (value) =>
      isKey(value) ? null : `must be a text of at most ${MAX_KEY_BYTES} visible ASCII characters`,
    ),
    Sized(sizeOfBytes(MAX_KEY_BYTES)),
    ApiPropertyOptional({
      type: String,
      maxLength: MAX_KEY_BYTES,
      description: "Sent as `Authorization: Bearer`. It's never returned. Omitted: it stays; an empty text removes it",
    }),
  );
}

/** A list of different words, which may be empty; null takes it back to its default. */
export function ListOf(words: readonly string[], description: string): PropertyDecorator {
  const findFault = (value: unknown) => {
    if (!Array.isArray(value) || new Set(value).size < value.length)
      return `must be an array of different values of ${words.join(', ')}`;
    const wrong = value.findIndex((word) => !words.includes(word as string));
    return wrong < 0 ? null : `/${wrong} must be one of ${words.join(', ')}`;
  };
  return applyDecorators(
    IsOptional(),
    Nullable(),
    Check('listOf', findFault),
    Sized(sizeOfList(words.length, sizeOfText(Math.max(...words.map(({ length }) => length))))),
    ApiPropertyOptional({ type: 'array', items: { type: 'string', enum: [...words] }, nullable: true, description }),
  );
}

/** A number that may have a fraction; null takes it back to its default. */
export function Fraction(min: number, max: number, description: string): PropertyDecorator {
  const isWithin = (value: unknown) => typeof value === 'number' && value >= min && value <= max;
  return applyDecorators(
    IsOptional(),
    Nullable(),
    Check('fraction', (value) => (isWithin(value) ? null : `must be a number from ${min} to ${max}`)),
    Sized({ bytes: 64, values: 1 }),
    ApiPropertyOptional({ type: Number, minimum: min, maximum: max, nullable: true, description }),
  );
}

const OF_PARLEY = ['messages', 'model', 'stream', 'stream_options', 'tools', 'n'];

function findObjectFault(value: unknown): string | null {
  if (!isJsonObject(value)) return 'must be a JSON object';
  if (Buffer.byteLength(JSON.stringify(value)) > MAX_BODY_BYTES)
    return `must have at most ${MAX_BODY_BYTES} bytes as JSON`;
  return null;
}

function findBodyFault(body: Record<string, unknown>): string | null {
  const own = OF_PARLEY.find((name) => name in body);
  return own === undefined ? null : `/${own} is set by Parley`;
}

/** Members of each request. */
export function RequestBody(): PropertyDecorator {
  const description = `\`openai\`: added to each request, at most ${MAX_BODY_BYTES} bytes. Not ${OF_PARLEY.join(', ')}`;
  return JsonObject((body) => findObjectFault(body) ?? findBodyFault(body as Record<string, unknown>), description);
}

/** The variables of an app. */
export function Inputs(): PropertyDecorator {
  return JsonObject(findObjectFault, `\`dify\`: the variables of the app, at most ${MAX_BODY_BYTES} bytes`);
}

function JsonObject(findFault: (value: unknown) => string | null, description: string): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Nullable(),
    Check('jsonObject', findFault),
    JsonValue(),
    Sized(sizeOfJson(MAX_BODY_BYTES)),
    ApiPropertyOptional({ type: 'object', additionalProperties: true, nullable: true, description }),
  );
}

const NEXT: Shape = { action: null, step: null, groupId: null };
const SCRIPT: Shape = {
  steps: { id: null, text: null, ask: null, next: NEXT, choices: { label: null, next: NEXT }, keywords: null },
  fallback: { text: null, misses: null, groupId: null },
};

/** What a scripted bot says. */
export function ScriptField(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Nullable(),
    Check('script', findScriptFault),
    JsonValue(),
    Shaped(SCRIPT),
    Sized(sizeOfJson(SCRIPT_LIMITS.bytes, SCRIPT_LIMITS.values)),
    ApiPropertyOptional({
      type: () => ScriptResponse,
      nullable: true,
      description: '`script`: what the bot says. Default: the built-in script, in the language of the chat',
    }),
  );
}

/** A field that this version doesn't support yet: ignoring it would surprise. */
export function NotSupported(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Check('notSupported', () => "isn't supported by this version of Parley"),
    Sized(sizeOfText(1)),
  );
}

/** The members of `failure`, and the most characters of each. */
const FAILURE = { sentence: 5_000, reason: 500, targetGroupId: MAX_ID_LENGTH };

function findFailureFault(value: unknown): string | null {
  if (!isJsonObject(value)) return 'must be an object';
  for (const [name, text] of Object.entries(value)) {
    if (!Object.hasOwn(FAILURE, name)) return `must contain only ${Object.keys(FAILURE).join(', ')}`;
    const fault = findTextFault(text, 1, FAILURE[name as keyof typeof FAILURE]);
    if (fault) return `/${name} ${fault}`;
  }
  return null;
}

/** What happens if a turn fails. */
export function Failure(): PropertyDecorator {
  const text = (maxLength: number, description: string) =>
    ({ type: 'string', minLength: 1, maxLength, description }) as const;
  return applyDecorators(
    IsOptional(),
    Nullable(),
    Check('failure', findFailureFault),
    JsonValue(),
    Sized(sizeOfObject(Object.entries(FAILURE).map(([name, max]) => [name, sizeOfText(max)]))),
    ApiPropertyOptional({
      type: 'object',
      properties: {
        sentence: text(FAILURE.sentence, 'What the visitor reads'),
        reason: text(FAILURE.reason, 'The reason of the hand-over'),
        targetGroupId: text(FAILURE.targetGroupId, 'The group that gets the chat'),
      },
      nullable: true,
      description: 'What happens if a turn fails. Default: the chat goes to the default group',
    }),
  );
}
