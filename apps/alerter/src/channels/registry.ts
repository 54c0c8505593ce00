import { command } from './command.ts'
import { debug } from './debug.ts'
import type { Channel } from './define-channel.ts'
import { discord } from './discord.ts'
import { email } from './email.ts'
import { httpPost } from './http-post.ts'
import { indexer } from './indexer.ts'
import { jira } from './jira.ts'
import { mattermost } from './mattermost.ts'
import { msPowerAutomate } from './ms-power-automate.ts'
import { opsgenie } from './opsgenie.ts'
import { pagerduty } from './pagerduty.ts'
import { post } from './post.ts'
import { servicenow } from './servicenow.ts'
import { slack } from './slack.ts'
import { syslog } from './syslog.ts'
import { telegram } from './telegram.ts'

const all: readonly Channel[] = [
  debug,
  email,
  slack,
  msPowerAutomate,
  mattermost,
  discord,
  telegram,
  pagerduty,
  opsgenie,
  jira,
  servicenow,
  httpPost,
  post,
  syslog,
  command,
  indexer,
]

/** Every channel by its wire name: one line each. */
export const channels: ReadonlyMap<string, Channel> = new Map(all.map((channel) => [channel.name, channel]))
