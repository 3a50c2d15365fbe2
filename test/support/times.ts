const DAY_SECONDS = 86_400;

/** SQL: a row's time, moved by seconds. A Citus cluster refuses `time + interval` in an update, because it depends on the time zone. */
export const movedBySeconds = (time: string, seconds: number | string) =>
  `to_timestamp(extract(epoch FROM ${time} - timestamptz 'epoch') + ${seconds})`;

/** SQL: a row's time, moved by days. */
export const movedByDays = (time: string, days: number) => movedBySeconds(time, days * DAY_SECONDS);
