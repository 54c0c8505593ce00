import type { OperatorHost } from '../installed-host.ts'
import { askSearch } from './ask-search.ts'
import { defineInjection, script } from './define-injection.ts'

/** Gives a user another password in search, which the store does not learn. */
function changedBehindTheStore(user: string): (host: OperatorHost) => Promise<void> {
  const path = `/_security/user/${user}/_password`
  return async (host) => void (await askSearch(host, 'POST', path, { password: 'changed behind the store' }))
}

export const adminPassword = defineInjection({
  fault: 'admin-password',
  how: "the administrator's password is changed in search with request 5, behind the store's back",
  evidence: /unable to authenticate user \[elastic\] for REST request/,
  follows: ['parts-down', 'restart-loop'],
  inject: changedBehindTheStore('elastic'),
})

export const servicePassword = defineInjection({
  fault: 'service-passwords',
  how: "the alerter's password is changed in search, behind the store's back",
  evidence: /logstack_alerter/,
  follows: ['parts-down', 'restart-loop'],
  inject: changedBehindTheStore('logstack_alerter'),
})

export const pendingPassword = defineInjection({
  fault: 'companion-units',
  name: 'pending-password',
  how: 'elasticsearch-reset-password runs in the container while the watch that takes the new password over is stopped',
  evidence: /logstack-password\.path is inactive/,
  follows: ['pending-password', 'admin-password'],
  inject: script(`
      systemctl stop logstack-password.path
      podman exec logstack-search elasticsearch-reset-password -u elastic --batch >/dev/null`),
})

export const passwordCutOff = defineInjection({
  fault: 'pending-password',
  name: 'password-cut-off',
  how: "a change of the administrator's password was cut off when the new one was set aside and search did not have it yet",
  evidence: /the change of the password of elastic was cut off/,
  async inject(host) {
    // A vault file of any other password: what is set aside is one that search does not know.
    await host.shell('cd /etc/logstack/vault; cp --preserve=mode logstack_alerter .staged-elastic')
  },
})
