import type { OperatorHost } from '../installed-host.ts'
import { defineInjection } from './define-injection.ts'

const alerter = '/etc/containers/systemd/logstack-alerter.container'

export const unitMissing = defineInjection({
  fault: 'units',
  name: 'units',
  how: 'a definition is deleted, and systemd reads its units anew',
  evidence: /logstack-alerter\.container is missing/,
  inject: async (host) => {
    await host.shell(`rm ${alerter}; systemctl daemon-reload`)
  },
  follows: ['parts-down', 'restart-loop', 'podman-secrets', 'owners', 'volumes', 'ports'],
})

export const unitUnparsable = defineInjection({
  fault: 'units',
  name: 'units-unparsable',
  how: 'a definition gets a line that is no unit file, another a key that quadlet does not know',
  evidence: /logstack-alerter\.container:\d+: expected key=value/,
  inject: async (host) => {
    await host.shell(`
      sed -i '3i this is no unit file' ${alerter}
      echo 'Imagge=x' | sed -i '/^\\[Container\\]/r /dev/stdin' /etc/containers/systemd/logstack-dashboard.container
      systemctl daemon-reload`)
  },
  follows: ['parts-down', 'restart-loop', 'podman-secrets', 'owners', 'volumes', 'ports'],
  restore: removeAside,
})

async function removeAside(host: OperatorHost): Promise<void> {
  await host.shell('rm -f /etc/containers/systemd/*.broken')
}
