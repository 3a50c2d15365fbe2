/** The longest time of a timer in milliseconds (24 days). Node calls back after 1 ms when it is longer. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** Calls back after so many milliseconds; never when they are more than a timer takes, such as Infinity. */
export function after(milliseconds: number, callback: () => void): NodeJS.Timeout | undefined {
  return milliseconds <= LONGEST_TIMER ? setTimeout(callback, milliseconds) : undefined;
}
