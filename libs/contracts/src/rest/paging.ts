import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';

/** `limit` and `cursor` of every list (decisions.md, Lists). */
export class PageQuery {
  @JSONSchema({ description: 'Most items in the answer.' })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(200)
  limit: number = 50;

  @JSONSchema({
    description: '`nextCursor` of the page before, unchanged; opaque. Absent: the first page.',
    pattern: '^[A-Za-z0-9_-]*$',
  })
  @IsOptional()
  @IsString()
  @MaxLength(512)
  cursor?: string;
}
