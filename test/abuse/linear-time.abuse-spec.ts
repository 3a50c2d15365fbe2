import { describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { parse as parseQuery } from 'node:querystring';
import { CreateAgentDto } from '../../src/api/admin/agents.dto.js';
import { addressKey, networkOf } from '../../src/auth/limits/address.js';
import { bearerToken } from '../../src/platform/http/requests/bearer.js';
import { ClientAddress } from '../../src/auth/limits/client-address.js';
import { readSessionCookie } from '../../src/auth/agents/agent-cookie.js';
import { isOwnOrigin } from '../../src/auth/limits/own-origin.js';
import { attemptOf } from '../../src/auth/sign-in/sign-in-throttle.js';
import { isToken } from '../../src/auth/context/token-format.js';
import { parseAllowedHosts } from '../../src/platform/config/allowed-hosts.js';
import type { Config } from '../../src/platform/config/config.js';
import { ownText } from '../../src/mail/reading/reply-text.js';
import { hasProof } from '../../src/mail/reading/proof.js';
import { decodeCursor } from '../../src/platform/lib/cursor.js';
import {
  canonicalJson,
  findUnstorable,
  hasInexactInteger,
  hasMoreValues,
  isStorable,
  mayLoseDigits,
} from '../../src/platform/lib/json.js';
import { Precondition } from '../../src/platform/http/responses/etag.js';
import { traceparentOf } from '../../src/platform/telemetry/trace.js';
import { parseBody } from '../../src/platform/http/requests/validation.pipe.js';
import { findTimeFault, hasAtMost } from '../../src/platform/validation/validators.js';
import { parseIdempotencyKey } from '../../src/api/bot/idempotency-key.decorator.js';
import { CreateOrganizationDto } from '../../src/api/admin/organizations.dto.js';
import { linkify } from '../../headless/links.js';
import { parseMarkdown } from '../../headless/markdown/blocks.js';
import { withoutMarks } from '../../headless/markdown/marks.js';
import { optionsOf } from '../../headless/options.js';
import { fill } from '../../headless/text.js';
import { type Growing, growthOf, pumped } from './support/growing.js';

const LENGTH = 8_000;
/**
 * Twice the input may take three times as long: linear growth doubles the time, and the rest is for sorting and noise.
 */
const MOST = 3;
/**
 * Growth that seems too steep is measured again this many times, and the minimum counts. Superlinear code is steep
 * every time.
 */
const TRIES = 10;

const load = createRequire(import.meta.url);
type Negotiator = new (request: object) => { encodings(available: string[]): string[] };
const AcceptedEncodings = load('negotiator') as Negotiator;

const orNull = (work: () => unknown) => {
  try {
    return work();
  } catch {
    return null;
  }
};
const request = (name: string, value: string) => ({
  headers: { [name]: value },
  socket: { remoteAddress: '127.0.0.1' },
});
const proxied = new ClientAddress({ TRUST_PROXY: 'loopback, uniquelocal' } as Config);

/** Functions that read input with more than one expression. */
const FUNCTIONS: Record<string, (text: string) => unknown> = {
  bearerToken,
  isToken: (text) => isToken('prl_pat_', text),
  isStorable,
  addressKey,
  networkOf,
  decodeCursor,
  findTimeFault,
  linkify,
  hasAtMost: (text) => hasAtMost(text.length - 1, text),
  'the address of an agent': (text) => orNull(() => parseBody(CreateAgentDto, { name: 'A', email: text })),
  'the picture of an agent': (text) =>
    orNull(() => parseBody(CreateAgentDto, { name: 'A', email: 'a@example.com', avatarUrl: text })),
  'the cookie of an agent': (text) => readSessionCookie(text, { isSecure: false, basePath: '' }),
  'the origin of an agent': (text) =>
    isOwnOrigin(request('origin', text) as unknown as IncomingMessage, {
      publicUrl: 'https://chat.example',
      isSecure: true,
    }),
  'the address of an agent who signs in': (text) => attemptOf(text, '127.0.0.1'),
  'the origins of an organization': (text) =>
    orNull(() => parseBody(CreateOrganizationDto, { name: 'A', allowedOrigins: [text] })),
  parseAllowedHosts: (text) => orNull(() => parseAllowedHosts(text)),
  traceparentOf: (text) => traceparentOf({ headers: { traceparent: text } }),
  'If-Match': (text) => orNull(() => Precondition.read(text)),
  parseIdempotencyKey: (text) => orNull(() => parseIdempotencyKey(text)),
  'X-Forwarded-For': (text) => proxied.of(request('x-forwarded-for', text) as unknown as IncomingMessage),
  'Accept-Encoding': (text) => new AcceptedEncodings(request('accept-encoding', text)).encodings(['br', 'gzip']),
  'a query': (text) => parseQuery(text),
  hasInexactInteger: (text) => hasInexactInteger(2 ** 60, `1234567890123456${text}`),
  hasMoreValues: (text) => hasMoreValues(text, text.length),
  mayLoseDigits,
  fill: (text) => fill(text, { name: 'N' }),
  parseMarkdown: (text) => parseMarkdown(text),
  withoutMarks,
  ownText: (text) => ownText(text, [`${text}\n\n${text}`]),
  hasProof: (text) => hasProof({ from: 'a@b.example', authentication: text }, 'a'),
};

/** Functions that read an object, built from the characters of a text. */
const OF_OBJECTS: Record<string, (text: string) => unknown> = {
  'findUnstorable, wide': (text) => findUnstorable(Array.from(text), Infinity),
  'findUnstorable, keys': (text) =>
    findUnstorable(Object.fromEntries(Array.from(text, (part, at) => [part + at, at])), Infinity),
  canonicalJson: (text) =>
    canonicalJson(Object.fromEntries(Array.from(text, (part, at) => [part + (at % 977) + at, at]))),
  optionsOf: (text) =>
    optionsOf({ metadata: { options: Array.from(text, (label) => ({ label, value: '' })) } } as never),
};

const BEGINNINGS = ['', 'http://', 'https://a.b/', 'Bearer ', 'a@', '"', '[', '00-', 'a=', '127.0.0.1, '];
const PIECES = [
  ...' .,:;!?()[]{}<>"\'\\/@-_=&%+*#0aé',
  'aa.',
  'a@',
  '()',
  '((',
  '))',
  ').',
  '\\"',
  ', ',
  '%20',
  'http://a)',
];
const PUMPED = pumped(BEGINNINGS, [
  ...PIECES,
  '# ',
  '### \t',
  '| - ',
  '- * ',
  '`',
  '~~~',
  'br;q=0.1,',
  '127.0.0.1,',
  '10.0.0.1, ',
  '::1,',
  'a=1&',
  '{name}',
  '{a',
  '😀',
]);

/**
 * Measures again when growth seems too steep: a pause of the machine doesn't repeat at the same place. Then over eight times the length,
 * because the collection of garbage, which begins somewhere between two lengths, adds less to each doubling.
 */
function leastGrowth(run: (text: string) => unknown, input: Growing, length: number): number {
  let least = growthOf(run, input, length, 2 * length);
  for (let times = 1; times < TRIES && least > MOST; times++)
    least = Math.min(least, growthOf(run, input, length / 4, 2 * length));
  return least;
}

function findSuperlinear(run: (text: string) => unknown, inputs: readonly Growing[], length = LENGTH) {
  return inputs
    .map((input) => ({ input: input.name, growth: leastGrowth(run, input, length) }))
    .filter(({ growth }) => growth > MOST);
}

describe('linear time', () => {
  it.each(Object.entries(FUNCTIONS))('%s takes linear time on any text', (_name, run) => {
    expect(findSuperlinear(run, PUMPED)).toEqual([]);
  });

  it.each(Object.entries(OF_OBJECTS))('%s takes linear time on any object', (_name, run) => {
    expect(findSuperlinear(run, pumped([''], ['a', '0', 'zyxwvutsrqponmlkjihgfedcba']))).toEqual([]);
  });

  it('reading nested metadata takes linear time', () => {
    const run = (text: string) => findUnstorable(JSON.parse(text), Infinity);
    const nested = { name: 'nested', make: (length: number) => '['.repeat(length) + ']'.repeat(length) };
    const wide = { name: 'wide', make: (length: number) => JSON.stringify(Array(length).fill({ a: [1] })) };
    expect(findSuperlinear(run, [nested, wide], 1_000)).toEqual([]);
  });

  it('the measurement detects expressions and functions that take quadratic time', () => {
    // Eight times as long for twice the input, which no noise hides.
    const run = (text: string) => /\/+\/+$/.test(text);
    expect(findSuperlinear(run, pumped([''], ['/']), 300)).not.toEqual([]);
  });
});
