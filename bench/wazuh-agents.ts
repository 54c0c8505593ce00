// Measures what endpoint-manager takes for messages of Wazuh agents: `node tools/build.mjs endpoint-manager && node tools/run-ts.mjs bench/wazuh-agents.ts
// [agents] [messages]`. All agents connect and send so many messages each, as fast as they are taken; search is one in memory in this process. Prints Markdown.
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { cipherKey, sealMessage } from '../apps/endpoint-manager/src/inputs/wazuh/cipher.ts'
import { frame } from '../apps/endpoint-manager/src/inputs/wazuh/frames.ts'
import { wazuhAgentsIndex } from '../packages/contracts/src/index.ts'
import { startEndpointManager } from './endpoint-manager.ts'
import { processorMs, residentMb } from './process-times.ts'

const [count = 100, messages = 1_000] = process.argv.slice(2).map(Number)
const key = '0123456789abcdef'.repeat(4)
const cipher = cipherKey(key)
const manager = await startEndpointManager()
const { pid, port, indices } = manager

const logon = (n: number): string =>
  `<Event xmlns='http://schemas.microsoft.com/win/2004/08/events/event'><System><Provider Name='Microsoft-Windows-Security-Auditing' Guid='{54849625-5478-4994-a5ba-3e3b0328c30d}'/><EventID>4624</EventID><Version>2</Version><Level>0</Level><Task>12544</Task><Opcode>0</Opcode><Keywords>0x8020000000000000</Keywords><TimeCreated SystemTime='2026-11-28T10:00:00.0000000Z'/><EventRecordID>${n}</EventRecordID><Execution ProcessID='652' ThreadID='712'/><Channel>Security</Channel><Computer>ws1</Computer><Security/></System><EventData><Data Name='TargetUserName'>user${n % 50}</Data><Data Name='TargetDomainName'>EXAMPLE</Data><Data Name='LogonType'>3</Data><Data Name='IpAddress'>192.0.2.${n % 250}</Data><Data Name='IpPort'>50000</Data></EventData></Event>`

/** What agents send, by name. */
const kinds: Readonly<Record<string, (n: number) => string>> = {
  'lines of the log of sshd': (n) =>
    `1:/var/log/auth.log:Nov 28 10:00:00 web1 sshd[${n}]: Failed password for root from 192.0.2.${n % 250} port 4242 ssh2`,
  'logons on Windows': (n) =>
    `f:EventChannel:${JSON.stringify({ Message: 'An account was successfully logged on.', Event: logon(n) })}`,
}

function bytesOf(id: string, textOf: (n: number) => string): Buffer {
  const counters = { global: 0, local: 0 }
  const sealed = Array.from({ length: messages }, (_, n) => {
    const message = sealMessage(Buffer.from(textOf(n)), cipher, counters)
    return frame(Buffer.concat([Buffer.from(`!${id}!`), message]))
  })
  return Buffer.concat(sealed)
}

function stored(): number {
  let all = 0
  for (const [index, documents] of indices) if (index.startsWith('logs-')) all += documents.size
  return all
}

const ids = Array.from({ length: count }, (_, n) => String(n + 1).padStart(3, '0'))
const entry = { ip: 'any', key, added: '2026-01-01T00:00:00Z', added_by: 'import' }
indices.set(wazuhAgentsIndex.name, new Map(ids.map((id) => [id, { name: `host${id}`, ...entry }])))
console.log(
  `| ${count} agents, ${messages} each | events/s | processor, µs an event | resident, MB |\n|---|---|---|---|`,
)
for (const [name, textOf] of Object.entries(kinds)) {
  const bodies = ids.map((id) => bytesOf(id, textOf))
  const before = stored()
  const [cpu, start] = [processorMs(pid), performance.now()]
  const sockets = bodies.map((body) => {
    const socket = connect(port, '127.0.0.1')
    socket.write(body)
    return socket
  })
  while (stored() - before < count * messages) await sleep(20)
  const [seconds, spent] = [(performance.now() - start) / 1000, processorMs(pid) - cpu]
  const events = count * messages
  console.log(
    `| ${name} | ${Math.round(events / seconds).toLocaleString('en')} | ${((spent * 1000) / events).toFixed(1)} | ${Math.round(residentMb(pid))} |`,
  )
  for (const socket of sockets) socket.destroy()
  await Promise.all(sockets.map((socket) => (socket.closed ? undefined : once(socket, 'close'))))
}
await manager.stop()
