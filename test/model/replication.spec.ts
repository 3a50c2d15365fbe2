import { describe, expect, it } from '@jest/globals';
import { explore } from './explore.js';
import { type ClientName, replication, type ReplicationRules, TODAY } from './replication.js';

const CLIENTS: ClientName[][] = [
  ['bot', 'visitor'],
  ['bot', 'sign-out'],
  ['transfer', 'claim'],
  ['claim', 'acceptance'],
  ['acceptance', 'timer'],
];

describe('the model of replication', () => {
  it.each([
    [
      'a retry that a plain read answers',
      { replay: 'READS' },
      'bot',
      [
        'bot: asks, and its commit waits for the standby',
        'bot: the process of its commit is killed',
        'bot: retries, and is answered',
      ],
    ],
    [
      "a claim that reads without a lock that it's the agent's already",
      { taking: 'READS' },
      'claim',
      [
        'claim: asks, and its commit waits for the standby',
        'claim: the process of its commit is killed',
        'claim: retries, and is answered',
      ],
    ],
    [
      'an INSERT that does nothing if the row exists',
      { conflict: 'DOES_NOTHING' },
      'sign-out',
      [
        'sign-out: asks, and its commit waits for the standby',
        'sign-out: the process of its commit is killed',
        'sign-out: retries, and is answered',
      ],
    ],
    [
      'a canceled wait that counts as stored',
      { canceled: 'STORED' },
      'bot',
      ['bot: asks, and its commit waits for the standby', 'bot: the wait of its commit is canceled, and answered'],
    ],
    [
      'a client that forgets a message which a sync shows',
      { sync: 'ACKNOWLEDGES' },
      'bot',
      [
        'bot: asks, and its commit waits for the standby',
        'bot: the process of its commit is killed',
        'bot: sees its message in a sync',
      ],
    ],
  ] satisfies [string, Partial<ReplicationRules>, ClientName, string[]][])(
    '%s loses what was acknowledged',
    (_, weaker, client, trace) => {
      const clients = CLIENTS.find((names) => names.includes(client))!;
      const broken = `${client}: acknowledged, and lost by a failover`;
      expect(explore(replication({ ...TODAY, ...weaker }, clients))).toMatchObject({ broken, trace });
    },
  );

  it.each(CLIENTS)('a failover takes back nothing that was acknowledged: %s and %s', (...clients) => {
    expect(explore(replication(TODAY, clients))).toMatchObject({ broken: null, trace: [] });
  });
});
