import { invalid } from '../../platform/errors/problem.js';
import {
  type ConnectionKind,
  type ConnectionSecrets,
  type ConnectionSettings,
  defaultsOf,
  isOfKind,
  NO_SECRETS,
} from '../model/connection.js';

/** The fields of a connection in a request. Null resets a setting to its default. */
export type ConnectionFields = { [K in keyof ConnectionSettings]?: ConnectionSettings[K] | null } & {
  url?: string;
  /** An empty text removes it. */
  key?: string;
  headers?: Record<string, string>;
  isEnabled?: boolean;
};

export interface NewConnection extends ConnectionFields {
  kind: ConnectionKind;
}

/** The address of a connection, and its secrets. */
export interface Target {
  /** Without the query. */
  url: string;
  secrets: ConnectionSecrets;
}

/** What's shown in place of an address's query, which may have secrets. */
export const HIDDEN_QUERY = '?***';

/**
 * The settings after a change. @param before null: omitted settings have their default
 * @throws Problem validation_failed for a field of another kind
 */
export function settingsAfter(
  kind: ConnectionKind,
  before: ConnectionSettings | null,
  fields: ConnectionFields,
): ConnectionSettings {
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined && value !== null && value !== '' && !isOfKind(kind, name))
      throw invalid(`/${name}`, `is not a field of connections of kind ${kind}`);
  const defaults = defaultsOf(kind);
  const base: ConnectionSettings = before ?? defaults;
  const names = Object.keys(defaults) as (keyof ConnectionSettings)[];
  const entries = names.map((name) => [name, valueAfter(base[name], fields[name], defaults[name])] as const);
  return Object.fromEntries(entries) as unknown as ConnectionSettings;
}

function valueAfter(before: unknown, given: unknown, otherwise: unknown): unknown {
  if (given === undefined) return before;
  return given === null ? otherwise : given;
}

/**
 * The address and the secrets after a change. Omitted secrets stay.
 * @throws Problem validation_failed, also for omitted secrets if the address has another origin: it must not get the secrets of the old one
 */
export function targetAfter(before: Target | null, { url: given, key, headers }: ConnectionFields): Target {
  const old = before?.secrets ?? NO_SECRETS;
  const { url, query } = addressAfter(before, given);
  const secrets = {
    ...old,
    query,
    key: key === undefined ? old.key : key || null,
    headers: headers ?? old.headers,
  };
  const isMoved = before !== null && new URL(url).origin !== new URL(before.url).origin;
  const keepsSecrets =
    (key === undefined && old.key !== null) || (headers === undefined && Object.keys(old.headers).length > 0);
  if (isMoved && keepsSecrets)
    throw invalid('/url', 'has another origin: give key and headers again, or remove them with "" and {}');
  if (secrets.key !== null && Object.keys(secrets.headers).some((name) => name.toLowerCase() === 'authorization'))
    throw invalid('/headers/Authorization', 'is set by key: give one of the two');
  return { url, secrets };
}

function addressAfter(before: Target | null, given: string | undefined): { url: string; query: string } {
  if (given === undefined) return { url: before!.url, query: before!.secrets.query };
  const address = new URL(given);
  const url = `${address.origin}${address.pathname}`;
  if (address.search !== HIDDEN_QUERY) return { url, query: address.search };
  if (before === null || before.url !== url || before.secrets.query === '')
    throw invalid('/url', `ends with ${HIDDEN_QUERY}, which stands for the stored query of the same address only`);
  return { url, query: before.secrets.query };
}

/** Whether the address moves to another origin. A script has none. */
export function isOtherOrigin(before: string, after: string): boolean {
  return URL.parse(before)?.origin !== URL.parse(after)?.origin;
}
