import { cpuTimeOf, median } from './cpu-time.js';
import type { Victim } from './victim.js';

/** A request that should be rejected. */
export interface Refusal {
  name: string;
  /** @returns whether it was rejected */
  send: () => Promise<boolean>;
}

/** A rejected request that costs too much, in units. */
export interface Costly {
  name: string;
  units: number;
}

/** The unit is measured again after this many requests. */
const RENEWAL = 16;
/** How often a request that seems too costly is measured, each time beside an accepted one. The median counts. */
const ROUNDS = 9;
/** How often the two are compared while the result is too much: garbage of earlier requests can add to a cost, and takes nothing away. */
const COMPARISONS = 3;

/**
 * The cost of rejected requests, in units: the CPU time of the service's process for an accepted message with 10 kB of
 * metadata. Both are measured in turns, so that other load on the machine slows both.
 */
export class Refusals {
  private measured = 0;

  constructor(
    private readonly victim: Victim,
    private readonly accept: () => Promise<unknown>,
  ) {}

  /** The rejected requests that cost more than `most` units. */
  async findCostly(refusals: Iterable<Refusal>, most: number): Promise<Costly[]> {
    const units: number[] = [];
    const found: Costly[] = [];
    for (const refusal of refusals) {
      if (units.length === 0 || this.measured % RENEWAL === 0) units.push(await this.measure(this.accept));
      this.measured++;
      const { cost, isRefused } = await this.measureRefusal(refusal);
      if (!isRefused || cost < most * median(units)) continue;
      const exact = await this.compareAgain(refusal, most);
      if (exact > most) found.push({ name: refusal.name, units: exact });
    }
    return found.sort((a, b) => b.units - a.units);
  }

  /** The lowest of several comparisons. */
  private async compareAgain(refusal: Refusal, most: number): Promise<number> {
    let lowest = Infinity;
    for (let count = 0; count < COMPARISONS && lowest > most; count++) {
      lowest = Math.min(lowest, await this.compare(refusal));
    }
    return lowest;
  }

  private async compare({ send }: Refusal): Promise<number> {
    const [refused, accepted]: number[][] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      accepted!.push(await this.measure(this.accept));
      refused!.push(await this.measure(send));
    }
    return median(refused!) / median(accepted!);
  }

  private async measureRefusal({ send }: Refusal): Promise<{ cost: number; isRefused: boolean }> {
    let isRefused = true;
    const cost = await this.measure(async () => (isRefused &&= await send()));
    return { cost, isRefused };
  }

  /** CPU time of one request, in milliseconds. */
  private async measure(send: () => Promise<unknown>): Promise<number> {
    const pid = this.victim.service.child.pid!;
    const before = cpuTimeOf(pid);
    await send();
    return cpuTimeOf(pid) - before;
  }
}
