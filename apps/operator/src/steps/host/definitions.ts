import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { host } from '../../places/host.ts'
import { writeFileAtomically } from '../../places/write-file.ts'
import { unproven } from '../../telling/unproven.ts'
import { defineStep, findingOf } from '../define-step.ts'

/** One shipped file and where systemd or podman look for it. */
interface Definition {
  readonly name: string
  readonly from: string
  readonly to: string
}

/** The definitions of containers, network and volumes, and the unit on top. One that was edited after it was installed stays as it is. */
export const definitions = defineStep({
  name: 'definitions',
  title: 'definitions',
  async diagnose({ paths }) {
    const plan = outdated(paths.programDir).map(({ from, to }) => `cp ${from} ${to}`)
    return findingOf(linkIsRight() ? plan : [...plan, `ln -s ${host.quadletDir} ${host.quadletLink}`])
  },
  async apply({ paths }) {
    for (const { name, from, to } of outdated(paths.programDir)) {
      writeFileAtomically(to, readFileSync(from, 'utf8'))
      mkdirSync(dirname(join(host.shippedDir, name)), { recursive: true })
      copyFileSync(from, join(host.shippedDir, name))
    }
    if (linkIsRight()) return
    mkdirSync(dirname(host.quadletLink), { recursive: true })
    symlinkSync(host.quadletDir, host.quadletLink)
  },
  async prove({ paths }) {
    const [left] = outdated(paths.programDir)
    if (left) throw unproven(`${left.to} was not written`)
    if (!linkIsRight()) throw unproven(`${host.quadletLink} is no link to ${host.quadletDir}`)
  },
})

/** The files an installation puts where systemd and podman look for them. */
export function definitionsOf(programDir: string): Definition[] {
  const from = join(programDir, 'quadlet')
  const names = readdirSync(from).filter((name) => /\.(container|network|volume|service|timer|path)$/.test(name))
  const userUnit = join('user', host.stackUnit)
  return (
    names
      .map((name) => ({
        name,
        from: join(from, name),
        to: join(/\.(service|timer|path)$/.test(name) ? host.unitDir : host.quadletDir, name),
      }))
      .concat({ name: userUnit, from: join(from, userUnit), to: join(host.userUnitDir, host.stackUnit) })
      // The first container's comes last: where it is, all are.
      .sort((a, b) => Number(a.name === 'logstack-search.container') - Number(b.name === 'logstack-search.container'))
  )
}

function outdated(programDir: string): Definition[] {
  return definitionsOf(programDir).filter(({ name, from, to }) => {
    const current = textOf(to)
    const shipped = textOf(join(host.shippedDir, name))
    const isEdited = current !== undefined && shipped !== undefined && current !== shipped
    return !isEdited && current !== textOf(from)
  })
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function linkIsRight(): boolean {
  const stat = lstatSync(host.quadletLink, { throwIfNoEntry: false })
  return stat?.isSymbolicLink() === true && readlinkSync(host.quadletLink) === host.quadletDir
}
