import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from '@logstack/process'
import { bootHost, type DebianHost } from './debian-host.ts'
import { buildImageTar } from './host-base.ts'

/** The image in the host's storage that images can be built on: Debian 13 with Node, where no registry can be reached. */
export const baseImage = 'localhost/debian-node:13'

/** Boots a Debian 13 host with podman, and a network of its own. */
export function bootJoinableHost(name: string): Promise<DebianHost> {
  const loops = ['/dev/loop-control', ...Array.from({ length: 8 }, (_, number) => `/dev/loop${number}`)]
  const devices = ['/dev/fuse', ...loops].filter((device) => existsSync(device))
  return bootHost(name, { base: 'podman', ownNetwork: true, devices })
}

/** Boots the same with the base image in its storage, for those who run containers there. */
export async function bootPodmanHost(name: string): Promise<DebianHost> {
  const tar = await buildImageTar()
  const host = await bootJoinableHost(name)
  try {
    const inside = '/var/tmp/base-image.tar'
    await runCommand(['cp', '--reflink=auto', tar, join(host.root, inside)], { timeoutMs: 60_000 })
    await host.exec(['podman', 'import', '--quiet', inside, baseImage], { timeoutMs: 120_000 })
    await rm(join(host.root, inside))
  } catch (thrown) {
    await host.down()
    throw thrown
  }
  return host
}
