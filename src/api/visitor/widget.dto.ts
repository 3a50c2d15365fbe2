import { ApiProperty } from '@nestjs/swagger';
import { WidgetResponse } from '../widget.dto.js';
import { Text } from '../../platform/validation/validators.js';

/** The query of `GET /api/visitor/widget`. */
export class WidgetQuery {
  @Text(1, 64, { description: "The organization's public key, `prl_wk_…`" })
  key!: string;
}

/** The settings as every page with the public key may read them. */
export class PublicWidgetResponse extends WidgetResponse {
  @ApiProperty({ description: 'What the header says' })
  declare name: string;
}
