import { expect, test } from 'vitest'
import { classifyEnd } from './loop-cause.ts'

test('a command of a drop-in that fails is told as such, and not by the id of a container', () => {
  // The journal of a unit whose drop-in runs /bin/false before it, as systemd 257 and podman 5.4 write it.
  const journal = [
    'Starting logstack-alerter.service - logstack alerter...',
    'c6af20c8f12527d4b0498dbc2163d62031cffd9c2621f355cfb0dffbeb04a20f',
    'logstack-alerter.service: Control process exited, code=exited, status=1/FAILURE',
    "logstack-alerter.service: Failed with result 'exit-code'.",
    'Failed to start logstack-alerter.service - logstack alerter.',
  ]
  expect(classifyEnd({ journal, kernel: [] })).toEqual({
    cause: 'unknown',
    words: 'a command that its unit runs beside it failed',
    lines: ['logstack-alerter.service: Control process exited, code=exited, status=1/FAILURE'],
  })
})
