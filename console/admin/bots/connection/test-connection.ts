import { stream } from '../../../api/stream.js';
import { type Connection, adminPath } from '../../api.js';

/** What became of a test. */
export interface TestResult {
  ok: boolean;
  text: string;
  firstTokenMs: number | null;
  durationMs: number;
  warnings: string[];
  /** The choices that came with the answer. */
  choices?: string[];
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
  let choices: string[] = [];
  await stream(adminPath(`/bots/${botId}/connection/test`), body, signal, (type, data) => {
    if (type === 'text') {
      const { text, isWhole } = data as { text: string; isWhole?: boolean };
      shown = isWhole ? text : shown + text;
      onText(shown);
    }
    if (type === 'tool') choices = choicesIn(data as { name: string; arguments: string }) ?? choices;
    if (type === 'done') result = { ...(data as TestResult), choices };
  });
  if (!result) throw new TypeError('the answer ended early');
  return result;
}

/** The labels of the choices that a call of a tool offers. What a model wrote may be anything. */
function choicesIn({ name, arguments: given }: { name: string; arguments: string }): string[] | null {
  if (name !== 'offer_choices') return null;
  try {
    const { choices } = JSON.parse(given) as { choices: { label: unknown }[] };
    return choices.map(({ label }) => String(label));
  } catch {
    return null;
  }
}
