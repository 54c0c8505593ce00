import { defineRuleType } from './define-rule-type.ts'

/** ElastAlert's `any`: every event that passes the filter is a match. */
export const any = defineRuleType({
  name: 'any',
  options: {},
  start: () => ({
    add: (event) => ({
      event,
      marks: [{ index: event.index, id: event.id, time: event.time }],
      reason: `An event matched at ${new Date(event.time).toISOString()}`,
    }),
    save: () => undefined,
  }),
})
