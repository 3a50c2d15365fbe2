import { describe, expect, it } from '@jest/globals';
import type { Conversation, Reply, Said } from '../../model/conversation.js';
import { RunFailure } from '../../model/turn.js';
import { AguiReader } from './reader.js';

type Event = Record<string, unknown>;

const asked: Said = {
  id: 'msg_1',
  seq: 1,
  by: 'VISITOR',
  name: null,
  text: 'Hi',
  value: null,
  repliesTo: null,
  files: [],
};
const conversation = (fields: object = {}) =>
  ({
    chatId: 'cht_1',
    runId: 'run_1',
    history: [],
    asked: [asked],
    followUp: [],
    ...fields,
  }) as unknown as Conversation;
const run = { threadId: 'cht_1', runId: 'run_1' };
const started: Event = { type: 'RUN_STARTED', ...run, protocolVersion: '1.1' };
const finished: Event = { type: 'RUN_FINISHED', ...run, outcome: { type: 'success' } };
const begin = (messageId: string, fields: object = {}): Event => ({ type: 'TEXT_MESSAGE_START', messageId, ...fields });
const add = (messageId: string, delta: string): Event => ({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta });
const end = (messageId: string): Event => ({ type: 'TEXT_MESSAGE_END', messageId });
const says = (text: string, id = 'm1'): Event[] => [begin(id), add(id, text), end(id)];
const call = (id: string, name: string, args: string): Event[] => [
  { type: 'TOOL_CALL_START', toolCallId: id, toolCallName: name },
  { type: 'TOOL_CALL_ARGS', toolCallId: id, delta: args },
  { type: 'TOOL_CALL_END', toolCallId: id },
];
const snapshot = (...messages: object[]): Event => ({ type: 'MESSAGES_SNAPSHOT', messages });

/** What's read of events, and the last live text. */
function read(events: readonly (Event | string)[], fields: object = {}, hasMarker = false) {
  let live = '';
  const statuses: string[] = [];
  const progress = {
    onText: (text: () => string) => void (live = text()),
    onStatus: (name: string) => void statuses.push(name),
  };
  const reader = new AguiReader(hasMarker, conversation(fields), progress);
  reader.start('text/event-stream');
  const lines = events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
  let reply: Reply | null = null;
  let failure: RunFailure | null = null;
  try {
    reader.push(Buffer.from(lines.join('')));
    reply = reader.end();
  } catch (error) {
    failure = error as RunFailure;
  }
  return { reply: reply!, failure, live, statuses, reader };
}
const ours = (...events: Event[]) => [started, ...events, finished];

