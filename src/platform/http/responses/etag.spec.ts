import { describe, expect, it } from '@jest/globals';
import { etagOf, hasVersion, Precondition } from './etag.js';

const GROUP = { id: 'grp_1', name: 'Sales' };
const TAG = etagOf(GROUP);

const holds = (header: string, resource: object = GROUP): boolean => {
  try {
    Precondition.read(header)!.check(resource);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'precondition_failed', status: 412 });
    return false;
  }
};

describe('the entity tag', () => {
  it('an entity tag is strong, changes with the response, and ignores fields that are shown only once', () => {
    expect(TAG).toMatch(/^"[\w-]{27}"$/);
    expect(etagOf({ ...GROUP })).toBe(TAG);
    expect(etagOf({ ...GROUP, name: 'Support' })).not.toBe(TAG);
    expect(etagOf({ ...GROUP, secret: 'whsec_x' })).toBe(TAG);
    expect(etagOf({ metadata: { secret: 1 } })).not.toBe(etagOf({ metadata: { secret: 2 } }));
    expect(etagOf({ at: new Date(0) })).toBe(etagOf({ at: '1970-01-01T00:00:00.000Z' }));
  });
});

describe('If-Match', () => {
  it('If-Match is optional, and compares strongly', () => {
    expect(Precondition.read(undefined)).toBeNull();
    expect(holds(TAG)).toBe(true);
    expect(holds('*')).toBe(true);
    expect(holds(' * ')).toBe(true);
    expect(holds('"other"')).toBe(false);
    expect(holds(`W/${TAG}`)).toBe(false);
    expect(holds('""')).toBe(false);
  });

  it('If-Match may be a list, with commas and spaces as RFC 9110 allows', () => {
    for (const list of [`"a", ${TAG}`, `${TAG},"a"`, `"a,b" ,\t${TAG} ,`, `, "a",, ${TAG}`, `W/"a",${TAG}`]) {
      expect([list, holds(list)]).toEqual([list, true]);
    }
    expect(holds('"a", W/"b", "ü"')).toBe(false);
  });

  it('a malformed If-Match is refused', () => {
    for (const wrong of ['', ' ', ',', 'a', '"a', 'a"', '"a" "b"', `${TAG}"`, '*, "a"', '"a", *', 'w/"a"', '"a b"']) {
      expect(() => Precondition.read(wrong)).toThrow('If-Match must be');
    }
  });
});

describe('If-None-Match', () => {
  it.each([
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['"b" ,W/"a"', true],
    ['*', true],
    [undefined, false],
    ['', false],
    ['a', false],
    ['"aa"', false],
    ['x"a"', false],
    ['"b"', false],
  ])('%s', (header, has) => {
    expect(hasVersion(header, '"a"')).toBe(has);
  });
});
