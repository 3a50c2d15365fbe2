import { Body, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { RequireRootToken } from '../../auth/agents/admin.guard.js';
import { InstallationAudit } from '../../auth/audit/installation-audit.js';
import type { RequestContext } from '../../auth/context/request-context.js';
import type { Operator } from '../../auth/operators/operator.entity.js';
import { OperatorsService } from '../../auth/operators/operators.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { PageQuery } from '../../platform/validation/paging.js';
import { BODY, Describes } from '../describes.js';
import { InstallationApi } from './admin-api.decorator.js';
import { AnyOrganizationContext } from './admin-context.decorator.js';
import {
  CreateOperatorDto,
  NewOperatorResponse,
  OperatorResponse,
  OperatorsResponse,
  toOperatorResponse,
} from './operators.dto.js';

const expiryOf = ({ expiresAt }: Operator) => ({ expiresAt: expiresAt?.toISOString() ?? null });

@InstallationApi('operators', 'Installation')
export class OperatorsController {
  constructor(
    private readonly operators: OperatorsService,
    private readonly audit: InstallationAudit,
  ) {}

  @Post()
  @RequireRootToken()
  @Describes('createOperator', 201, NewOperatorResponse, {
    summary: 'Create an operator with a token',
    description: 'Needs `ADMIN_TOKEN` itself. The token is returned only this once.',
    problems: [...BODY, 'conflict'],
  })
  async create(@AnyOrganizationContext() context: RequestContext, @Body() { name, expiresAt }: CreateOperatorDto) {
    const fields = { name, expiresAt: expiresAt === undefined ? null : new Date(expiresAt) };
    const hooks = this.audit.hooks<Operator>(context, 'operator.created', expiryOf);
    const { token, row } = await this.operators.create(fields, hooks);
    return { ...toOperatorResponse(row), token };
  }

  @Get()
  @RequireRootToken()
  @Describes('listOperators', 200, OperatorsResponse, {
    summary: 'List the operators',
    description: 'Needs `ADMIN_TOKEN` itself. Tokens are never shown, only their last four characters.',
    problems: ['validation_failed'],
  })
  async list(@Query() query: PageQuery) {
    const { items, nextCursor } = await this.operators.list(query, toOperatorResponse);
    return { operators: items, nextCursor };
  }

  @Get(':operatorId')
  @RequireRootToken()
  @Describes('getOperator', 200, OperatorResponse, {
    summary: 'Get an operator',
    description: 'Needs `ADMIN_TOKEN` itself. Shows when the token was last used, exact to a few seconds.',
  })
  async get(@Id('operatorId') id: string) {
    return toOperatorResponse(await this.operators.get(id));
  }

  @Delete(':operatorId')
  @RequireRootToken()
  @HttpCode(204)
  @Describes('revokeOperator', 204, null, {
    summary: "Revoke an operator's token",
    description: 'Needs `ADMIN_TOKEN` itself. Takes effect immediately, on every node.',
  })
  revoke(@AnyOrganizationContext() context: RequestContext, @Id('operatorId') id: string): Promise<void> {
    return this.operators.revoke(id, this.audit.hooks<Operator>(context, 'operator.revoked'));
  }
}
