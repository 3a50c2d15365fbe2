import { type Item, type Service } from '../service.js';
import { type Check, failed, ok, warning } from './check.js';

const NAME = 'nodes';

interface Node {
  id: string;
  version: string;
  commit: string;
  usesSameDatabase: boolean;
  usesSameKey: boolean;
}

/** Compares the running nodes: their database, SECRET_KEY, and build. Null if the admin API doesn't answer, which its own check reports. */
export async function checkNodes(service: Service): Promise<Check | null> {
  const report = await service.getOfInstallation<Item & { self: Node; others: Node[] }>('/nodes').catch(() => null);
  return report && compare(report);
}

function compare({ self, others }: { self: Node; others: Node[] }): Check {
  const own = nameOf(self);
  const find = (differs: (node: Node) => boolean) => others.filter(differs);
  const elsewhere = find(({ usesSameDatabase }) => !usesSameDatabase);
  if (elsewhere.length > 0) {
    const advice =
      'give all nodes the same DATABASE_URL, with all hosts of the database; stop the nodes on an old primary';
    return failed(NAME, `${elsewhere.length} nodes store in another database (${elsewhere[0]!.id})`, advice);
  }
  const keyed = find(({ usesSameKey }) => !usesSameKey);
  if (keyed.length > 0) {
    const advice = 'finish what docs/operate/security.md#replace-secret_key says; until then, do not reseal';
    return warning(NAME, `${keyed.length} nodes use another SECRET_KEY (${keyed[0]!.id})`, advice);
  }
  const other = find((node) => nameOf(node) !== own);
  const detail = `Parley ${own} answers`;
  if (other.length === 0)
    return ok(NAME, others.length === 0 ? detail : `${detail}, as do ${others.length} other nodes`);
  return warning(NAME, `${detail}, and ${other.length} nodes run ${nameOf(other[0]!)}`, 'finish the upgrade');
}

function nameOf({ version, commit }: Node): string {
  return `${version} (${commit})`;
}
