import { existsSync, statfsSync, statSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { AppError, isAppError, operatorErrors } from '@logstack/errors'
import { runCommand } from '@logstack/process'
import { z } from 'zod'
import { host } from '../../places/host.ts'
import { isNewer } from '../../places/product-version.ts'
import { readJsonFile } from '../../places/read-json-file.ts'
import type { Stack } from '../../stack.ts'
import { digestOfCopy, digestToCome } from '../../steps/host/program-copy.ts'
import { takenPorts } from './ports-free.ts'

/** What a host must have, each with the sentence about what is wrong and what to do. */
const limits = {
  podmanMajorMin: 5,
  memoryBytesMin: 3 * 1024 ** 3,
  /** The copy of the programs, the image and its build, and room for the first events. */
  freeBytesMin: 6 * 1024 ** 3,
  /** Of an upgrade: the new programs beside the old ones, and five times the image while it is built (measured on Debian 13: 0.6 and 3.5 GB). */
  upgradeBytesMin: { programs: 1024 ** 3, image: 4 * 1024 ** 3 },
  /** Certificates are dated by the clock: one that stands before the programs were built makes them invalid for everyone else. */
  clockBehindMsMax: 3_600_000,
  commandMs: 10_000,
} as const

interface Problem {
  readonly problem: string
  readonly fix: string
}

type Found = Problem | readonly Problem[] | undefined
type Requirement = (stack: Stack) => Promise<Found> | Found

const manifestSchema = z.object({ version: z.string() })

const graphRoot = '/var/lib/containers/storage'
const systemdFolder = '/run/systemd/system'
const quadletGenerator = '/usr/lib/systemd/system-generators/podman-system-generator'
const mebibyte = 1024 ** 2

const systemd: Requirement = () =>
  existsSync(systemdFolder)
    ? undefined
    : { problem: 'this host is not run by systemd', fix: 'use the embedded stack instead: ./logstack up' }

const podman: Requirement = async () => {
  const wanted = `use Debian 13 or another host with podman ${limits.podmanMajorMin}.0 or newer, or the embedded stack: ./logstack up`
  const version = await output(['podman', 'version', '--format', '{{.Client.Version}}'])
  if (version === undefined)
    return { problem: 'podman does not answer or is not installed', fix: `apt install podman; ${wanted}` }
  if (Number(version.split('.')[0]) < limits.podmanMajorMin) {
    return { problem: `podman is ${version}, older than ${limits.podmanMajorMin}.0`, fix: wanted }
  }
  if (!existsSync(quadletGenerator)) {
    return { problem: `podman ${version} comes without quadlet (${quadletGenerator})`, fix: wanted }
  }
  const root = await output(['podman', 'info', '--format', '{{.Store.GraphRoot}}'])
  if (root === graphRoot) return undefined
  const problem = root ? `podman keeps its data in ${root}, not in ${graphRoot}` : 'podman info does not answer'
  return { problem, fix: root ? `set graphroot in /etc/containers/storage.conf to ${graphRoot}` : 'run: podman info' }
}

const cgroups: Requirement = () =>
  existsSync('/sys/fs/cgroup/cgroup.controllers')
    ? undefined
    : { problem: 'this host has no cgroups v2', fix: 'start it with systemd.unified_cgroup_hierarchy=1' }

const architecture: Requirement = () =>
  ['x64', 'arm64'].includes(process.arch)
    ? undefined
    : { problem: `there is no engine for ${process.arch}`, fix: 'use a host with an amd64 or arm64 processor' }

const memory: Requirement = () =>
  totalmem() >= limits.memoryBytesMin
    ? undefined
    : {
        problem: `this host has ${Math.floor(totalmem() / mebibyte)} MiB of memory, logstack needs ${limits.memoryBytesMin / mebibyte} MiB`,
        fix: 'give it more memory',
      }

const disk: Requirement = (stack) => {
  const storage = existsSync(graphRoot) ? graphRoot : '/var/lib'
  const { freeBytesMin, upgradeBytesMin } = limits
  if (!existsSync(stack.paths.markers['agent-server']))
    return lackOfRoom('an installation', { '/opt': freeBytesMin, [storage]: freeBytesMin })
  // A second installation of the same programs copies and builds nothing.
  return digestToCome(stack.paths.programDir) === digestOfCopy()
    ? undefined
    : lackOfRoom('an upgrade', { '/opt': upgradeBytesMin.programs, [storage]: upgradeBytesMin.image })
}

/** The first place that has less free than `needed`, in bytes. */
function lackOfRoom(what: string, needed: Readonly<Record<string, number>>): Found {
  for (const [place, bytes] of Object.entries(needed)) {
    const { bavail, bsize } = statfsSync(place)
    if (bavail * bsize >= bytes) continue
    return {
      problem: `the disk of ${place} has ${Math.floor((bavail * bsize) / mebibyte)} MiB free, ${what} needs ${bytes / mebibyte} MiB`,
      fix: 'free some space, or extend the volume: lvextend -r -l +100%FREE <volume>',
    }
  }
  return undefined
}

const clock: Requirement = ({ paths }) => {
  const built = statSync(join(paths.programDir, 'dist/operator.mjs')).mtimeMs
  if (Date.now() > built - limits.clockBehindMsMax) return undefined
  return {
    problem: `the clock says ${new Date().toISOString()}, before the programs were built`,
    fix: 'set it: timedatectl set-ntp true',
  }
}

const ports: Requirement = async (stack) => {
  const running = await output(['podman', 'ps', '--filter', 'name=^logstack-', '--format', '{{.Names}}'])
  return running ? [] : takenPorts(stack)
}

/** What is installed here may have stored its data in a form that older programs cannot read. */
const installation: Requirement = ({ paths }) => {
  const installed = versionIn(host.programDir)
  const given = versionIn(paths.programDir)
  if (installed === undefined || given === undefined || !isNewer(installed, given)) return undefined
  return {
    problem: `logstack ${installed} is installed here, newer than the ${given} of ${paths.programDir}`,
    fix: `install from a folder of ${installed} or newer`,
  }
}

function versionIn(programDir: string): string | undefined {
  const file = join(programDir, 'package.json')
  if (!existsSync(file)) return undefined
  return readJsonFile(file, manifestSchema, 'unpack or clone logstack anew').version
}

/** What an installation finds of an earlier one, as a sentence for people; undefined on a bare host. */
export function earlierInstallation({ paths }: Stack): string | undefined {
  const version = versionIn(host.programDir)
  if (version !== undefined)
    return `logstack ${version} is installed here: its data, secrets and edits stay, what is right is not touched`
  if (existsSync(paths.vaultKeyFile)) return 'an earlier installation left its data here: it is used again'
  return undefined
}

const requirements: readonly Requirement[] = [
  systemd,
  architecture,
  cgroups,
  podman,
  memory,
  disk,
  clock,
  installation,
  ports,
]

/** Looks at the host before anything is changed; `host_unfit` with all that is missing, each with its fix. */
export async function checkHost(stack: Stack): Promise<void> {
  const found: Problem[] = []
  for (const look of requirements) {
    found.push(...[(await look(stack)) ?? []].flat())
  }
  const [first, ...others] = found
  if (!first) return
  const lines = others.map(({ problem, fix }) => `\n  also: ${problem}\n  fix: ${fix}`).join('')
  throw new AppError(operatorErrors.host_unfit, first.problem, { fix: `${first.fix}${lines}` })
}

async function output(argv: readonly string[]): Promise<string | undefined> {
  try {
    return (await runCommand(argv, { timeoutMs: limits.commandMs })).stdout.trim()
  } catch (thrown) {
    if (isAppError(thrown)) return undefined
    throw thrown
  }
}
