// Loaded with `node --require`: from then on the clock of the process is CLOCK_SHIFT_SECONDS ahead. Timers and durations go by
// the monotonic clock, which a wrong time of day does not change either.
const shift = Number(process.env.CLOCK_SHIFT_SECONDS) * 1000;
const RealDate = Date;

globalThis.Date = class Date extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + shift);
    else super(...given);
  }

  static now() {
    return RealDate.now() + shift;
  }
};
