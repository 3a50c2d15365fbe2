const HOUR_MS = 3_600_000;
/** When a working day begins, in hours. */
const MORNING = 9;
const MONDAY = 1;

export const SNOOZE_CHOICES = ['oneHour', 'threeHours', 'tomorrow', 'nextWeek'] as const;
export type SnoozeChoice = (typeof SNOOZE_CHOICES)[number];

/** The time of each choice, in the browser's time zone. @param now the service's time, in milliseconds */
export function snoozeTimes(now: number): Record<SnoozeChoice, Date> {
  const daysToMonday = (MONDAY - new Date(now).getDay() + 7) % 7 || 7;
  return {
    oneHour: new Date(now + HOUR_MS),
    threeHours: new Date(now + 3 * HOUR_MS),
    tomorrow: morningIn(now, 1),
    nextWeek: morningIn(now, daysToMonday),
  };
}

function morningIn(now: number, days: number): Date {
  const today = new Date(now);
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() + days, MORNING);
}

/** The value of a `datetime-local` field. */
export function toLocalValue(time: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`;
}
