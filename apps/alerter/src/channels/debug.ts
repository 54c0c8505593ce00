import { defineChannel } from './define-channel.ts'

/** ElastAlert's `debug`: the alert is one line in the alerter's log. */
export const debug = defineChannel({
  name: 'debug',
  options: {},
  send: ({ id, document }, _options, { logger }) => {
    logger.info({ alert: id, rule: document.rule.id, key: document.logstack.alert.key }, document.message)
    return Promise.resolve()
  },
})
