import { stream } from '../../../api/stream.js';
import { type Connection, adminPath } from '../../api.js';

/** What became of a test. */
export interface TestResult {
  ok: boolean;
  text: string;
  firstTokenMs: number | null;
  durationMs: number;
  warnings: string[];
  error: { code: NonNullable<Connection['health']['lastFailure']>['code']; detail: string | null } | null;
}

/**
 * Runs a test of a connection. A run may take 60 s.
 * @param onText gets the answer so far
 * @throws RequestError if it can't be tried
 */
export async function testConnection(
  botId: string,
  body: object,
  signal: AbortSignal,
  onText: (text: string) => void,
): Promise<TestResult> {
  let result: TestResult | undefined;
  let shown = '';
  await stream(adminPath(`/bots/${botId}/connection/test`), body, signal, (type, data) => {
    if (type === 'text') {
      const { text, isWhole } = data as { text: string; isWhole?: boolean };
      shown = isWhole ? text : shown + text;
      onText(shown);
    }
    if (type === 'done') result = data as TestResult;
  });
  if (!result) throw new TypeError('the answer ended early');
  return result;
}
