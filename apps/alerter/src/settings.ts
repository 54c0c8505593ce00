import { defineSettings, setting } from '@logstack/settings'
import { z } from 'zod'

const positive = z.number().int().min(1)

/** The alerter's settings; config/alerter.yml explains each key to the operator. */
export const alerterSettings = defineSettings('alerter', {
  poll_interval_ms: setting(positive.max(60_000), {
    default: 2000,
    applies: 'live',
    doc: 'How often each rule looks for new events.',
  }),
  rules_rescan_ms: setting(positive.max(600_000), {
    default: 10_000,
    applies: 'live',
    doc: 'How often the rules folder is read again.',
  }),
  first_lookback_ms: setting(z.number().int().min(0), {
    default: 900_000,
    applies: 'live',
    doc: 'How old an event may be when a rule reads an index for the first time.',
  }),
  catch_up_ms_max: setting(positive, {
    default: 86_400_000,
    applies: 'live',
    doc: 'How old an event may be after a pause of the alerter or a late delivery.',
  }),
  page_events_max: setting(positive.max(10_000), {
    default: 500,
    applies: 'live',
    doc: 'Matching events read in one request.',
  }),
  rules_at_once_max: setting(positive.max(64), {
    default: 4,
    applies: 'live',
    doc: 'Rules that run at the same time.',
  }),
  buffer_time_ms: setting(positive, {
    default: 900_000,
    applies: 'live',
    doc: 'The span of one query of an aggregating rule that gives no buffer_time.',
  }),
  run_every_ms: setting(positive, {
    default: 60_000,
    applies: 'live',
    doc: 'How often an aggregating rule with overlapping windows asks that gives no run_every.',
  }),
  indices_max: setting(positive, {
    default: 500,
    applies: 'live',
    doc: 'Indices that one rule may read where each is asked for by itself, as Elasticsearch and OpenSearch want it; of our own search at least 10,000.',
  }),
  window_events_max: setting(positive.min(10_000), {
    default: 50_000,
    applies: 'live',
    doc: 'Events that the windows of one rule hold together; beyond it the key unseen for longest is dropped, which the list of rules tells. 100,000 take 10 to 60 MB.',
  }),
  webhook_url: setting(z.union([z.literal(''), z.url({ protocol: /^https?$/ })]), {
    default: '',
    applies: 'live',
    doc: 'Where the channel http_post sends when a rule names no http_post_url; empty switches it off.',
  }),
  channel_timeout_ms: setting(positive.max(120_000), {
    default: 10_000,
    applies: 'live',
    doc: 'Limit for one attempt to notify.',
  }),
  delivery_attempts_max: setting(positive.max(100), {
    default: 12,
    applies: 'live',
    doc: 'Attempts to notify before a channel is given up for an alert.',
  }),
  delivery_backoff_ms: setting(positive, {
    default: 1000,
    applies: 'live',
    doc: 'Pause after the first failed attempt; it doubles each time.',
  }),
  delivery_backoff_ms_max: setting(positive, {
    default: 300_000,
    applies: 'live',
    doc: 'The longest pause between two attempts.',
  }),
})

/** Reads one setting in effect. */
export type AlerterTable = (typeof alerterSettings)['table']
