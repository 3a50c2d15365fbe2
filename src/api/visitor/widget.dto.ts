import { ApiProperty } from '@nestjs/swagger';
import { WidgetResponse } from '../widget.dto.js';
import { Text } from '../../platform/validation/validators.js';

/** The query of `GET /api/visitor/widget`. */
export class WidgetQuery {
  @Text(1, 64, { description: "The organization's public key, `prl_wk_…`" })
  key!: string;
}

class WidgetHoursResponse {
  @ApiProperty({ type: String, format: 'date-time', description: 'When the current or next open time begins' })
  opensAt!: string;

  @ApiProperty({ type: String, format: 'date-time', description: 'When it ends' })
  closesAt!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'When the one after it begins' })
  reopensAt!: string | null;
}

/** The settings as every page with the public key may read them. */
export class PublicWidgetResponse extends WidgetResponse {
  @ApiProperty({ description: 'What the header says' })
  declare name: string;

  @ApiProperty({
    type: () => WidgetHoursResponse,
    nullable: true,
    description: "The default group's office hours; null: always open",
  })
  hours!: WidgetHoursResponse | null;
}
