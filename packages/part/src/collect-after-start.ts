import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** After the part is ready: what a first start makes (indices, users, patterns) is over by then. */
const usualDelayMs = 5000

/**
 * Collects garbage once when the start is over. A part that has little to do allocates too little for the runtime to look for what starting left behind:
 * a quarter of what search held, for minutes. Takes a thirtieth of a second.
 */
export function collectAfterStart(delayMs = usualDelayMs): void {
  setTimeout(() => {
    // The runtime has no other way to ask for it than its flag, which is read when a context is made.
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    setFlagsFromString('--no-expose-gc')
    collect()
  }, delayMs).unref()
}
