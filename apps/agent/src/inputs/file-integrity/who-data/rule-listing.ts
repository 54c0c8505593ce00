/** Marks the rules that are the agent's; what bears it in their form and is not wanted is what an agent left that was killed. */
export const ruleKey = 'logstack-fim'

/** A rule of the agent's own. */
export interface OwnRule {
  readonly arch: 'b64' | 'b32'
  readonly kind: 'dir' | 'path'
  readonly path: string
}

// System calls that do nothing but change files; a rule for others, or for reading, tells of what is no change.
const changing = new Set(
  `truncate ftruncate creat rename renameat renameat2 unlink unlinkat rmdir mkdir mkdirat mknod mknodat link linkat symlink symlinkat
  chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat chown32 fchown32 lchown32 truncate64 ftruncate64
  setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr`.split(/\s+/),
)

/** A rule as auditctl takes it after `-a` and `-d`, and lists it. The calls are left to auditctl, which knows those of writing and of attributes. */
export function ruleArguments({ arch, kind, path }: OwnRule): string[] {
  return ['always,exit', '-F', `arch=${arch}`, '-F', `${kind}=${path}`, '-F', 'perm=wa', '-F', `key=${ruleKey}`]
}

/** The agent's own rules in what `auditctl -l` printed. */
export function ownRules(listing: string): OwnRule[] {
  return listing.split('\n').flatMap((line): OwnRule[] => {
    const found = /^-a always,exit -F arch=(b64|b32) (?:-S \S+ )?-F (dir|path)=(.+) -F perm=wa -F key=(\S+)$/.exec(line)
    if (!found || found[4] !== ruleKey) return []
    const [, arch, kind, path = ''] = found
    return [{ arch: arch === 'b32' ? 'b32' : 'b64', kind: kind === 'dir' ? 'dir' : 'path', path }]
  })
}

/** Keys all of whose rules tell of changes to files and of nothing else. */
export function changeKeys(listing: string): Set<string> {
  const keys = new Set<string>()
  const others = new Set<string>()
  for (const line of listing.split('\n')) {
    const tellsOfChanges = isOfChanges(line)
    for (const [, key = ''] of line.matchAll(/ (?:-k |-F key=)(\S+)/g)) (tellsOfChanges ? keys : others).add(key)
  }
  for (const key of others) keys.delete(key)
  return keys
}

function isOfChanges(line: string): boolean {
  const perm = / (?:-p |-F perm=)([rwxa]+)(?: |$)/.exec(line)?.[1]
  if (perm !== undefined) return /^[wa]+$/.test(perm)
  const calls = / -S (\S+)/.exec(line)?.[1]
  return calls?.split(',').every((call) => changing.has(call)) ?? false
}

/** Why audit tells nothing, by what `auditctl -s` printed; undefined when it does. */
export function whyAuditIsSilent(status: string): string | undefined {
  const value = (name: string): string | undefined => new RegExp(`^${name} (\\d+)`, 'm').exec(status)?.[1]
  if (value('enabled') === '0') return 'audit is switched off (auditctl -e 1)'
  if (value('pid') === '0') return 'auditd does not run'
  return undefined
}

/** Where auditd writes, by its settings; undefined when it writes nothing. */
export function logFileOf(settings: string): string | undefined {
  const value = (name: string): string | undefined => new RegExp(`^\\s*${name}\\s*=\\s*(\\S+)`, 'm').exec(settings)?.[1]
  return value('write_logs')?.toLowerCase() === 'no' ? undefined : (value('log_file') ?? '/var/log/audit/audit.log')
}
