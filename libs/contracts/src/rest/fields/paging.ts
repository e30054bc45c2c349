import { Type } from 'class-transformer';
import { IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { Optional } from './field';
import { FieldsQuery } from './sparse';

/** `limit`, `cursor` and `fields` of every list. */
export class PageQuery extends FieldsQuery {
  @JSONSchema({ description: 'Most items in the response.' })
  @Optional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(200)
  limit: number = 50;

  @JSONSchema({
    description: '`nextCursor` of the previous page, unchanged. It is opaque. Absent: the first page.',
    pattern: '^[A-Za-z0-9_-]*$',
  })
  @Optional()
  @IsString()
  @MaxLength(512)
  cursor?: string;
}
