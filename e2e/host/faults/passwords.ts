import { askSearch } from './ask-search.ts'
import { defineInjection } from './define-injection.ts'

const behind = { password: 'changed behind the store' }

export const adminPassword = defineInjection({
  fault: 'admin-password',
  how: "the administrator's password is changed in search with request 5, behind the store's back",
  evidence: /unable to authenticate user \[elastic\] for REST request/,
  follows: ['parts-down', 'restart-loop'],
  async inject(host) {
    await askSearch(host, 'POST', '/_security/user/elastic/_password', behind)
  },
})

export const servicePassword = defineInjection({
  fault: 'service-passwords',
  how: "the alerter's password is changed in search, behind the store's back",
  evidence: /logstack_alerter/,
  follows: ['parts-down', 'restart-loop'],
  async inject(host) {
    await askSearch(host, 'POST', '/_security/user/logstack_alerter/_password', behind)
  },
})

export const pendingPassword = defineInjection({
  fault: 'pending-password',
  how: 'elasticsearch-reset-password runs in the container while the unit that takes the new password over is stopped',
  evidence: /handover\/\S+\.json waits for the operator/,
  follows: ['admin-password'],
  async inject(host) {
    await host.shell(`
      systemctl list-unit-files --no-legend 'logstack-*.path' | awk '{print $1}' | xargs --no-run-if-empty systemctl stop
      podman exec logstack-search elasticsearch-reset-password -u elastic --batch >/dev/null`)
  },
  async restore(host) {
    await host.shell(
      `systemctl list-unit-files --no-legend 'logstack-*.path' | awk '{print $1}' | xargs --no-run-if-empty systemctl start`,
    )
  },
})
