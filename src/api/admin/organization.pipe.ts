import { Injectable, Param, type PipeTransform } from '@nestjs/common';
import { isId } from '../../platform/lib/ids.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';

/** Lets through the id of an organization that exists. */
@Injectable()
class OrganizationPipe implements PipeTransform<string, Promise<string>> {
  constructor(private readonly organizations: OrganizationsService) {}

  async transform(id: string): Promise<string> {
    return (await this.organizations.get(isId(id) ? id : '')).id;
  }
}

/** The organization of the path. @throws Problem not_found */
export function Organization(): ParameterDecorator {
  return Param('organizationId', OrganizationPipe);
}
