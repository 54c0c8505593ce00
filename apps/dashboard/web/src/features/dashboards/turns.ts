// Panels that are not in sight load one after the other, each when the page is quiet: what somebody looks at comes first.

interface Waiting {
  readonly begin: () => void
  readonly isQuiet: () => boolean
}

const queue: Waiting[] = []
let isWatching = false
const lookEveryMs = 60

/** Calls `begin` when it is the caller's turn and the page is quiet; answers how to leave the queue. */
export function waitForTurn(begin: () => void, isQuiet: () => boolean): () => void {
  const waiting = { begin, isQuiet }
  queue.push(waiting)
  if (!isWatching) {
    isWatching = true
    setTimeout(look, lookEveryMs)
  }
  return () => {
    const at = queue.indexOf(waiting)
    if (at >= 0) queue.splice(at, 1)
  }
}

function look(): void {
  if (queue[0]?.isQuiet()) queue.shift()?.begin()
  isWatching = queue.length > 0
  if (isWatching) setTimeout(look, lookEveryMs)
}
