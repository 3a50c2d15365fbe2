import type { Connection } from '../../api.js';
import { type ScriptDraft, toDraft as toScriptDraft, toScript } from '../script/script-draft.js';

type Shares = NonNullable<Connection['share']>;
export const SHARES = ['groups', 'page', 'visitor', 'notes', 'files'] as const satisfies Shares;

/** The fields of the form as they're typed. */
export interface Values {
  kind: Connection['kind'];
  url: string;
  model: string;
  /** Empty: none, or the saved one. */
  key: string;
  instructions: string;
  /** A line each, `Name: value`. Empty: none, or the saved ones. */
  headers: string;
  /** What the endpoint gets besides the conversation. */
  share: Shares;
  /** Of the kind `script`. */
  script: ScriptDraft;
}

/** @param kind of a new connection */
export function toValues(connection: Connection | null, kind: Connection['kind'] = 'openai'): Values {
  return {
    kind: connection?.kind ?? kind,
    url: connection?.url ?? '',
    model: connection?.model ?? '',
    key: '',
    instructions: connection?.instructions ?? '',
    headers: '',
    share: connection?.share ?? ['groups', 'page'],
    script: toScriptDraft(connection?.script ?? null),
  };
}

/**
 * The body of a request. Secrets that aren't typed stay as they are.
 * @param connection the saved one, whose kind can't change; null: a new one
 */
export function toFields(values: Values, connection: Connection | null): Record<string, unknown> {
  const { kind, url, model, key, instructions, headers, share, script } = values;
  if (kind === 'script') return { ...(connection ? {} : { kind }), script: toScript(script) };
  return {
    ...(connection ? {} : { kind }),
    url: url.trim(),
    share: SHARES.filter((one) => share.includes(one)),
    ...(kind === 'openai' && { model: model.trim(), instructions: instructions.trim() || null }),
    ...(key.trim() && { key: key.trim() }),
    ...(headers.trim() && { headers: toHeaders(headers) }),
  };
}

/** The body of a connection to try: what the form doesn't show stays as it's saved. */
export function toDraft(values: Values, connection: Connection | null): Record<string, unknown> {
  const fields = { kind: values.kind, ...toFields(values, connection) };
  if (!connection) return fields;
  const { hasKey: _, headerNames: __, createdAt: ___, health: ____, ...saved } = connection;
  return { ...saved, ...fields };
}

/** A line without a colon is a name without a value, which the service refuses by that name. */
function toHeaders(lines: string): Record<string, string> {
  const given = lines.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    given.map((line) => {
      const end = line.indexOf(':');
      return end < 0 ? [line.trim(), ''] : [line.slice(0, end).trim(), line.slice(end + 1).trim()];
    }),
  );
}
