import { describe, expect, it } from '@jest/globals';
import { changedFields, keepTyped, overlap } from '../../console/lib/merge.js';

describe('two changes of the same resource', () => {
  const before = { name: 'Acme', groupIds: ['a'], retentionDays: null };

  it('a form sends only changed fields, and lists by entry', () => {
    expect(changedFields(before, { ...before, groupIds: ['a'] })).toEqual({});
    expect(changedFields(before, { ...before, groupIds: ['a', 'b'] })).toEqual({ groupIds: ['a', 'b'] });
    expect(changedFields({ retentionDays: 30 }, { retentionDays: null })).toEqual({ retentionDays: null });
  });

  it('a form asks about fields that both have set to different values, and about no others', () => {
    expect(overlap(before, { name: 'Mine' }, { ...before, retentionDays: 30 })).toEqual([]);
    expect(overlap(before, { name: 'Same' }, { ...before, name: 'Same' })).toEqual([]);
    expect(overlap(before, { name: 'Mine', groupIds: [] }, { ...before, name: 'Theirs' })).toEqual(['name']);
  });

  it('a form keeps what was typed after submitting, and takes the rest as saved', () => {
    const submitted = { name: ' Acme ', groupIds: ['a'] };
    const saved = { name: 'Acme', groupIds: ['a', 'b'] };
    expect(keepTyped(saved, submitted, submitted)).toEqual(saved);
    expect(keepTyped(saved, submitted, { ...submitted, name: 'Acme Ltd' })).toEqual({ ...saved, name: 'Acme Ltd' });
  });
});