describe('the events of AG-UI', () => {
  it('a message is read as it comes, and kept with its id', () => {
    const { reply, live, reader } = read(ours(...says('Hello!')));
    expect(reply).toMatchObject({ messages: ['Hello!'], calls: [], warnings: [], isCancelled: false, interrupts: [] });
    expect(reply.raw).toEqual([{ id: 'm1', role: 'assistant', content: 'Hello!' }]);
    expect(live).toBe('Hello!');
    expect(reader.protocolVersion).toBe('1.1');
  });

  it('chunks stand for whole messages and calls', () => {
    const { reply } = read(
      ours(
        { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm1', delta: 'Hel' },
        { type: 'RAW', event: {} },
        { type: 'TEXT_MESSAGE_CHUNK', delta: 'lo' },
        { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm2', role: 'assistant', delta: 'Bye' },
        { type: 'TOOL_CALL_CHUNK', toolCallId: 'c1', toolCallName: 'close_chat', delta: '{' },
        { type: 'TOOL_CALL_CHUNK', delta: '}' },
      ),
    );
    expect(reply.messages).toEqual(['Hello', 'Bye']);
    expect(reply.calls).toEqual([{ id: 'c1', name: 'close_chat', arguments: '{}' }]);
  });

  it('other roles than the assistant are kept, and not said', () => {
    const { reply } = read(
      ours(
        begin('m0', { role: 'developer' }),
        add('m0', 'x'),
        end('m0'),
        begin('m2', { role: 'poet' }),
        end('m2'),
        ...says('Hi'),
      ),
    );
    expect(reply.messages).toEqual(['Hi']);
    expect(reply.raw!.map(({ role }) => role)).toEqual(['developer', 'assistant']);
  });

  it('a closed message that is opened again is a further one', () => {
    expect(read(ours(...says('One'), ...says('Two'))).reply.messages).toEqual(['One', 'Two']);
  });

  it('calls without a result are pending, unless the outcome names only some of them', () => {
    const events = [
      ...call('c1', 'hand_over', '{"reason":"x"}'),
      ...call('c2', 'search', '{}'),
      ...call('c3', 'close_chat', '{}'),
    ];
    const result = { type: 'TOOL_CALL_RESULT', messageId: 't1', toolCallId: 'c2', content: 'found' };
    expect(read(ours(...events, result)).reply.calls.map(({ id }) => id)).toEqual(['c1', 'c3']);
    const outcome = { type: 'success', pendingToolCallIds: ['c3'] };
    const { reply, statuses } = read([started, ...events, result, { ...finished, outcome }]);
    expect(reply.calls.map(({ id }) => id)).toEqual(['c3']);
    expect(statuses).toEqual(['hand_over', 'search', 'close_chat']);
  });

  it('a call that has an answer is not executed again', () => {
    const history = [{ raw: [{ id: 'c1', role: 'assistant', toolCalls: [{ id: 'c1' }] }] }];
    const { reply } = read(ours(...call('c1', 'hand_over', '{}'), ...says('Hi')), { history });
    expect(reply).toMatchObject({ calls: [], messages: ['Hi'] });
    expect(reply.raw).toHaveLength(1);
  });

  it('the state is replaced and patched, atomically', () => {
    const first = { type: 'STATE_SNAPSHOT', snapshot: { a: [1], b: { c: 1 } } };
    const patch = (...delta: object[]): Event => ({ type: 'STATE_DELTA', delta });
    const good = patch(
      { op: 'add', path: '/a/-', value: 2 },
      { op: 'replace', path: '/b/c', value: 3 },
      { op: 'move', from: '/b', path: '/d' },
    );
    const bad = patch({ op: 'remove', path: '/a' }, { op: 'test', path: '/d/c', value: 9 });
    const { reply } = read(ours(first, good, bad, patch({ op: 'merge', path: '' }), ...says('Hi')));
    expect(reply.state).toEqual({ a: [1, 2], d: { c: 3 } });
    expect(reply.warnings).toEqual(['STATE_DELTA: a test failed', 'STATE_DELTA: unknown op']);
    expect(read(ours(...says('Hi'))).reply.state).toBeUndefined();
  });

  it('a state of more than 64 kB is not taken', () => {
    const { reply } = read(ours({ type: 'STATE_SNAPSHOT', snapshot: 'x'.repeat(70_000) }, ...says('Hi')));
    expect(reply.state).toBeUndefined();
    expect(reply.warnings).toEqual(['state: more than 64 kB, so the old one stays']);
  });

  it('a patch that copies the state into itself ends when it is too large, and costs little', () => {
    const first = { type: 'STATE_SNAPSHOT', snapshot: { a: 'x'.repeat(1_000) } };
    const copies = Array.from({ length: 200 }, (_, n) => ({ op: 'copy', from: '', path: `/c${n}` }));
    const { reply } = read(ours(first, { type: 'STATE_DELTA', delta: copies }, ...says('Hi')));
    expect(reply).toMatchObject({ messages: ['Hi'], state: undefined });
    expect(reply.warnings).toEqual(['state: more than 64 kB, so the old one stays']);
  });

  it.each([2, 60])('a state that %d small patches nest deeply is not taken', (length) => {
    const value = JSON.parse('['.repeat(150) + ']'.repeat(150));
    const deltas = Array.from({ length }, (_, n) => ({
      type: 'STATE_DELTA',
      delta: [{ op: 'add', path: '/0'.repeat(150 * n) + '/-', value }],
    }));
    const { reply } = read(ours({ type: 'STATE_SNAPSHOT', snapshot: [] }, ...deltas, ...says('Hi')));
    expect(reply).toMatchObject({ messages: ['Hi'], state: undefined });
    expect(reply.warnings).toEqual(['state: nested too deeply, so the old one stays']);
  });

  it('after a state that is too large, changes have no effect until a whole state comes', () => {
    const large = { type: 'STATE_SNAPSHOT', snapshot: 'x'.repeat(70_000) };
    const add = { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/b', value: 1 }] };
    expect(read(ours(large, add, ...says('Hi'))).reply.state).toBeUndefined();
    const whole = { type: 'STATE_SNAPSHOT', snapshot: { a: 1 } };
    expect(read(ours(large, add, whole, add, ...says('Hi'))).reply.state).toEqual({ a: 1, b: 1 });
  });

  it.each([
    [{ op: 'add', path: '/a/0', value: 9 }],
    [{ op: 'add', path: '/b', value: 9 }],
    [{ op: 'add', path: '/c', value: 9 }],
    [{ op: 'remove', path: '/a/1' }],
    [{ op: 'remove', path: '/b' }],
    [{ op: 'replace', path: '', value: 9 }],
    [{ op: 'remove', path: '' }],
    [{ op: 'move', from: '/a/0', path: '/a/-' }],
    [{ op: 'move', from: '/b', path: '' }],
    [{ op: 'copy', from: '/a', path: '/b' }],
  ])('a failed patch is taken back: %j', (operation) => {
    const snapshot = { a: [1, 2], b: { c: null } };
    const bad = { type: 'STATE_DELTA', delta: [operation, { op: 'test', path: '/nowhere', value: 1 }] };
    const { reply } = read(ours({ type: 'STATE_SNAPSHOT', snapshot }, bad, ...says('Hi')));
    expect(reply.state).toEqual({ a: [1, 2], b: { c: null } });
  });

  it('answers that only a snapshot has are said, if they follow the last message of the visitor', () => {
    const old = { id: 'm0', role: 'assistant', content: 'Old' };
    const { reply } = read(
      ours(
        snapshot(old, { id: 'msg_1', role: 'user', content: 'Hi' }, { id: 'm9', role: 'assistant', content: 'New' }),
      ),
    );
    expect(reply.messages).toEqual(['New']);
    expect(reply.raw!.map(({ id }) => id)).toEqual(['m0', 'm9']);
  });

  it('a snapshot replaces and leaves out what the endpoint got, but not what was streamed to people', () => {
    const history = [
      {
        raw: [
          { id: 'm5', role: 'assistant', content: 'Before' },
          { id: 'm6', role: 'assistant', content: 'Gone' },
        ],
      },
    ];
    const after = { id: 'm5', role: 'assistant', content: 'After', encryptedValueType: 'k' };
    const { reply } = read(ours(...says('Hello!'), snapshot(after, { id: 'msg_1', role: 'user', content: 'Hi' })), {
      history,
    });
    expect(reply.messages).toEqual(['Hello!']);
    expect(reply.raw).toBeNull();
    expect(reply.snapshot).toEqual({
      replaced: { m5: after, msg_1: { id: 'msg_1', role: 'user', content: 'Hi' } },
      omitted: ['m6'],
    });
  });

  it('reasoning stays only with an encrypted value, and a new value removes the old type', () => {
    const reasoning = (id: string): Event[] => [
      { type: 'REASONING_START', messageId: id },
      { type: 'REASONING_MESSAGE_START', messageId: id, role: 'reasoning' },
      { type: 'REASONING_MESSAGE_CONTENT', messageId: id, delta: 'Hm' },
      { type: 'REASONING_MESSAGE_END', messageId: id },
      { type: 'REASONING_END', messageId: id },
    ];
    const value = (entityId: string, fields: object = {}): Event => ({
      type: 'REASONING_ENCRYPTED_VALUE',
      subtype: 'message',
      entityId,
      encryptedValue: 'v',
      ...fields,
    });
    const { reply } = read(
      ours(
        ...reasoning('r1'),
        ...reasoning('r2'),
        value('r2', { encryptedValueType: 'k' }),
        value('r2'),
        value('r3'),
        value('r2', { subtype: 'x' }),
        ...says('Hi'),
      ),
    );
    expect(reply.raw![0]).toEqual({ id: 'r2', role: 'reasoning', content: 'Hm', encryptedValue: 'v' });
    expect(reply.messages).toEqual(['Hi']);
    expect(reply.warnings).toEqual([
      'REASONING_ENCRYPTED_VALUE: no such message or call',
      'REASONING_ENCRYPTED_VALUE: unknown subtype',
    ]);
  });

  it('a replayed run changes the transcript and the state only', () => {
    const replay = { threadId: 'cht_1', runId: 'run_0' };
    const { reply } = read([
      { ...started, ...replay },
      ...says('Old', 'm0'),
      { type: 'STATE_SNAPSHOT', snapshot: 1 },
      { ...finished, ...replay },
      ...ours(...says('New')),
    ]);
    expect(reply).toMatchObject({ messages: ['New'], state: 1 });
    expect(reply.raw!.map(({ id }) => id)).toEqual(['m0', 'm1']);
  });

  it('an endpoint from before 1.0 may have a run of its own, and asks by a custom event', () => {
    const own = { threadId: 'cht_1', runId: 'other' };
    const question = { type: 'CUSTOM', name: 'on_interrupt', value: 'Sure?' };
    const { reply, reader } = read([
      { type: 'RUN_STARTED', ...own },
      { type: 'THINKING_START' },
      question,
      { type: 'RUN_FINISHED', ...own, outcome: null },
    ]);
    expect(reply.interrupts).toEqual([
      { id: 'on_interrupt', reason: 'on_interrupt', message: 'Sure?', isLegacy: true },
    ]);
    expect(reply.warnings).toEqual([]);
    expect(reader.protocolVersion).toBeNull();
  });

  it('unknown events, members, roles, and outcomes are dropped with a warning', () => {
    const { reply } = read([
      { ...started, protocolVersion: '1.10' },
      { type: 'TELEPATHY' },
      { type: 'ACTIVITY_SNAPSHOT', messageId: 'a', activityType: 'x', content: {} },
      ...says('Hi').map((event) => ({ ...event, mood: 'good', rawEvent: null })),
      { ...finished, outcome: { type: 'paused' } },
    ]);
    expect(reply.messages).toEqual(['Hi']);
    expect(reply.warnings).toEqual([
      'protocolVersion 1.10: newer than 1.1, or unreadable',
      'event TELEPATHY: unknown',
      'outcome paused: unknown',
    ]);
  });

  it('an end on purpose is no failure', () => {
    expect(read([started, ...says('Hi'), { ...finished, outcome: { type: 'cancelled' } }]).reply).toMatchObject({
      messages: ['Hi'],
      isCancelled: true,
    });
  });

  it('the usage of all models is added', () => {
    const usage = [
      { model: 'a', inputTokens: 3, outputTokens: 1 },
      { model: 'b', inputTokens: 4, reasoningTokens: -1 },
    ];
    expect(read([started, ...says('Hi'), { ...finished, usage }]).reply.usage).toEqual({
      inputTokens: 7,
      outputTokens: 1,
    });
  });

  it('an error after the end marks the run, and is not repeated without a message', () => {
    const error = { type: 'RUN_ERROR', message: 'late' };
    expect(read([...ours(...says('Hi')), error]).reply).toMatchObject({
      messages: ['Hi'],
      lateError: { code: 'endpoint_error' },
    });
    const { failure } = read([...ours(), error]);
    expect(failure).toMatchObject({ code: 'endpoint_error', isPassing: false });
  });

  it('what was closed before a failure stays', () => {
    const { failure, reader } = read([
      started,
      ...says('Closed'),
      begin('m2'),
      add('m2', 'Open'),
      { type: 'RUN_ERROR', message: 'broken' },
    ]);
    expect(failure).toMatchObject({ code: 'endpoint_error', message: 'broken' });
    expect(reader.closedTexts()).toEqual(['Closed']);
  });

  it('the marker counts only where no tools are offered', () => {
    const events = ours(...says('One moment.\n[[hand_over: x]]\nno'));
    expect(read(events, {}, true).reply).toMatchObject({ messages: ['One moment.'], handOver: { reason: 'x' } });
    expect(read(events).reply).toMatchObject({ messages: ['One moment.\n[[hand_over: x]]\nno'], handOver: null });
  });

  it.each<[string, (Event | string)[], string]>([
    ['a first event that begins no run', [...says('Hi')], 'protocol'],
    ['another thread', [{ ...started, threadId: 'cht_2' }], 'protocol'],
    ['another thread at the end', [started, { ...finished, threadId: 'cht_2' }], 'protocol'],
    [
      'no run with our id',
      [
        { ...started, runId: 'r' },
        { ...finished, runId: 'r' },
      ],
      'protocol',
    ],
    ['ends that disagree', [started, { ...finished, runId: 'r' }], 'protocol'],
    ['a run in a run', [started, started], 'protocol'],
    ['an event after the end', [...ours(), ...says('x')], 'protocol'],
    ['a message that is opened twice', [started, begin('a'), begin('a')], 'protocol'],
    ['a message that is not open', [started, add('a', 'x')], 'protocol'],
    ['an end of nothing', [started, end('a')], 'protocol'],
    ['a message that is open at the end', ours(begin('a')), 'protocol'],
    ['a call that is open at the end', ours(call('c', 'x', '')[0]!), 'protocol'],
    ['arguments of no call', [started, call('c', 'x', '{}')[1]!], 'protocol'],
    ['a step that is open at the end', ours({ type: 'STEP_STARTED', stepName: 'a' }), 'protocol'],
    ['the end of another step', [started, { type: 'STEP_FINISHED', stepName: 'a' }], 'protocol'],
    ['a subagent that is not open', [started, { type: 'SUBAGENT_FINISHED', subagentRunId: 's' }], 'protocol'],
    ['a tag that disagrees', [started, begin('a'), { ...add('a', 'x'), subagentRunId: 's' }], 'protocol'],
    ['a chunk without its opener', [started, { type: 'TEXT_MESSAGE_CHUNK', delta: 'x' }], 'protocol'],
    [
      'a chunk with another role',
      [started, { type: 'TEXT_MESSAGE_CHUNK', messageId: 'a' }, { type: 'TEXT_MESSAGE_CHUNK', role: 'user' }],
      'protocol',
    ],
    ['a span of reasoning that stays open', ours({ type: 'REASONING_START', messageId: 'r' }), 'protocol'],
    ['a member that is missing', [started, { type: 'TEXT_MESSAGE_START' }], 'protocol'],
    ['a member that is wrong', [started, { ...add('a', 'x'), delta: 3 }], 'protocol'],
    ['a null that is not optional', [started, { ...begin('a'), role: null }], 'protocol'],
    ['a snapshot with a malformed call', ours(snapshot({ id: 'a', role: 'assistant', toolCalls: [{}] })), 'protocol'],
    [
      'an interruption without a question',
      [started, { ...finished, outcome: { type: 'interrupt', interrupts: [] } }],
      'protocol',
    ],
    ['an event without a type', ['{}'], 'protocol'],
    ['invalid JSON', [started, '{"type"'], 'protocol'],
    ['a name of a prototype as its type', [started, { type: '__proto__' }], 'truncated'],
    ['an end in the middle', [started, ...says('Hi')], 'truncated'],
    ['nothing at all', [], 'truncated'],
    ['1,000 calls', ours(...Array.from({ length: 1_000 }, (_, n) => call(`c${n}`, 'x', '{}')).flat()), 'too_large'],
    ['50,001 characters', ours(...says('x'.repeat(50_001))), 'too_large'],
    [
      '11 questions',
      [
        started,
        {
          ...finished,
          outcome: {
            type: 'interrupt',
            interrupts: Array.from({ length: 11 }, (_, n) => ({ id: `${n}`, reason: 'x' })),
          },
        },
      ],
      'too_large',
    ],
    [
      'an object in an object, 300 times',
      [started, `{"type":"RAW","event":${'['.repeat(300)}${']'.repeat(300)}}`],
      'too_large',
    ],
  ])('fails with %s', (_, events, code) => {
    expect(read(events).failure).toMatchObject({ code });
  });
});
