import { Injectable, Param, type PipeTransform } from '@nestjs/common';
import { isId } from '../../lib/ids.js';

/** Maps a malformed id to '', so that its 404 comes after the body's validation (400). */
@Injectable()
class IdPipe implements PipeTransform<string, string> {
  transform(id: string): string {
    return isId(id) ? id : '';
  }
}

/** A path parameter that is an id. */
export function Id(name: string): ParameterDecorator {
  return Param(name, IdPipe);
}
