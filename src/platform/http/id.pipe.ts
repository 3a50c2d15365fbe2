import { Injectable, Param, type PipeTransform } from '@nestjs/common';
import { isId } from '../lib/ids.js';

/** What has no id's form becomes the id of nothing: the 404 comes in its turn, after a 400 for the body. */
@Injectable()
class IdPipe implements PipeTransform<string, string> {
  transform(id: string): string {
    return isId(id) ? id : '';
  }
}

/** An id in the path. */
export function Id(name: string): ParameterDecorator {
  return Param(name, IdPipe);
}
