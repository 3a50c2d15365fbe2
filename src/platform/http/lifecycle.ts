import { Injectable } from '@nestjs/common';

/** Where the process is in its life. */
@Injectable()
export class Lifecycle {
  /** Whether the process is shutting down: it finishes what it accepted and takes nothing new. */
  isDraining = false;
}
