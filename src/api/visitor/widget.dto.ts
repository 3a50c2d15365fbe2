import { Text } from '../../platform/validation/validators.js';

/** The query of `GET /api/visitor/widget`. */
export class WidgetQuery {
  @Text(1, 64)
  key!: string;
}
