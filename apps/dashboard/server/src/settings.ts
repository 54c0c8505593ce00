import { defineSettings, setting } from '@logstack/settings'
import { z } from 'zod'

const duration = (min: number, max: number): z.ZodType<number> => z.number().int().min(min).max(max)

/** The dashboard's settings; `config/dashboard.yml` explains each. */
export const dashboardSettings = defineSettings('dashboard', {
  'session.idle_timeout_ms': setting(duration(60_000, 7 * 86_400_000), {
    default: 3_600_000,
    applies: 'live',
    doc: 'How long a session lasts without a request.',
  }),
  'session.lifetime_ms': setting(duration(60_000, 30 * 86_400_000), {
    default: 43_200_000,
    applies: 'live',
    doc: 'How long a session lasts at most; then the user logs in again.',
  }),
  'session.count_max': setting(z.number().int().min(1).max(100_000), {
    default: 1_000,
    applies: 'live',
    doc: 'Sessions held at once; one more ends the session that was idle longest.',
  }),
  'login.failures_max': setting(z.number().int().min(1).max(1_000), {
    default: 10,
    applies: 'live',
    doc: 'Failed logins of one user from one address within the window, before more are refused.',
  }),
  'login.window_ms': setting(duration(1_000, 86_400_000), {
    default: 300_000,
    applies: 'live',
    doc: 'The window in which failed logins are counted.',
  }),
  'search.timeout_ms': setting(duration(1_000, 3_600_000), {
    default: 120_000,
    applies: 'live',
    doc: 'How long a page or the console waits for one answer of search.',
  }),
  'search.public_url': setting(z.union([z.literal(''), z.url({ protocol: /^https?$/ })]), {
    default: '',
    applies: 'live',
    doc: 'The address under which people reach search, for the curl commands that Dev Tools copies; empty for port 9200 of the host they reach the dashboard at.',
  }),
  'import.bytes_max': setting(z.number().int().min(1_024).max(1_073_741_824), {
    default: 52_428_800,
    applies: 'restart',
    doc: 'The largest import file, and the largest body of any request.',
  }),
  'import.objects_max': setting(z.number().int().min(1).max(10_000), {
    default: 10_000,
    applies: 'live',
    doc: 'Saved objects in one import or export.',
  }),
})

export type DashboardSettings = (typeof dashboardSettings)['table']
