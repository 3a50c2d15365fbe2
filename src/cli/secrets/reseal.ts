import { findToken, findUrl } from '../connection.js';
import { Service } from '../service.js';
import { out } from '../show.js';
import { toJson } from '../text.js';

interface Batch {
  resealed: number;
  unreadable: number;
  nextCursor: string | null;
}

/** Encrypts all stored secrets with SECRET_KEY, batch by batch. An interrupted run is repeated from the beginning. */
export async function resealSecrets(environment: NodeJS.ProcessEnv, options: { url?: string; json?: boolean }) {
  const service = new Service({ url: findUrl(environment, options.url), ...findToken(environment) });
  const total = { resealed: 0, unreadable: 0 };
  let cursor: string | null = '';
  do {
    const query: string = cursor === '' ? '' : `?cursor=${encodeURIComponent(cursor)}`;
    const batch: Batch = await service.postToInstallation<Batch>(`/secrets/reseal${query}`);
    total.resealed += batch.resealed;
    total.unreadable += batch.unreadable;
    cursor = batch.nextCursor;
  } while (cursor !== null);
  out(options.json ? toJson(total) : describe(total));
}

function describe({ resealed, unreadable }: { resealed: number; unreadable: number }): string {
  const done = `${resealed} secrets were encrypted with SECRET_KEY; none needs SECRET_KEY_PREVIOUS anymore`;
  return unreadable === 0 ? done : `${done}. ${unreadable} secrets can't be read with either key: set or rotate them`;
}
