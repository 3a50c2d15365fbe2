import { Injectable } from '@nestjs/common';

/** The state of the process. */
@Injectable()
export class Lifecycle {
  /** Whether the process is shutting down: it finishes accepted work and accepts no more. */
  isDraining = false;
}
