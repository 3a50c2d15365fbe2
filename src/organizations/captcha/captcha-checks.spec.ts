import { describe, expect, it } from '@jest/globals';
import { CaptchaChecks, MAX_CHECKS, MAX_CHECKS_OF_ONE, MAX_UNPROVEN_CHECKS } from './captcha-checks.js';

describe('CaptchaChecks', () => {
  const setUp = () => {
    const checks = new CaptchaChecks();
    const aborted: string[] = [];
    const begin = (organization: string) => checks.begin(organization, () => aborted.push(organization));
    /** Begins as many checks as are admitted. */
    const fill = (organization: string) => {
      const ends: ((hasAnswered: boolean) => void)[] = [];
      for (let number = 0; number < MAX_CHECKS_OF_ONE; number++) {
        try {
          ends.push(begin(organization));
        } catch {}
      }
      return ends;
    };
    const fillAll = (organizations: number) =>
      Array.from({ length: organizations }, (_, number) => fill(`silent ${number}`));
    return { aborted, begin, fill, fillAll };
  };

  it.each([4, 50, 250])('an organization begins a check while %i others have taken all places', (organizations) => {
    const { begin, fillAll, aborted } = setUp();
    expect(fillAll(organizations).flat().length).toBeGreaterThanOrEqual(MAX_UNPROVEN_CHECKS);
    aborted.length = 0;
    begin('healthy')(true);
    expect(aborted).toHaveLength(1);
    for (let number = 0; number < MAX_CHECKS_OF_ONE; number++) begin('healthy');
    expect(aborted).toHaveLength(1);
  });

  it('organizations whose providers answered and then hang leave each other one an equal share', () => {
    const { begin, fill, fillAll } = setUp();
    for (let number = 0; number < 4; number++) begin(`silent ${number}`)(true);
    fillAll(4);
    expect(fill('healthy')).toHaveLength(MAX_CHECKS / 5);
    expect(() => begin('silent 0')).toThrow();
  });

  it('a provider that was silent three times in a row is asked once, after a pause', () => {
    const { begin, fill } = setUp();
    for (const end of fill('silent')) end(false);
    expect(() => begin('silent')).toThrow();
  });

  it('a check that loses its place says nothing about its provider', () => {
    const { begin, fillAll } = setUp();
    const [first] = fillAll(4);
    begin('healthy');
    for (const end of first!.slice(0, 1)) end(false);
    for (const end of first!.slice(1)) end(true);
    expect(() => begin('silent 0')).not.toThrow();
  });
});
