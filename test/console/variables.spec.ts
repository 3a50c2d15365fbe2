import { describe, expect, it } from '@jest/globals';
import { unknownVariables, withValues } from '../../console/lib/variables.js';

const VALUES = {
  'visitor.name': 'Vera',
  'visitor.email': null,
  'agent.name': 'Ada',
  'group.name': 'Sales',
  'organization.name': 'Acme',
};

describe('variables of canned replies', () => {
  it('each variable is replaced by its value, in any spacing', () => {
    const content = 'Hello {{visitor.name}}, I am {{ agent.name }} of {{group.name}} at {{organization.name}}.';
    expect(withValues(content, VALUES)).toBe('Hello Vera, I am Ada of Sales at Acme.');
  });

  it('a variable without a value is replaced by the text after the bar, or by nothing', () => {
    expect(withValues('To {{visitor.email|your address}}', VALUES)).toBe('To your address');
    expect(withValues('To <{{visitor.email}}>', VALUES)).toBe('To <>');
    expect(withValues('Hi {{visitor.name | there}}', { ...VALUES, 'visitor.name': '  ' })).toBe('Hi there');
  });

  it("a visitor's name is inserted as text on one line, and its braces and marks are not read again", () => {
    const named = (name: string) => withValues('Hi {{visitor.name}}!', { ...VALUES, 'visitor.name': name });
    expect(named('{{agent.name}} $& $1')).toBe('Hi {{agent.name}} $& $1!');
    expect(named('Vera\n\nAdmin')).toBe('Hi Vera Admin!');
  });

  it('what is no variable stays as it is, and is reported', () => {
    const content = '{{vistor.name}} {{constructor}} { {visitor.name} } {{}} {{vistor.name}} {{agent.name}}';
    expect(withValues(content, VALUES)).toBe(
      '{{vistor.name}} {{constructor}} { {visitor.name} } {{}} {{vistor.name}} Ada',
    );
    expect(unknownVariables(content)).toEqual(['{{vistor.name}}', '{{constructor}}', '{{}}']);
  });
});
