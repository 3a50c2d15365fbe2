import { refused } from './read-lines.js';
import { storable } from './text.js';

type Json = Record<string, unknown>;

/** How far the clock of the other system may be ahead. */
export const DAY_MS = 86_400_000;

/** Reads fields of an object from elsewhere. What's absent or null is undefined; another type is an error with the place. */
export class Fields {
  private constructor(
    private readonly object: Json,
    readonly place: string,
  ) {}

  static of(value: unknown, place: string): Fields {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refused(`${place} isn't an object`);
    return new Fields(value as Json, place);
  }

  text(name: string): string | undefined {
    const value = this.object[name] ?? undefined;
    if (value === undefined) return undefined;
    if (typeof value === 'string') return storable(value);
    throw this.wrong(name, 'a text');
  }

  /** An id, which may be a number. */
  id(name: string): string {
    const value = this.object[name];
    if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
    if (typeof value === 'string' && storable(value) !== '') return storable(value);
    throw this.wrong(name, 'an id');
  }

  /** A time in seconds since 1970, or as ISO 8601. */
  time(name: string): Date {
    const value = this.object[name];
    const time =
      typeof value === 'number' ? new Date(value * 1_000) : new Date(typeof value === 'string' ? value : NaN);
    // Ids hold times from 1970 on. Milliseconds would be in the far future.
    if (Number.isNaN(time.getTime()) || time.getTime() < 0 || time.getTime() > Date.now() + DAY_MS)
      throw this.wrong(name, 'a time');
    return time;
  }

  number(name: string): number | undefined {
    const value = this.object[name] ?? undefined;
    if (value === undefined || typeof value === 'number') return value;
    throw this.wrong(name, 'a number');
  }

  isTrue(name: string): boolean {
    return this.object[name] === true;
  }

  part(name: string): Fields | undefined {
    const value = this.object[name] ?? undefined;
    return value === undefined ? undefined : Fields.of(value, `${this.place}: ${name}`);
  }

  list(name: string): Fields[] {
    return this.items(name).map((item, at) => Fields.of(item, `${this.place}: ${name}[${at}]`));
  }

  texts(name: string): string[] {
    return this.items(name).flatMap((item) => (typeof item === 'string' ? [storable(item)] : []));
  }

  /** A field of any type, as it is. */
  value(name: string): unknown {
    return this.object[name];
  }

  has(name: string): boolean {
    return (this.object[name] ?? undefined) !== undefined;
  }

  private items(name: string): unknown[] {
    const value = this.object[name] ?? [];
    if (Array.isArray(value)) return value;
    throw this.wrong(name, 'a list');
  }

  private wrong(name: string, wanted: string) {
    return refused(`${this.place}: ${name} must be ${wanted}`);
  }
}
