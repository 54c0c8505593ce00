import { expect, test } from 'vitest'
import { editWords, troubleOfUnit } from './part-troubles.ts'
import { parseUnitStates } from './unit-states.ts'

// As systemd 257 printed it: after `systemctl edit`, after `systemctl edit --full`, after `systemctl mask`, and as it is shipped.
const shown = `Id=logstack-alerter.service
LoadState=loaded
FragmentPath=/run/systemd/generator/logstack-alerter.service
DropInPaths=/usr/lib/systemd/system/service.d/10-timeout-abort.conf /etc/systemd/system/logstack-alerter.service.d/override.conf

Id=logstack-dashboard.service
LoadState=loaded
FragmentPath=/etc/systemd/system/logstack-dashboard.service
DropInPaths=

Id=logstack-agent-server.service
LoadState=masked
FragmentPath=/etc/systemd/system/logstack-agent-server.service
DropInPaths=

Id=logstack-search.service
LoadState=loaded
FragmentPath=/run/systemd/generator/logstack-search.service
DropInPaths=
`

test('what an administrator changed of a unit is told from what was generated and from what the distribution adds', () => {
  const edits = [...parseUnitStates(shown).values()].map(({ edits: found }) => found)
  expect(edits).toEqual([
    ['/etc/systemd/system/logstack-alerter.service.d/override.conf'],
    ['/etc/systemd/system/logstack-dashboard.service'],
    [],
    [],
  ])
})

test('a part in trouble names the edits of its unit', () => {
  const trouble = { part: 'alerter', kind: 'loop', words: 'was started again 5 times' } as const
  expect(editWords([{ ...trouble, edits: ['/etc/systemd/system/x.conf'] }, trouble])).toEqual([
    'alerter: its unit is edited here: /etc/systemd/system/x.conf',
  ])
})

test('a unit that systemd will start once others are up is in no trouble, one that nobody starts is', () => {
  // As systemd 257 printed it while agent-server waited for the dashboard, and after it was stopped by hand.
  const waiting =
    'Id=logstack-agent-server.service\nLoadState=loaded\nActiveState=inactive\nSubState=dead\nNRestarts=0\n'
  const [queued] = parseUnitStates(`${waiting}Job=4711\n`).values()
  const [stopped] = parseUnitStates(`${waiting}Job=0\n`).values()
  if (!queued || !stopped) throw new Error('not parsed')
  expect(troubleOfUnit(queued, undefined, 100)).toBeUndefined()
  expect(troubleOfUnit(stopped, undefined, 100)).toMatchObject({ kind: 'down' })
})
