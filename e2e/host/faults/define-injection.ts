import type { OperatorHost } from '../installed-host.ts'

/** One way to break an installed host for real, and what doctor must say about it. */
export interface Injection {
  /** The fault's name in the operator's registry: doctor must name it, and no other. */
  readonly fault: string
  /** Told apart from other ways to the same fault; the fault's name unless given. */
  readonly name: string
  /** How it is done, as a phrase of the table of faults: `the file is deleted`. */
  readonly how: string
  /** Why it cannot be made on this machine, where it cannot. */
  whyNot?(): string | undefined
  /** Breaks it, and returns once the fault is in effect: what a look would see does not change by itself any more. */
  inject(host: OperatorHost): Promise<void>
  /** What one line of the finding (problem or evidence) must hold. */
  readonly evidence: RegExp
  /** Faults that doctor may tell as consequences of this one. */
  readonly follows?: readonly string[]
  /** Whether the finding says that a person must decide: nothing is mended, and `restore` ends it. */
  readonly isLeft?: boolean
  /** Ends what goes on making the fault, once it was named. */
  beforeRepair?(host: OperatorHost): Promise<void>
  /** Takes back what the repair does not: helpers of the injection. Runs always, also when nothing was injected. */
  restore?(host: OperatorHost): Promise<void>
}

/** Declares an injection. */
export function defineInjection(injection: Omit<Injection, 'name'> & { readonly name?: string }): Injection {
  return { name: injection.fault, ...injection }
}

/** What an injection does when it is one command of the host. */
export function running(...argv: string[]): (host: OperatorHost) => Promise<void> {
  return async (host) => void (await host.run(...argv))
}

/** What an injection does when it is a script of bash on the host. */
export function script(lines: string): (host: OperatorHost) => Promise<void> {
  return async (host) => void (await host.shell(lines))
}
