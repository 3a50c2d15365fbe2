import {
  ApiExtraModels,
  ApiProperty,
  ApiPropertyOptional,
  getSchemaPath,
  PartialType,
  PickType,
} from '@nestjs/swagger';
import { FIELD_TYPES, type FieldTexts, type FieldType, type FormField } from '../platform/validation/form.js';
import {
  type Asking,
  ASKINGS,
  LAUNCHER_ICONS,
  type LauncherIcon,
  type Position,
  POSITIONS,
  type ProactiveMessage,
  type Theme,
  THEMES,
  type Translation,
  VISITOR_KINDS,
  type VisitorKind,
  type WidgetSettings,
} from '../organizations/widget-settings.js';

/** What visitors read before the first word of an AI. */
export class AiDisclosureText {
  @ApiPropertyOptional()
  text?: string;
}

/** A field of the form before a chat. */
export class FormFieldResponse implements FormField {
  @ApiProperty({ description: 'The name of the value in the metadata of the chat: 1 to 64 of `a-z A-Z 0-9 _ . -`' })
  key!: string;

  @ApiProperty({ maxLength: 200 })
  label!: string;

  @ApiProperty({ enum: FIELD_TYPES })
  type!: FieldType;

  @ApiPropertyOptional()
  isRequired?: boolean;

  @ApiPropertyOptional({ type: [String], description: 'The choices of a `select`, as they are stored' })
  options?: string[];

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'What is shown in the place of choices, by these',
  })
  optionLabels?: Record<string, string>;

  @ApiPropertyOptional({ maxLength: 200 })
  placeholder?: string;
}

/** What a field says in one language. */
class FieldTextsResponse
  extends PartialType(PickType(FormFieldResponse, ['label', 'optionLabels', 'placeholder']))
  implements FieldTexts {}

/** What the widget says in one language. */
export class TranslationResponse implements Translation {
  @ApiPropertyOptional()
  greeting?: string;

  @ApiPropertyOptional()
  consent?: string;

  @ApiPropertyOptional({ type: [String] })
  questions?: string[];

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(FieldTextsResponse) },
    description: 'The texts of form fields, by their keys',
  })
  formFields?: Record<string, FieldTexts>;

  @ApiPropertyOptional({ type: () => AiDisclosureText })
  aiDisclosure?: AiDisclosureText;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Texts of proactive messages, by their ids',
  })
  proactiveMessages?: Record<string, string>;
}

/** A message beside the closed button. Rules that are absent always hold. */
export class ProactiveMessageResponse implements ProactiveMessage {
  @ApiProperty({ description: 'Chats that begin with the message have it in their metadata, as proactiveMessage' })
  id!: string;

  @ApiProperty()
  text!: string;

  @ApiPropertyOptional({ type: [String], description: 'Only pages whose path begins with one of these' })
  paths?: string[];

  @ApiPropertyOptional({ type: [String], description: 'Not on pages whose path begins with one of these' })
  excludedPaths?: string[];

  @ApiPropertyOptional({ type: 'integer', description: 'Seconds on the page' })
  afterSeconds?: number;

  @ApiPropertyOptional({ type: 'integer', description: 'Pages seen in this visit, with this one' })
  minPages?: number;

  @ApiPropertyOptional({ type: 'integer', description: 'How far down the page the visitor has scrolled, in percent' })
  afterScrollPercent?: number;

  @ApiPropertyOptional({ enum: VISITOR_KINDS, description: 'Whether the visitor was on the site in an earlier visit' })
  visitor?: VisitorKind;
}

/** The settings of a widget. Null: the widget decides. */
@ApiExtraModels(TranslationResponse, FieldTextsResponse)
export class WidgetResponse implements WidgetSettings {
  @ApiProperty({ type: String, nullable: true })
  name!: string | null;

  @ApiProperty({ type: String, nullable: true })
  greeting!: string | null;

  @ApiProperty({ type: 'integer', nullable: true })
  greetingAfterSeconds!: number | null;

  @ApiProperty({ type: [String] })
  greetingPaths!: string[];

  @ApiProperty({ type: [ProactiveMessageResponse] })
  proactiveMessages!: ProactiveMessage[];

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

  @ApiProperty({ type: () => [FormFieldResponse] })
  formFields!: FormField[];

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
