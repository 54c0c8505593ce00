/** A system call as the kernel would have told of it. */
export interface ToldCall {
  readonly serial: number
  /** Milliseconds. */
  readonly time: number
  readonly pid?: number
  readonly auid?: string
  readonly uid?: string
  readonly euid?: string
  readonly comm?: string
  readonly exe?: string
  readonly key?: string
  readonly cwd?: string
  readonly success?: 'yes' | 'no'
  readonly title?: string
  /** Kind, inode and name; the name as the program gave it, none for a descriptor. */
  readonly paths: readonly (readonly [kind: string, inode: number, name?: string])[]
  /** What `log_format = ENRICHED` adds. */
  readonly enriched?: string
}

/** Quoted when plain, or else in hexadecimal digits, as the kernel writes what programs may choose. */
function untrusted(text: string): string {
  const isPlain = /^[\x21\x23-\x7e]+$/.test(text)
  return isPlain ? `"${text}"` : Buffer.from(text).toString('hex').toUpperCase()
}

/** The records of a system call, in the kernel's order. */
export function recordsOf(call: ToldCall): string[] {
  const stamp = `msg=audit(${Math.floor(call.time / 1000)}.${String(call.time % 1000).padStart(3, '0')}:${call.serial})`
  const { auid = '1000', uid = '0', euid = uid, pid = 4000, comm = 'tool', exe = '/usr/bin/tool' } = call
  const ids = `ppid=3999 pid=${pid} auid=${auid} uid=${uid} gid=0 euid=${euid} suid=0 fsuid=0 egid=0 sgid=0 fsgid=0`
  const key = call.key === undefined ? '(null)' : untrusted(call.key)
  const title = untrusted(call.title ?? 'tool')
  return [
    `type=SYSCALL ${stamp}: arch=c000003e syscall=257 success=${call.success ?? 'yes'} exit=3 a0=ffffff9c a1=7ffc0a a2=241 a3=1b6 items=${call.paths.length} ${ids} tty=pts0 ses=3 comm=${untrusted(comm)} exe=${untrusted(exe)} subj=unconfined key=${key}${call.enriched ? `\x1d${call.enriched}` : ''}`,
    `type=CWD ${stamp}: cwd=${untrusted(call.cwd ?? '/')}`,
    ...call.paths.map(
      ([kind, inode, name], item) =>
        `type=PATH ${stamp}: item=${item} name=${name === undefined ? '(null)' : untrusted(name)} inode=${inode} dev=fe:00 mode=0100644 ouid=0 ogid=0 rdev=00:00 nametype=${kind} cap_fp=0 cap_fi=0 cap_fe=0 cap_fver=0 cap_frootid=0`,
    ),
    `type=PROCTITLE ${stamp}: proctitle=${title}`,
  ]
}
