import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '../../src/platform/database/migrate.js';
import { exerciseAll } from '../database/exercise-all.js';
import { createClusterDatabase } from '../support/cluster.js';
import type { TestDatabase } from '../support/database.js';
import { type Statement, StatementRecorder } from '../support/statements.js';
import { type Plan, planAll } from './support/plan.js';
import { NOT_EXPLAINED, SEVERAL_SHARDS, SEVERAL_STEPS } from './support/exceptions.js';

const IS_STATEMENT = /^(?:SELECT|INSERT|UPDATE|DELETE|WITH) /;

describe('the statements of all routes on a Citus cluster', () => {
  let plans: Map<Statement, Plan>;
  let database: TestDatabase | undefined;

  beforeAll(async () => {
    const recorder = new StatementRecorder();
    // On one PostgreSQL, whose values the cluster then plans with. Each organization gets its own statement, as on a cluster.
    await exerciseAll(recorder, { isDistributed: true });
    database = await createClusterDatabase();
    await migrate(database.url);
    plans = await planAll(
      database.url,
      recorder.statements.filter(({ text }) => IS_STATEMENT.test(text)),
    );
  }, 600_000);
  afterAll(() => database?.drop());

  const labels = (has: (plan: Plan) => boolean) =>
    [...new Set([...plans].filter(([, plan]) => has(plan)).map(([{ label }]) => label))].sort();

  it('the cluster refuses only the statements in the list', () => {
    const refused = labels((plan) => plan.startsWith('refused'));
    expect(refused).toEqual(Object.keys(NOT_EXPLAINED).sort());
  });

  it('each call of a function goes to the worker of its organization', () => {
    // The demo was created before the service knew that it's on a cluster.
    const isCall = ({ label, text }: Statement) =>
      label !== 'append-messages' && /\bFROM \w+_\d+(?:_of_shard)? ?\(/.test(text);
    const calls = [...plans].filter(([statement]) => isCall(statement));
    expect(new Set(calls.map(([{ label }]) => label))).toEqual(
      new Set(['append-messages of shard', 'find-writers', 'take-events']),
    );
    expect(calls.filter(([, plan]) => plan !== 'one shard').map(([{ label }, plan]) => [label, plan])).toEqual([]);
  });

  it('only the statements in the list go to several shards', () => {
    expect(labels((plan) => plan === 'several shards')).toEqual(Object.keys(SEVERAL_SHARDS).sort());
  });

  it('only the statements in the list need several steps', () => {
    expect(labels((plan) => plan === 'several steps')).toEqual(Object.keys(SEVERAL_STEPS).sort());
  });
});
