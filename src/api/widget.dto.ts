import { ApiProperty } from '@nestjs/swagger';
import {
  type Asking,
  ASKINGS,
  type Position,
  POSITIONS,
  type Theme,
  THEMES,
  type WidgetSettings,
} from '../organizations/widget-settings.js';

/** The settings of a widget. Null: the widget decides. */
export class WidgetResponse implements WidgetSettings {
  @ApiProperty({ type: String, nullable: true })
  name!: string | null;

  @ApiProperty({ type: String, nullable: true })
  greeting!: string | null;

  @ApiProperty({ type: 'integer', nullable: true })
  greetingAfterSeconds!: number | null;

  @ApiProperty({ type: [String] })
  greetingPaths!: string[];

  @ApiProperty({ type: String, nullable: true })
  color!: string | null;

  @ApiProperty({ type: String, nullable: true })
  colorText!: string | null;

  @ApiProperty({ enum: [...THEMES, null], nullable: true })
  theme!: Theme | null;

  @ApiProperty({ enum: [...POSITIONS, null], nullable: true })
  position!: Position | null;

  @ApiProperty({ type: String, nullable: true })
  locale!: string | null;

  @ApiProperty()
  sound!: boolean;

  @ApiProperty({ type: String, nullable: true })
  privacyUrl!: string | null;

  @ApiProperty({ type: String, nullable: true })
  consent!: string | null;

  @ApiProperty({ enum: [...ASKINGS, null], nullable: true })
  askName!: Asking | null;

  @ApiProperty({ enum: [...ASKINGS, null], nullable: true })
  askEmail!: Asking | null;

  @ApiProperty({ type: String, nullable: true })
  officeHours!: string | null;

  @ApiProperty({ type: [String] })
  questions!: string[];

  @ApiProperty()
  rating!: boolean;

  @ApiProperty({ type: 'integer', nullable: true })
  personAfter!: number | null;

  @ApiProperty()
  pageContext!: boolean;
}
