import { constants } from 'node:os'

/** Ends the process on Ctrl-C, SIGTERM or a lost terminal, the commands it runs with it; answers the function that takes that back. */
export function onInterruption(tell: (signal: string) => void): () => void {
  const handlers = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => {
    const handle = (): void => {
      tell(signal)
      process.exit(128 + constants.signals[signal])
    }
    process.once(signal, handle)
    return () => process.off(signal, handle)
  })
  return () => {
    for (const off of handlers) off()
  }
}
