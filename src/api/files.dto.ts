import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { FILE_ID_LENGTH, type FileView, MAX_FILES } from '../files/file.js';
import { nameFault } from '../files/inspect/index.js';
import type { StartedUpload } from '../files/uploads.service.js';
import { SCALAR, Sized, sizeOfBytes, sizeOfList, sizeOfText } from '../platform/validation/body-size.js';
import { Check, findTextFault, Text } from '../platform/validation/validators.js';

/** The ids of files that a message or note names; `[]` counts as omitted unless `mayBeEmpty`. */
export function FileIds(description: string): PropertyDecorator {
  return applyDecorators(
    Check('files', (value) => (value === undefined ? null : findFilesFault(value))),
    Sized(sizeOfList(MAX_FILES, sizeOfBytes(FILE_ID_LENGTH))),
    ApiPropertyOptional({ type: [String], maxItems: MAX_FILES, uniqueItems: true, description }),
  );
}

function findFilesFault(value: unknown): string | null {
  if (!Array.isArray(value) || value.length > MAX_FILES) return `must be an array of at most ${MAX_FILES} file IDs`;
  const wrong = value.findIndex((id) => typeof id !== 'string' || id.length > FILE_ID_LENGTH);
  if (wrong >= 0) return `/${wrong} must be the ID of a file`;
  const repeated = value.findIndex((id, index) => value.indexOf(id) < index);
  return repeated < 0 ? null : `/${repeated} must not be named twice`;
}

const FileName = (): PropertyDecorator =>
  applyDecorators(
    Check('fileName', (value) => nameFault(value) ?? null),
    Sized(sizeOfText(255)),
    ApiProperty({ type: String, minLength: 1, maxLength: 255, example: 'invoice.pdf' }),
  );

/** The body of `POST …/uploads` (CONTRACT: Uploads). */
export class StartUploadDto {
  @Text(1, 64, { example: 'cht_01h455vb4pex5vsknk084sn02q' })
  chatId!: string;

  @FileName()
  name!: string;

  @Check('size', (value) =>
    Number.isSafeInteger(value) && (value as number) > 0 ? null : 'must be a positive integer',
  )
  @Sized(SCALAR)
  @ApiProperty({ type: 'integer', minimum: 1, description: 'Bytes, at most `FILE_MAX_SIZE`' })
  size!: number;

  @Check('type', (value) => (value === undefined ? null : findTextFault(value, 0, 255)))
  @Sized(sizeOfText(255))
  @ApiPropertyOptional({ type: String, maxLength: 255, description: 'Decides nothing: the bytes say what they are' })
  type?: string;
}

/** The query of the one request (CONTRACT: Uploads). */
export class SendFileQuery {
  @Transform(({ value }: { value: unknown }) => value)
  @Text(1, 64, { optional: true, description: 'With it, the body is the file itself' })
  chatId?: string;

  @Transform(({ value }: { value: unknown }) => value)
  @Check('fileName', (value, query) =>
    (query as SendFileQuery).chatId === undefined ? null : (nameFault(value) ?? null),
  )
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: 255 })
  name?: string;
}

export class StartedUploadResponse implements StartedUpload {
  @ApiProperty({ example: 'upl_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ enum: ['PUT'] })
  method!: 'PUT';

  @ApiProperty({ description: 'Where the bytes go, without a token' })
  url!: string;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, description: 'To send with the bytes' })
  headers!: Record<string, string>;

  @ApiProperty({ type: String, format: 'date-time', description: 'Until when the PUT may start' })
  expiresAt!: string;
}

/** A completed file (CONTRACT: Uploads). */
export class FileResponse implements FileView {
  @ApiProperty({ example: 'upl_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ type: 'integer', description: 'Bytes' })
  size!: number;

  @ApiProperty({ description: 'What the bytes are', example: 'image/png' })
  type!: string;

  @ApiPropertyOptional({ type: 'integer', description: 'Pixels of a picture, as shown' })
  width?: number;

  @ApiPropertyOptional({ type: 'integer' })
  height?: number;

  @ApiPropertyOptional({ type: Number, description: 'Of audio and video, if the file says it' })
  durationSeconds?: number;

  @ApiProperty({ description: 'Where the bytes are. It differs between readers' })
  url!: string;
}

export class CompletedFileResponse {
  @ApiProperty({ type: () => FileResponse })
  file!: FileResponse;
}
