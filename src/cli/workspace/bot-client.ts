import { CliError, EXIT } from '../errors.js';
import { reasonOf } from '../service.js';

/** Calls the bot API or the visitors'. @param token omitted: none @returns the response's JSON. @throws CliError */
export async function call<T>(method: string, url: string, token?: string, body?: object): Promise<T> {
  const headers = { ...(token && { Authorization: `Bearer ${token}` }), 'Content-Type': 'application/json' };
  const response = await fetch(url, { method, headers, body: body && JSON.stringify(body), redirect: 'manual' }).catch(
    (error: unknown) => {
      throw new CliError(EXIT.unreachable, `the service at ${url} cannot be reached: ${reasonOf(error)}`);
    },
  );
  const answer = (await response.json().catch(() => ({}))) as T & { detail?: string };
  if (response.ok) return answer;
  throw new CliError(EXIT.failed, answer.detail ?? `${url} answered ${response.status}`);
}
