import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

/** `limit` and `cursor` of every list (decisions.md, Lists). */
export class PageQuery {
  /** 1–200, default 50. */
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(200)
  limit: number = 50;

  /** `nextCursor` of the page before; opaque. */
  @IsOptional()
  @IsString()
  @MaxLength(512)
  cursor?: string;
}
