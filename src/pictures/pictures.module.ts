import { Module } from '@nestjs/common';
import { FilesModule } from '../files/files.module.js';
import { OutboundAgent } from '../platform/outbound/outbound-agent.js';
import { PictureFetches } from './picture-fetches.js';
import { PictureFiles } from './picture-files.js';
import { PictureUpkeep } from './picture-upkeep.js';
import { PicturesService } from './pictures.service.js';

/** Pictures that visitors see beside agents' names and in mails (CONTRACT: Pictures). */
@Module({
  imports: [FilesModule],
  // Its own agent, so that closing one does not cut off another's requests.
  providers: [OutboundAgent, PictureFetches, PictureFiles, PictureUpkeep, PicturesService],
  exports: [PicturesService],
})
export class PicturesModule {}
