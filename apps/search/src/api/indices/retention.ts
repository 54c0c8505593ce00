import { clockLeap } from '../../lifecycle/clock-leaps.ts'
import { dataSpace, purgeOlderThan } from '../../lifecycle/retention.ts'
import { changeRetention, endingAgeMs, putRetention, retentionPolicy } from '../../lifecycle/retention-policy.ts'
import { defineRoute, type Route } from '../define-route.ts'
import { objectBody } from '../read-request.ts'

const get = defineRoute({
  name: 'logstack.get_retention',
  methods: ['GET'],
  paths: ['/_logstack/retention'],
  privilege: { cluster: 'monitor' },
  parameters: {},
  async handle(_request, services) {
    const { totalBytes, freeBytes, dataBytes, budgetBytes, excessBytes } = await dataSpace(services)
    const disk = {
      total_in_bytes: totalBytes,
      free_in_bytes: freeBytes,
      data_in_bytes: dataBytes,
      data_may_take_in_bytes: budgetBytes,
      to_free_in_bytes: excessBytes,
    }
    const leap = clockLeap(services.store)
    const doubted = leap && { offset_in_millis: Math.round(leap.offsetMs), until: new Date(leap.untilMs).toISOString() }
    return { json: { retention: retentionPolicy(services.store), disk, ...(doubted ? { clock_leap: doubted } : {}) } }
  },
})

const put = defineRoute({
  name: 'logstack.put_retention',
  methods: ['PUT'],
  paths: ['/_logstack/retention'],
  privilege: { cluster: 'manage' },
  parameters: {},
  async handle(request, { store }) {
    const changed = changeRetention(retentionPolicy(store), objectBody(request.json(), 'retention'))
    await putRetention(store, changed)
    return { json: { acknowledged: true, retention: changed } }
  },
})

const purge = defineRoute({
  name: 'logstack.purge',
  methods: ['POST'],
  paths: ['/_logstack/retention/_purge'],
  // Deletes whatever index the pattern finds.
  privilege: { cluster: 'all' },
  parameters: { older_than: 'string', index: 'string', dry_run: 'boolean' },
  async handle(request, services) {
    const { older_than: olderThan, index = '*', dry_run: dryRun = false } = request.query
    const olderThanMs = endingAgeMs('older_than', olderThan)
    const report = await purgeOlderThan(services, { olderThanMs, pattern: String(index), dryRun: dryRun === true })
    return { json: { dry_run: dryRun === true, ...report } }
  },
})

/** How long events are kept and how much of the disk they take: to be seen, set, and carried out at once. */
export const retentionRoutes: readonly Route[] = [get, put, purge]
