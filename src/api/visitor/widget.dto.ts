import { ApiProperty } from '@nestjs/swagger';
import { WidgetResponse } from '../widget.dto.js';
import { VisitorUploadsResponse } from './chats.dto.js';
import { CAPTCHA_PROVIDERS, type CaptchaProvider, type PublicCaptcha } from '../../organizations/captcha/captcha.js';
import { OneOf, Text } from '../../platform/validation/validators.js';

/** The query of `GET /api/visitor/widget`. */
export class WidgetQuery {
  @Text(1, 64, { description: "The organization's public key, `prl_wk_…`" })
  key!: string;

  @Text(1, 64, {
    optional: true,
    description: 'A BCP 47 tag: the texts are in this language where there are translations; omitted: all of them',
  })
  locale?: string;

  @OneOf(['true', 'false'], {
    optional: true,
    description: 'Whether the page chose the locale itself: it then wins over the setting `locale`',
  })
  chosen?: string;
}

/** The query of `GET /api/visitor/widget/pictures/{name}`. */
export class PictureQuery {
  @Text(1, 64, { description: "The organization's public key, `prl_wk_…`" })
  key!: string;
}

class PublicCaptchaResponse implements PublicCaptcha {
  @ApiProperty({ enum: [...CAPTCHA_PROVIDERS] })
  provider!: CaptchaProvider;

  @ApiProperty()
  siteKey!: string;
}

class WidgetHoursResponse {
  @ApiProperty({ type: String, format: 'date-time', description: 'When the current or next open time begins' })
  opensAt!: string;

  @ApiProperty({ type: String, format: 'date-time', description: 'When it ends' })
  closesAt!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'When the one after it begins' })
  reopensAt!: string | null;
}

class PublicAiDisclosureResponse {
  @ApiProperty()
  text!: string;
}

/** The settings as every page with the public key may read them. */
export class PublicWidgetResponse extends WidgetResponse {
  @ApiProperty({ description: 'What the header says' })
  declare name: string;

  @ApiProperty({
    type: () => PublicAiDisclosureResponse,
    description:
      'What a client shows before the first word of an AI: the first message, live text, or typing with `sender.isAi`',
  })
  declare aiDisclosure: PublicAiDisclosureResponse;

  @ApiProperty({
    type: () => WidgetHoursResponse,
    nullable: true,
    description: "The default group's office hours; null: always open",
  })
  hours!: WidgetHoursResponse | null;

  @ApiProperty({ type: () => PublicCaptchaResponse, nullable: true, description: 'What a new visitor solves first' })
  captcha!: PublicCaptchaResponse | null;

  @ApiProperty({ type: String, nullable: true, description: 'The name of the button’s picture; null: none' })
  launcherPicture!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The name of the picture of bots; null: none' })
  botPicture!: string | null;

  @ApiProperty({ type: () => VisitorUploadsResponse, nullable: true, description: 'Null: visitors may send no files' })
  visitorUploads!: VisitorUploadsResponse | null;

  @ApiProperty({ description: 'Whether visitors get an e-mail about answers that they miss' })
  canMail!: boolean;

  @ApiProperty({ description: 'Whether visitors can have a transcript of a chat sent by e-mail' })
  canSendTranscript!: boolean;
}
