import { jsonRoute } from '../json.ts'
import { otlpRoute } from '../otlp.ts'
import type { HttpRoute } from './route.ts'

/** Every input that is a path of the HTTPS server. */
export const httpRoutes: readonly HttpRoute[] = [otlpRoute, jsonRoute]
