import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

/** For handlers whose body may have more values than others. */
export const MostBodyValues = (most: number): MethodDecorator => RouteConfig({ mostBodyValues: most });

/** Undefined for a route without MostBodyValues. */
export function mostBodyValues({ routeOptions }: FastifyRequest): number | undefined {
  return (routeOptions.config as { mostBodyValues?: number }).mostBodyValues;
}
