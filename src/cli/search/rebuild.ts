import { findToken, findUrl } from '../connection.js';
import { findOrganization } from '../organization.js';
import { Service } from '../service.js';
import { out } from '../show.js';
import { toJson } from '../text.js';

/** Begins to rebuild an organization's search index, in the service. @throws CliError */
export async function rebuildSearch(
  environment: NodeJS.ProcessEnv,
  { url, org, json }: { url?: string; org?: string; json?: boolean },
): Promise<void> {
  const service = new Service({ url: findUrl(environment, url), ...findToken(environment) });
  const organizationId = await findOrganization(service, org);
  const answer = await service.post(`/${organizationId}/search/rebuild`, {});
  out(json ? toJson(answer) : 'The search index is being rebuilt. Searches work while it goes on.');
}
