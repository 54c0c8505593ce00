import { z } from 'zod'
import { defineChannel } from './define-channel.ts'

/** ElastAlert's `indexer`: each match as a document of an index, under the alert's id. The alerter's account must be let write there. */
export const indexer = defineChannel({
  name: 'indexer',
  options: {
    indexer_alerts_name: z
      .string()
      .regex(/^\.logstack-alerts-[a-z0-9_-]{1,80}$/u, 'must be .logstack-alerts-NAME, where the alerter may write')
      .default('.logstack-alerts-matches'),
  },
  send: async ({ alerts }, options, { writeDocument }) => {
    for (const { id, document } of alerts) {
      const { match, severity } = document.logstack.alert
      const written = {
        '@timestamp': document['@timestamp'],
        rule_name: document.rule.name,
        severity,
        message: document.message,
        match,
      }
      await writeDocument(options.indexer_alerts_name, id, written)
    }
    return `written to ${options.indexer_alerts_name}`
  },
})
