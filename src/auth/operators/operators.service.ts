import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { EntityManager, MoreThan } from 'typeorm';
import type { ChangeHooks } from '../../platform/database/change-hooks.js';
import { POOL } from '../../platform/database/pool.js';
import { transaction } from '../../platform/database/transaction.js';
import { notFound, Problem } from '../../platform/errors/problem.js';
import { newId } from '../../platform/lib/ids.js';
import { type Page, type PageQuery, toPage } from '../../platform/validation/paging.js';
import type { Actor } from '../context/request-context.js';
import { newToken, readToken } from '../context/token-format.js';
import { Operator } from './operator.entity.js';
import { OperatorLastUsedRecorder } from './operator-last-used-recorder.js';
import { countAlone, findOperator } from './operators.queries.js';

/** The most operators, those with expired tokens included. */
const MAX_OPERATORS = 100;

type Recorded = Pick<ChangeHooks<Operator>, 'record'>;

/** Operators of the installation, each with a token beside ADMIN_TOKEN (CONTRACT: Admin API). */
@Injectable()
export class OperatorsService {
  constructor(
    private readonly manager: EntityManager,
    @Inject(POOL) private readonly pool: Pool,
    private readonly uses: OperatorLastUsedRecorder,
  ) {}

  /** The operator of a token, read from the database each time; null if the text is no token of an operator, or an invalid one. */
  async authenticate(text: string): Promise<Actor | null> {
    const token = readToken('prl_opr_', text);
    const operator = token && (await findOperator(this.pool, token.hash, new Date()));
    if (!operator) return null;
    this.uses.record(operator.id, new Date());
    return { type: 'ADMIN', ...operator };
  }

  /**
   * Adds an operator. Only the caller gets the token, which can't be shown again.
   * @throws Problem conflict if there are 100
   */
  async create({ name, expiresAt }: { name: string; expiresAt: Date | null }, { record }: Recorded) {
    const { token, ...stored } = newToken('prl_opr_');
    const row: Operator = { id: newId('opr'), name, ...stored, expiresAt, createdAt: new Date(), lastUsedAt: null };
    await transaction(this.manager, async (tx) => {
      if ((await countAlone(tx)) >= MAX_OPERATORS)
        throw new Problem('conflict', `There are ${MAX_OPERATORS} operators`);
      await tx.insert(Operator, row);
      await record(tx, null, row);
    });
    return { token, row };
  }

  async list<T>({ limit, cursor = '' }: PageQuery, map: (row: Operator) => T): Promise<Page<T>> {
    const where = { id: MoreThan(cursor) };
    const rows = await this.manager.find(Operator, { where, order: { id: 'ASC' }, take: limit + 1 });
    return toPage(rows, limit, map);
  }

  async get(id: string): Promise<Operator> {
    return (await this.manager.findOneBy(Operator, { id })) ?? notFound('Operator');
  }

  /** Removes an operator. Every node refuses the token when this returns. @throws Problem not_found */
  revoke(id: string, { record }: Recorded): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const operator = await tx.findOne(Operator, { where: { id }, lock: { mode: 'pessimistic_write' } });
      await record(tx, operator ?? notFound('Operator'), null);
      await tx.delete(Operator, { id });
    });
  }
}
