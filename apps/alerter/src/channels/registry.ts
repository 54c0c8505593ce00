import { debug } from './debug.ts'
import type { Channel } from './define-channel.ts'
import { httpPost } from './http-post.ts'

/** Every channel by its wire name: one line each. `post` is ElastAlert's name for the webhook. */
export const channels: ReadonlyMap<string, Channel> = new Map([
  ['debug', debug],
  ['http_post', httpPost],
  ['post', httpPost],
])
