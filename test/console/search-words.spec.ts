import { describe, expect, it } from '@jest/globals';
import {
  attributeWords,
  keyTyped,
  piecesOf,
  readWords,
  tagTyped,
  withKey,
  withTag,
} from '../../console/lib/search-words.js';

describe('the words of a search', () => {
  const known = {
    agents: [
      { id: 'agt_1', name: 'Adam' },
      { id: 'agt_2', name: 'Ada' },
      { id: 'agt_3', name: 'Zoë de Vries' },
    ],
    groups: [{ id: 'grp_1', name: 'Sales' }],
    me: 'agt_9',
  };
  const read = (typed: string) => readWords(typed, known);
  const bodyOf = (typed: string) => read(typed).body;

  it('words are searched for as they are, with quotes', () => {
    expect(bodyOf('  two   words ')).toEqual({ q: 'two words' });
    expect(bodyOf('"in a row" INV-2026/0815')).toEqual({ q: '"in a row" INV-2026/0815' });
    expect(bodyOf('http://a.example:80')).toEqual({ q: 'http://a.example:80' });
    expect(bodyOf('"an open quote')).toEqual({ q: '"an open quote' });
    expect(bodyOf('')).toBeNull();
  });

  it('filters name states, senders, people, and groups', () => {
    expect(bodyOf('refund is:closed FROM:visitor')).toEqual({ q: 'refund', status: 'CLOSED', senderType: 'VISITOR' });
    expect(bodyOf('agent:ada')).toEqual({ agentId: 'agt_2' });
    expect(bodyOf('agent:zoe')).toEqual({ agentId: 'agt_3' });
    expect(bodyOf('agent:"Zoë de Vries" x')).toEqual({ q: 'x', agentId: 'agt_3' });
    expect(bodyOf('agent:me group:sal rating:* is:unread')).toEqual({
      agentId: 'agt_9',
      groupId: 'grp_1',
      rating: ['*'],
      unread: true,
    });
  });

  it('a chat must have all tags, and a tag may have blanks', () => {
    expect(bodyOf('tag:refund TAG:"money back" x')).toEqual({ q: 'x', tag: ['refund', 'money back'] });
    expect(bodyOf('tag:refund')).toEqual({ tag: ['refund'] });
    expect(read(`tag:${'x'.repeat(51)}`).unknown).toHaveLength(1);
  });

  it('the tag at the end is being typed until a blank follows it', () => {
    expect(tagTyped('parcel tag:re')).toBe('re');
    expect(tagTyped('tag:')).toBe('');
    expect(tagTyped('tag:"money b')).toBe('money b');
    expect(tagTyped('tag:"money ')).toBe('money ');
    for (const typed of ['tag:refund ', 'refund', '', 'agent:tag:x']) expect(tagTyped(typed)).toBeNull();
    expect(withTag('tag:vip tag:re', 'Refund')).toBe('tag:vip tag:Refund ');
    expect(withTag('x tag:"mon', 'Money back')).toBe('x tag:"Money back" ');
  });

  it('attributes have keys with points, values with blanks, and several values', () => {
    expect(bodyOf('x attr.plan:gold ATTR.plan:"Gold plus" verified.crm.id-2:*')).toEqual({
      q: 'x',
      'attr.plan': ['gold', 'Gold plus'],
      'verified.crm.id-2': ['*'],
    });
    expect(bodyOf('attr.Plan:a:b')).toEqual({ 'attr.Plan': ['a:b'] });
    expect(bodyOf('attr.plan:""')).toEqual({ 'attr.plan': [''] });
    expect(read('refund attr.plan:')).toEqual({ body: { q: 'refund' }, unknown: [] });
    expect(read(`attr.:x attr.a/b:x attr.${'k'.repeat(65)}:x`).unknown).toHaveLength(3);
    expect(bodyOf('attr.constructor:x attr.__proto__:y')).toEqual({
      'attr.constructor': ['x'],
      'attr.__proto__': ['y'],
    });
    expect(bodyOf('attribute attr.plan x')).toEqual({ q: 'attribute attr.plan x' });
  });

  it('more than 10 tags and attributes are too many', () => {
    const ten = Array.from({ length: 9 }, (_, at) => `attr.key:${at}`).join(' ') + ' tag:refund';
    expect(read(ten).body).toHaveProperty('tag');
    expect(read(`x ${ten} verified.plan:*`)).toEqual({ body: null, unknown: [], hasTooMany: true });
    expect(read(`${ten} tag:vip is:open`).hasTooMany).toBe(true);
  });

  it('the key at the end is being typed until a colon or a blank follows it', () => {
    expect(keyTyped('parcel attr.pl')).toEqual({ prefix: 'attr.', key: 'pl' });
    expect(keyTyped('VERIFIED.')).toEqual({ prefix: 'verified.', key: '' });
    for (const typed of ['attr.plan:', 'attr.plan ', '"attr.plan', 'x', '', 'attr.a/b'])
      expect(keyTyped(typed)).toBeNull();
    expect(bodyOf('parcel attr.pl')).toEqual({ q: 'parcel' });
    expect(withKey('attr.plan:gold attr.se', 'seats')).toBe('attr.plan:gold attr.seats:');
    expect(withKey('Verified.', 'plan')).toBe('verified.plan:');
  });

  it('a value is written so that it is read again', () => {
    for (const value of ['gold', 'Gold plus', '', 'a:b', '5'])
      expect(bodyOf(attributeWords('attr.', 'plan', value)!)).toEqual({ 'attr.plan': [value] });
    for (const value of ['*', 'the "best"']) expect(attributeWords('attr.', 'plan', value)).toBeNull();
  });

  it('days begin in the time zone of the agent', () => {
    const day = (text: string) => new Date(`${text}T00:00`).toISOString();
    expect(bodyOf('x after:2026-10-01 before:2026-11-01')).toEqual({
      q: 'x',
      from: day('2026-10-01'),
      to: day('2026-11-01'),
    });
  });

  it('a filter that is being typed is left out, and one that is wrong is named', () => {
    expect(read('refund agent:')).toEqual({ body: { q: 'refund' }, unknown: [] });
    expect(read('agent:bob is:odd is:constructor before:tomorrow before:2026-13-01 rating:9')).toEqual({
      body: null,
      unknown: ['agent:bob', 'is:odd', 'is:constructor', 'before:tomorrow', 'before:2026-13-01', 'rating:9'],
    });
  });

  it('what says nothing of a chat is not asked for alone', () => {
    expect(bodyOf('from:bot')).toBeNull();
    expect(bodyOf('before:2026-10-01')).toBeNull();
    expect(bodyOf('from:bot is:open')).toEqual({ status: 'ACTIVE' });
  });

  it('every second piece of a text matches', () => {
    expect(piecesOf('one two three', [[4, 7]])).toEqual(['one ', 'two', ' three']);
    expect(piecesOf('one', [])).toEqual(['one']);
    expect(
      piecesOf('ab', [
        [0, 1],
        [1, 2],
      ]),
    ).toEqual(['', 'a', '', 'b', '']);
  });
});
