import { describe, expect, it } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { confirm } from './confirm.js';

describe('confirm', () => {
  const terminal = (answer: string | null, { isTTY = true } = {}) => {
    const [input, output] = [new PassThrough(), new PassThrough()].map((stream) => Object.assign(stream, { isTTY }));
    input!.end(answer ?? undefined);
    return { input: input!, output: output! };
  };

  it.each(['y\n', 'Y\n', 'yes\n', ' yes \n'])('the answer %j means yes', async (answer) => {
    expect(await confirm('Delete?', terminal(answer))).toBe(true);
  });

  it.each(['\n', 'n\n', 'yesterday\n', 'delete\n', null, '\u0003', '\u0004', 'y\u0003'])(
    'the answer %j means no',
    async (answer) => {
      expect(await confirm('Delete?', terminal(answer))).toBe(false);
    },
  );

  it('terminal commands in the question are escaped', async () => {
    const at = terminal('y\n');
    await confirm('Delete a\u001b[2J?', at);
    expect(String(at.output.read())).toContain('Delete a\\u001b[2J? [y/N] ');
  });

  it('a question without a terminal fails', async () => {
    await expect(confirm('Delete?', terminal('y\n', { isTTY: false }))).rejects.toMatchObject({ exitCode: 2 });
  });
});
