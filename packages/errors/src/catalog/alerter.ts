import { defineErrors } from './entry.ts'

/** Errors reported by alerter. */
export const alerterErrors = defineErrors({
  rule_invalid: [
    'invalid',
    'an alert rule file cannot be used; the message has file, line and column, other rules run on',
  ],
  rules_unreadable: ['unavailable', 'the folder of alert rules or a file in it cannot be read'],
  too_many_indices: ['too-large', "an alert rule's index pattern matches more indices than indices_max allows"],
  answer_partial: ['unavailable', "search answered an alert rule's query without some events; it is asked again"],
  notify_failed: ['unavailable', 'a channel could not deliver an alert; it is tried again until delivery_attempts_max'],
})
