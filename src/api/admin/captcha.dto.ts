import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { changesBetween } from '../../auth/audit/audit-changes.js';
import type { AuditService } from '../../auth/audit/audit.service.js';
import type { RequestContext } from '../../auth/context/request-context.js';
import type { CaptchaHooks } from '../../organizations/captcha/captcha.service.js';
import { type Captcha, CAPTCHA_PROVIDERS, type CaptchaProvider } from '../../organizations/captcha/captcha.js';
import type { Precondition } from '../../platform/http/responses/etag.js';
import { Sized, sizeOfText } from '../../platform/validation/body-size.js';
import { Check, findTextFault, OneOf, Text } from '../../platform/validation/validators.js';

const MAX_KEY_LENGTH = 200;
const MAX_URL_LENGTH = 2_000;

function findUrlFault(value: unknown): string | null {
  return findTextFault(value, 1, MAX_URL_LENGTH) ?? (URL.canParse(value as string) ? null : 'must be a URL');
}

function VerifyUrl(): PropertyDecorator {
  const description = 'Checks the responses in the place of the provider, in the same way; omitted: the provider';
  return applyDecorators(
    IsOptional(),
    Check('url', findUrlFault),
    Sized(sizeOfText(MAX_URL_LENGTH)),
    ApiPropertyOptional({ type: String, maxLength: MAX_URL_LENGTH, description }),
  );
}

/** The body of `PUT …/captcha`. */
export class CaptchaDto {
  @OneOf(CAPTCHA_PROVIDERS)
  provider!: CaptchaProvider;

  @Text(1, MAX_KEY_LENGTH, { description: 'Pages show the captcha with it' })
  siteKey!: string;

  @Text(1, MAX_KEY_LENGTH, { description: 'Checks the responses. It is never returned' })
  secret!: string;

  @VerifyUrl()
  verifyUrl?: string;
}

export function toCaptcha({ provider, siteKey, verifyUrl }: CaptchaDto): Captcha {
  return { provider, siteKey, verifyUrl: verifyUrl ?? null };
}

export class CaptchaResponse implements Captcha {
  @ApiProperty({ enum: [...CAPTCHA_PROVIDERS] })
  provider!: CaptchaProvider;

  @ApiProperty()
  siteKey!: string;

  @ApiProperty({ type: String, nullable: true })
  verifyUrl!: string | null;
}

export class CaptchaSettingResponse {
  @ApiProperty({ type: () => CaptchaResponse, nullable: true, description: 'Null: visitors solve none' })
  captcha!: CaptchaResponse | null;
}

/** Records a change of the captcha without its secret. */
export function hooksOf(audit: AuditService, context: RequestContext, precondition: Precondition | null): CaptchaHooks {
  return {
    precondition,
    async record(tx, targetName, { before, after, hasNewSecret }) {
      const changes = changesBetween({ captcha: before }, { captcha: after });
      const entry = { action: 'widget.changed', target: context.organizationId, targetName, changes } as const;
      if (changes.length > 0 || hasNewSecret) await audit.record(context, entry, tx);
    },
  };
}
