import { OneOf } from './validators.js';

/** A parameter of CSV: whether it begins with a byte order mark. */
export const ByteOrderMark = (): PropertyDecorator =>
  OneOf(['true'], { optional: true, description: 'Begin with a byte order mark, so that Excel reads UTF-8' });
