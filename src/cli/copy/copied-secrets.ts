import { type KeyState, judgeKey } from '../../platform/database/key/key-check.js';
import { SEALED, tryReseal } from '../../platform/database/key/reseal.queries.js';
import { deriveKeys, type Keys, type SecretKeys } from '../../platform/lib/secrets.js';

/** The sealed secrets of a copied organization, which the target's key has to open. */
export class CopiedSecrets {
  readonly counts = { resealed: 0, unreadable: 0 };
  private readonly from: SecretKeys;

  /** @param fromKey the source's SECRET_KEY, if it's another one */
  constructor(
    private readonly keys: SecretKeys,
    fromKey: string | undefined,
  ) {
    this.from = fromKey === undefined ? keys : { SECRET_KEY: fromKey };
  }

  /** What the check value of a database says about its keys. */
  judge(side: 'source' | 'target', sealed: Buffer): KeyState {
    return judgeKey(side === 'source' ? this.from : this.keys, sealed);
  }

  /** The columns of a table that are sealed. */
  columnsOf(table: string): string[] {
    return Object.keys(SEALED.find(({ name }) => name === table)?.purposes ?? {});
  }

  /** A secret as the target stores it, both as PostgreSQL writes bytes: `\x…`. What can't be read stays as it is. */
  convert(table: string, column: string, organizationId: string, id: string, text: string): string {
    const { purposes, boundTo } = SEALED.find(({ name }) => name === table)!;
    const changed = tryReseal(
      this.keysOf(purposes[column]!),
      boundTo(organizationId, id),
      Buffer.from(text.slice(2), 'hex'),
    );
    if (changed === 'unreadable') this.counts.unreadable++;
    else if (changed) this.counts.resealed++;
    return changed instanceof Buffer ? `\\x${changed.toString('hex')}` : text;
  }

  private keysOf(purpose: string): Keys {
    const [first, ...others] = deriveKeys(this.keys, purpose);
    return [first, ...others, ...deriveKeys(this.from, purpose)];
  }
}
