import { usage } from './errors.js';
import type { Item, Service } from './service.js';
import { note } from './show.js';

/** The form of every id (CONTRACT: Conventions). Other text could change the request's path. */
const ID = /^\w{1,64}$/;

/** The organization's id from `--org`, or the only organization. @throws CliError */
export async function findOrganization(service: Service, org?: string): Promise<string> {
  if (org !== undefined) return checkId(org, '--org');
  const { organizations } = await service.list('', 'organizations', {}, { limit: 2 });
  const [only, other] = organizations as Item[];
  if (!only) throw usage('there is no organization yet: parley organization create --name <name>');
  if (other) throw usage('there are several organizations: name one with --org <id> (parley organization list)');
  note(`organization ${only.name as string} (${only.id as string}), the only one`);
  return only.id as string;
}

/** @throws CliError if the text doesn't have the form of an id */
export function checkId(id: string, option = 'the id'): string {
  if (!ID.test(id))
    throw usage(`${option} must be an id like org_01h455vb4pex5vsknk084sn02q: at most 64 letters, digits and _`);
  return id;
}
