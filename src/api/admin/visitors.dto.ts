import { PageQuery } from '../../platform/lib/paging.js';
import { Text } from '../../platform/http/validators.js';

/** Filters visitors; all given fields must match. */
export class VisitorsQuery extends PageQuery {
  @Text(1, 320, { optional: true })
  email?: string;

  @Text(1, 255, { optional: true })
  externalId?: string;
}
