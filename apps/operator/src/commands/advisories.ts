import { resolve } from 'node:path'
import { distributionFamilies, formatOf } from '@logstack/contracts'
import { AppError, operatorErrors } from '@logstack/errors'
import type { Command } from 'commander'
import { type ImportedAdvisories, importAdvisories, releasesOfHosts } from '../advisories/import-advisories.ts'
import { type CommandContext, type RegisterCommand, withStack } from './command.ts'

interface ImportOptions {
  readonly for?: string
}

/** `logstack advisories import`: takes security advisories in, which endpoint-manager compares with the packages of hosts. */
export const registerAdvisories: RegisterCommand = (program, context) => {
  program
    .command('advisories')
    .description('security advisories, by which the packages of hosts are looked through')
    .command('import')
    .argument('<path...>', "all.zip of OSV.dev, a folder of JSON files, or files in the OSV format, a distribution's")
    .option('--for <releases>', 'such as debian:12,ubuntu:24.04; unless told, those of the hosts that sent packages')
    .description('take in what files say of the releases that hosts have; what they say no more is removed')
    .addHelpText(
      'after',
      `
Example:
  curl -o debian.zip https://osv-vulnerabilities.storage.googleapis.com/Debian/all.zip
  logstack advisories import debian.zip

Advisories of Debian, Ubuntu, AlmaLinux and Rocky Linux are read. The results are in the index endpoint-vulnerabilities.`,
    )
    .action((paths: readonly string[], options: ImportOptions, command: Command) =>
      withStack(command, context, async ({ clients }) => {
        const search = clients.search()
        const wanted = options.for === undefined ? await releasesOfHosts(search) : releasesNamed(options.for)
        if (wanted.length === 0) throw noHosts()
        const at = new Date().toISOString()
        const files = paths.map((path) => resolve(path))
        report(await importAdvisories(search, files, { wanted, at }), wanted, context)
      }),
    )
}

function releasesNamed(text: string): string[] {
  return text.split(',').map((each) => {
    const release = each.trim()
    if (formatOf(release) !== undefined && /:\d+(?:\.\d+)?$/.test(release)) return release
    const platforms = distributionFamilies.map(({ platform }) => platform).join(', ')
    throw new AppError(operatorErrors.option_invalid, `--for: [${release}] is no release with advisories`, {
      fix: `write debian:12 or ubuntu:24.04; known are ${platforms}`,
    })
  })
}

function noHosts(): AppError {
  const message = 'no host with Debian, Ubuntu, AlmaLinux or Rocky Linux has sent its packages yet'
  return new AppError(operatorErrors.option_invalid, message, {
    fix: 'add a host first (./logstack agent command), or name releases: --for debian:12',
  })
}

function report(
  { counts, removed, unreadable, problems }: ImportedAdvisories,
  wanted: readonly string[],
  { say }: CommandContext,
): void {
  for (const problem of problems) say(`not read: ${problem}`)
  if (unreadable > problems.length) say(`not read: ${unreadable - problems.length} more`)
  for (const release of wanted) say(`${release}: ${counted(counts.get(release) ?? 0)}`)
  if (removed > 0) say(`${counted(removed)} of before removed`)
  const found = [...counts.values()].reduce((sum, count) => sum + count, 0)
  if (found === 0) {
    throw new AppError(operatorErrors.option_invalid, `the files have nothing about ${wanted.join(', ')}`, {
      fix: "name the distribution's own file: https://osv-vulnerabilities.storage.googleapis.com/Debian/all.zip",
    })
  }
  say('endpoint-manager compares them with the packages of hosts within minutes')
}

function counted(count: number): string {
  return count === 1 ? '1 advisory' : `${count} advisories`
}
