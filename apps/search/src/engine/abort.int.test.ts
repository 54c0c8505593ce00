import { startSearch } from '@logstack/testkit'
import { expect, it, vi } from 'vitest'

/** Whether a process is there; one that ended and was not waited for is none. */
function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it('ends at once when the runtime aborts', async () => {
  const search = await startSearch()
  try {
    const pid = search.pid()
    process.kill(pid, 'SIGABRT')
    // The engine would write down stacks for more than three minutes.
    await vi.waitFor(() => expect(lives(pid)).toBe(false), { timeout: 100_000, interval: 50 })
  } finally {
    await search.stop()
  }
})
