import { whyNoHost } from './debian-host.ts'
import { buildBase, buildImageTar } from './host-base.ts'
import { removeLeftHosts } from './host-groups.ts'

/** Before the first suite, as suites run side by side: what all of them copy is built once, and what a killed run left is removed. */
export async function setup(): Promise<void> {
  if (whyNoHost() !== undefined) return
  await removeLeftHosts()
  await buildBase('systemd')
  await Promise.all([buildImageTar(), buildBase('podman'), buildBase('plain')])
}
