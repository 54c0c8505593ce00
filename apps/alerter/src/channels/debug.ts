import { defineChannel } from './define-channel.ts'

/** ElastAlert's `debug`: each alert is one line in the alerter's log. */
export const debug = defineChannel({
  name: 'debug',
  options: {},
  send: ({ alerts }, _options, { logger }) => {
    for (const { id, document } of alerts)
      logger.info({ alert: id, rule: document.rule.id, key: document.logstack.alert.key }, document.message)
    return Promise.resolve("written to the alerter's log")
  },
})
