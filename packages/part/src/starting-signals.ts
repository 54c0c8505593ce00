const signals = ['SIGTERM', 'SIGINT'] as const

// Nothing has begun that must end in order: what a crash leaves is taken up at the next start, and so is this.
const endAtOnce = (): never => process.exit(0)

/** From now on a signal to stop ends the process at once, with 0. As process 1 of a container it would not even heed one that it has no handler for. */
export function heedSignals(): void {
  for (const signal of signals) if (!process.listeners(signal).includes(endAtOnce)) process.on(signal, endAtOnce)
}

/** Takes that back: for who handles signals, or leaves them to the system. */
export function leaveSignals(): void {
  for (const signal of signals) process.off(signal, endAtOnce)
}
