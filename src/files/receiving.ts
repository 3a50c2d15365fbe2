import { Injectable } from '@nestjs/common';
import { overloaded } from '../platform/errors/problem.js';
import { FileMetrics } from './file-metrics.js';

/** The most bodies that a node receives at a time: in all, from all visitors, and from one visitor (CONTRACT: File limits). */
const MAX = 50;
const MAX_OF_VISITORS = 25;
const MAX_OF_VISITOR = 4;

/** Limits the bodies that this node receives at a time. */
@Injectable()
export class Receiving {
  private all = 0;
  private ofVisitors = 0;
  private readonly byVisitor = new Map<string, number>();

  constructor(private readonly metrics: FileMetrics) {}

  /** Receives a body with `work`. @throws Problem unavailable if too many bodies are arriving */
  async run<T>({ type, id }: { type: string; id: string }, work: () => Promise<T>): Promise<T> {
    const isVisitor = type === 'VISITOR';
    const own = this.byVisitor.get(id) ?? 0;
    if (this.all >= MAX) throw overloaded(`${MAX} bodies of files arrive`);
    if (isVisitor && this.ofVisitors >= MAX_OF_VISITORS)
      throw overloaded(`${MAX_OF_VISITORS} bodies of visitors' files arrive`);
    if (isVisitor && own >= MAX_OF_VISITOR) throw overloaded(`${MAX_OF_VISITOR} bodies of a visitor's files arrive`);
    this.add(isVisitor ? id : null, 1);
    const end = this.metrics.begin('upload');
    try {
      return await work();
    } finally {
      end();
      this.add(isVisitor ? id : null, -1);
    }
  }

  private add(visitor: string | null, change: number): void {
    this.all += change;
    if (visitor === null) return;
    this.ofVisitors += change;
    const left = (this.byVisitor.get(visitor) ?? 0) + change;
    if (left > 0) this.byVisitor.set(visitor, left);
    else this.byVisitor.delete(visitor);
  }
}
