import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { postJson } from './post-json.ts'

test('an answer that never ends is read no further than an answer needs', async () => {
  let written = 0
  const endless = createServer((_request, response) => {
    const more = (): void => {
      // Far more than is read, and not without end, so that a reader that goes on is seen.
      while (written < 64 * 1024 * 1024) {
        written += 65_536
        if (!response.write(Buffer.alloc(65_536, 'x'))) {
          response.once('drain', more)
          return
        }
      }
      response.end()
    }
    more()
  })
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(endless.address() as AddressInfo).port}/`
  const { said } = await postJson({ url, body: {} }, { timeoutMs: 60_000, signal: new AbortController().signal })
  expect(said).toMatch(/^127\.0\.0\.1:\d+ answered 200: x{300}$/)
  await new Promise((resolve) => endless.close(resolve))
  expect(written).toBeLessThan(32 * 1024 * 1024)
})
