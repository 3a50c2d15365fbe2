import { createParamDecorator, type ExecutionContext, Injectable, type PipeTransform } from '@nestjs/common';
import type { AdminRequest } from '../../auth/agents/admin.guard.js';
import { contextOf, type RequestContext } from '../../auth/context/request-context.js';
import { isId, newId } from '../../platform/lib/ids.js';
import { OrganizationPipe } from './organization.pipe.js';

/** Makes the context of an administrator's request to an organization that exists. */
@Injectable()
class AdminContextPipe implements PipeTransform<AdminRequest, Promise<RequestContext>> {
  constructor(private readonly organization: OrganizationPipe) {}

  async transform(request: AdminRequest): Promise<RequestContext> {
    const organizationId = await this.organization.transform(String(request.params.organizationId));
    return contextOf(request, organizationId, request.admin);
  }
}

const requestOf = createParamDecorator((_: unknown, context: ExecutionContext) =>
  context.switchToHttp().getRequest<AdminRequest>(),
);

/** Makes the context of a request that adds an organization, with the id that it will have. */
@Injectable()
class NewOrganizationPipe implements PipeTransform<AdminRequest, RequestContext> {
  transform(request: AdminRequest): RequestContext {
    return contextOf(request, newId('org'), request.admin);
  }
}

/** Makes the context of a request about an organization that may be deleted. */
@Injectable()
class AnyOrganizationPipe implements PipeTransform<AdminRequest, RequestContext> {
  transform(request: AdminRequest): RequestContext {
    const { organizationId: id = '' } = request.params;
    return contextOf(request, typeof id === 'string' && isId(id) ? id : '', request.admin);
  }
}

/** The context of a request about the organization of the path, which may be deleted, or not exist. Without one, its id is empty. */
export const AnyOrganizationContext = (): ParameterDecorator => requestOf(AnyOrganizationPipe);

/** The context of a request that adds an organization. */
export const NewOrganizationContext = (): ParameterDecorator => requestOf(NewOrganizationPipe);

/** The context of the request, for the organization of the path. @throws Problem not_found */
export const AdminContext = (): ParameterDecorator => requestOf(AdminContextPipe);
