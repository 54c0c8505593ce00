import { defineRuleType, matchOf } from './define-rule-type.ts'

/** ElastAlert's `any`: every event that passes the filter is a match. */
export const any = defineRuleType({
  name: 'any',
  options: {},
  start: () => ({
    add: (event) => [matchOf(event, `An event matched at ${new Date(event.time).toISOString()}`)],
    save: () => undefined,
  }),
})
