import { ApiProperty } from '@nestjs/swagger';

export class FilesSummaryResponse {
  @ApiProperty({ type: 'integer', description: 'Completed files' })
  files!: number;

  @ApiProperty({ type: 'integer', description: 'Their bytes' })
  bytes!: number;

  @ApiProperty({ type: 'integer', description: 'The bytes of unfinished uploads' })
  unfinished!: number;

  @ApiProperty({ type: 'integer', nullable: true, description: '`fileQuota`; null: no limit' })
  quota!: number | null;
}
