import { describe, expect, it } from '@jest/globals';
import { explore } from './explore.js';
import { type ClientName, replication, type ReplicationRules, TODAY } from './replication.js';

const CLIENTS: ClientName[][] = [
  ['bot', 'visitor'],
  ['bot', 'sign-out'],
];
const exploreWith = (weaker: Partial<ReplicationRules>) =>
  CLIENTS.map((clients) => explore(replication({ ...TODAY, ...weaker }, clients)));

describe('the model of replication', () => {
  it.each([
    [
      'a retry that a plain read answers',
      { replay: 'READS' },
      [
        'bot: asks, and its commit waits for the standby',
        'bot: the process of its commit is killed',
        'bot: retries, and is answered',
      ],
    ],
    [
      'an INSERT that does nothing if the row exists',
      { conflict: 'DOES_NOTHING' },
      [
        'sign-out: asks, and its commit waits for the standby',
        'sign-out: the process of its commit is killed',
        'sign-out: retries, and is answered',
      ],
    ],
    [
      'a canceled wait that counts as stored',
      { canceled: 'STORED' },
      ['bot: asks, and its commit waits for the standby', 'bot: the wait of its commit is canceled, and answered'],
    ],
    [
      'a client that forgets a message which a sync shows',
      { sync: 'ACKNOWLEDGES' },
      [
        'bot: asks, and its commit waits for the standby',
        'bot: the process of its commit is killed',
        'bot: sees its message in a sync',
      ],
    ],
  ] as const)('%s loses what was acknowledged', (_, weaker, trace) => {
    const found = exploreWith(weaker).filter(({ broken }) => broken?.endsWith('acknowledged, and lost by a failover'));
    expect(found.map((one) => one.trace)).toContainEqual(trace);
  });

  it('a failover takes back nothing that was acknowledged, stores it once, and keeps its seq', () => {
    expect(exploreWith({})).toEqual(CLIENTS.map(() => ({ states: expect.any(Number), broken: null, trace: [] })));
  });
});
