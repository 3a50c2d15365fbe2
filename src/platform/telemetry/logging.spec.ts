import { describe, expect, it } from '@jest/globals';
import { describeError } from './logging.js';

describe('an error in the log', () => {
  it('keeps the code and names from the database, and no values of rows', () => {
    const error = Object.assign(new Error('duplicate key value violates unique constraint "uq_agents_email"'), {
      code: '23505',
      constraint: 'uq_agents_email',
      detail: 'Key (email)=(vera@example.com) already exists.',
    });
    const described = describeError(error);
    expect(described).toMatchObject({ code: '23505', constraint: 'uq_agents_email', message: error.message });
    expect(JSON.stringify(described)).not.toContain('vera');
  });

  it('a log line does not repeat a value that the database refuses', () => {
    const error = Object.assign(new Error('invalid input syntax for type integer: "my secret"'), { code: '22P02' });
    const wrapped = Object.assign(new Error(error.message), { driverError: error });
    for (const each of [error, wrapped]) {
      const described = describeError(each);
      expect(described.code).toBe('22P02');
      expect(described.stack).toContain('logging.spec');
      expect(JSON.stringify(described)).not.toContain('my secret');
    }
  });
});
