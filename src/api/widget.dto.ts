import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import {
  type Asking,
  ASKINGS,
  LAUNCHER_ICONS,
  type LauncherIcon,
  type Position,
  POSITIONS,
  type Theme,
  THEMES,
  type Translation,
  type WidgetSettings,
} from '../organizations/widget-settings.js';

/** What visitors read before the first word of an AI. */
export class AiDisclosureText {
  @ApiPropertyOptional()
  text?: string;
}

/** What the widget says in one language. */
export class TranslationResponse implements Translation {
  @ApiPropertyOptional()
  greeting?: string;

  @ApiPropertyOptional()
  consent?: string;

  @ApiPropertyOptional({ type: [String] })
  questions?: string[];

  @ApiPropertyOptional({ type: () => AiDisclosureText })
  aiDisclosure?: AiDisclosureText;
}

/** The settings of a widget. Null: the widget decides. */
@ApiExtraModels(TranslationResponse)
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

  @ApiProperty({ enum: [...LAUNCHER_ICONS, null], nullable: true })
  launcherIcon!: LauncherIcon | null;

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

  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(TranslationResponse) },
    description: 'The texts in other languages, by BCP 47 tag',
  })
  translations!: Record<string, Translation>;

  @ApiProperty()
  rating!: boolean;

  @ApiProperty()
  messageRating!: boolean;

  @ApiProperty({ type: 'integer', nullable: true })
  personAfter!: number | null;

  @ApiProperty()
  pageContext!: boolean;

  @ApiProperty({ type: String, nullable: true })
  cookieDomain!: string | null;

  @ApiProperty({
    type: () => AiDisclosureText,
    nullable: true,
    description: "What visitors read before the first word of an AI; null: Parley's own words",
  })
  aiDisclosure!: AiDisclosureText | null;
}
