import { Injectable } from '@nestjs/common';
import { RateLimits } from './rate-limit.js';
import { Config } from '../../platform/config/config.js';
import type { Counter } from '../../platform/telemetry/metrics.js';
import { Problem } from '../../platform/errors/problem.js';
import { ALL_NODES, OtherNodes } from '../../platform/cluster/other-nodes.js';
import { DailyAllowance, type Measure, type Stored } from './daily-allowance.js';

/** The longest Retry-After, in seconds. */
const MAX_RETRY_SECONDS = 60;

const SCOPES = ['address', 'organization'] as const;
type Scope = (typeof SCOPES)[number];

/** What another node stored for anonymous visitors. */
export interface AnonymousStored extends Stored {
  scope: Scope;
  key: string;
}

declare module '../../platform/cluster/other-nodes.js' {
  interface NodeFacts {
    'anonymous.stored': AnonymousStored;
  }
}

/** The visitor who stores something. */
export interface StoringVisitor {
  organizationId: string;
  /** Whether the visitor has no signed identity. */
  isAnonymous: boolean;
  /** The key that it's counted under: for a widget, the request's address in the form of `addressOf`. */
  limitKey: string;
}

interface ScopeLimit {
  allowance: DailyAllowance;
  refused: Record<Measure, Counter>;
}

/**
 * Limits what anonymous visitors store per day, by limit key (a widget's address, IPv6 by /64) and by organization. Each node
 * counts in memory and adds what other nodes publish. After a restart, it counts from 0.
 */
@Injectable()
export class StorageQuota {
  private readonly limits: Record<Scope, ScopeLimit>;

  constructor(
    private readonly nodes: OtherNodes,
    rates: RateLimits,
    config: Config,
  ) {
    const limit = (scope: Scope, messages: number, bytes: number): ScopeLimit => ({
      allowance: new DailyAllowance({ messages, bytes }),
      refused: {
        messages: rates.rejectionCounter(`anonymous_messages_${scope}`),
        bytes: rates.rejectionCounter(`anonymous_bytes_${scope}`),
      },
    });
    this.limits = {
      address: limit('address', config.ANONYMOUS_MESSAGES_PER_DAY, config.ANONYMOUS_BYTES_PER_DAY),
      organization: limit(
        'organization',
        config.ANONYMOUS_ORGANIZATION_MESSAGES_PER_DAY,
        config.ANONYMOUS_ORGANIZATION_BYTES_PER_DAY,
      ),
    };
    nodes.on('anonymous.stored', ({ scope, key, messages, bytes }) =>
      this.limits[scope].allowance.receive(key, { messages, bytes }, Date.now()),
    );
  }

  /**
   * Runs work that stores something, unless its visitor is anonymous and over a limit. If the work fails, the amount is given
   * back. @throws Problem rate_limited with the seconds to wait
   */
  async store<T>(visitor: StoringVisitor, stored: Stored, work: () => Promise<T>): Promise<T> {
    if (!visitor.isAnonymous || isNothing(stored)) return work();
    this.spend(visitor.organizationId, visitor.limitKey, stored);
    try {
      return await work();
    } catch (error) {
      this.count(visitor.organizationId, visitor.limitKey, { messages: -stored.messages, bytes: -stored.bytes });
      throw error;
    }
  }

  /** Counts what was stored, whether it fits or not. */
  record({ isAnonymous, organizationId, limitKey }: StoringVisitor, stored: Stored): void {
    if (isAnonymous) this.count(organizationId, limitKey, stored);
  }

  /** Whether a visitor is anonymous and may not store this amount. Counts nothing. */
  isOver({ isAnonymous, organizationId, limitKey }: StoringVisitor, stored: Stored): boolean {
    const keys = keysOf(organizationId, limitKey);
    const now = Date.now();
    return isAnonymous && SCOPES.some((scope) => this.limits[scope].allowance.findExceeded(keys[scope], stored, now));
  }

  /** Counts nothing. @throws Problem rate_limited if a visitor is anonymous and may not store this amount */
  check({ isAnonymous, organizationId, limitKey }: StoringVisitor, stored: Stored): void {
    if (isAnonymous) this.refuseOver(organizationId, limitKey, stored);
  }

  /** Counts the amount in both scopes or in neither. @throws Problem rate_limited with the seconds to wait */
  spend(organizationId: string, limitKey: string, stored: Stored): void {
    this.refuseOver(organizationId, limitKey, stored);
    this.count(organizationId, limitKey, stored);
  }

  private refuseOver(organizationId: string, limitKey: string, stored: Stored): void {
    const keys = keysOf(organizationId, limitKey);
    for (const scope of SCOPES) {
      const { allowance, refused } = this.limits[scope];
      const exceeded = allowance.findExceeded(keys[scope], stored, Date.now());
      if (!exceeded) continue;
      refused[exceeded.measure].add();
      throw quotaExceeded(exceeded.measure, exceeded.seconds);
    }
  }

  private count(organizationId: string, limitKey: string, stored: Stored): void {
    const keys = keysOf(organizationId, limitKey);
    for (const scope of SCOPES) {
      const unpublished = this.limits[scope].allowance.spend(keys[scope], stored, Date.now());
      if (unpublished) this.nodes.publish(ALL_NODES, 'anonymous.stored', { scope, key: keys[scope], ...unpublished });
    }
  }
}

// Nodes of the previous release know the scope of limit keys as `address`.
function keysOf(organizationId: string, limitKey: string): Record<Scope, string> {
  return { address: limitKey, organization: organizationId };
}

function isNothing({ messages, bytes }: Stored): boolean {
  return messages === 0 && bytes === 0;
}

function quotaExceeded(measure: Measure, seconds: number): Problem {
  const wait = Math.min(MAX_RETRY_SECONDS, Math.max(1, Math.ceil(seconds)));
  const detail = `Anonymous visitors have reached the daily limit of stored ${measure}; retry later`;
  return new Problem('rate_limited', detail, undefined, wait);
}
