import { whyNoHost } from './debian-host.ts'
import { buildBase, buildImageTar } from './host-base.ts'
import { removeLeftHosts } from './host-groups.ts'

/** Before the first suite: what a killed run left is removed, and what several suites copy is built. */
export async function setup(): Promise<void> {
  if (whyNoHost() !== undefined) return
  await removeLeftHosts()
  await buildBase('systemd')
  await Promise.all([buildImageTar(), buildBase('podman'), buildBase('plain')])
}
