import { Problem } from '../../platform/errors/problem.js';

/** The refusal of a visitor whom an agent has blocked. It says neither why nor how long. */
export function blocked(): Problem {
  return new Problem('blocked', 'This chat is not available to the visitor');
}
