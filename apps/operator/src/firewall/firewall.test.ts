import { describe, expect, it } from 'vitest'
import type { Look, Opening } from './firewall.ts'
import { firewalld } from './firewalld.ts'
import { activeFirewall } from './index.ts'
import { nftables } from './nftables.ts'
import { ufw } from './ufw.ts'

const opening: Opening = {
  bridge: 'podman1',
  ports: [
    { port: 9200, protocol: 'tcp', container: 'logstack-search' },
    { port: 514, protocol: 'udp', container: 'logstack-endpoint-manager' },
  ],
}
const bare: Opening = { ...opening, bridge: undefined }

/** Answers for commands by their text; anything else is not installed. */
const answers =
  (known: Readonly<Record<string, string>>): Look =>
  async (argv) =>
    known[argv.join(' ')]

const nftAnswer = (entries: readonly unknown[]): Look =>
  answers({ 'nft --json list ruleset': JSON.stringify({ nftables: entries }) })
const chain = (of: Record<string, unknown>) => ({
  chain: { family: 'inet', table: 'filter', type: 'filter', policy: 'accept', ...of },
})

describe('which firewall filters', () => {
  it('is none where every chain lets everything through, whatever podman keeps there', async () => {
    const look = nftAnswer([
      chain({ name: 'input', hook: 'input' }),
      chain({ name: 'FORWARD', hook: 'forward', table: 'netavark', policy: 'drop' }),
    ])
    expect(await activeFirewall(look)).toBeUndefined()
    expect(await activeFirewall(answers({}))).toBeUndefined()
  })

  it('is nftables where a chain drops by its policy or by a rule', async () => {
    expect((await activeFirewall(nftAnswer([chain({ name: 'input', hook: 'input', policy: 'drop' })])))?.name).toBe(
      'nftables',
    )
    const rule = { rule: { family: 'inet', table: 'filter', chain: 'input', handle: 4, expr: [{ reject: null }] } }
    expect((await activeFirewall(nftAnswer([chain({ name: 'input', hook: 'input' }), rule])))?.name).toBe('nftables')
  })

  it('is firewalld or ufw where they run', async () => {
    expect((await activeFirewall(answers({ 'firewall-cmd --state': 'running\n' })))?.name).toBe('firewalld')
    expect((await activeFirewall(answers({ 'ufw status': 'Status: active\n\nTo' })))?.name).toBe('ufw')
    expect(await activeFirewall(answers({ 'ufw status': 'Status: inactive\n' }))).toBeUndefined()
  })
})

describe('nftables', () => {
  const input = chain({ name: 'input', hook: 'input', policy: 'drop' })
  const forward = chain({ name: 'forward', hook: 'forward', policy: 'drop' })

  it('opens forwarding to containers and their questions for names, once', async () => {
    const commands = await nftables.missing(opening, nftAnswer([input, forward]))
    const texts = commands.map((argv) => argv[1] ?? '')
    expect(texts).toHaveLength(5)
    expect(texts[0]).toMatch(
      /^insert rule inet filter input iifname "podman1" .* th dport 53 accept comment "logstack: /,
    )
    expect(texts[1]).toContain(
      'inet filter forward ct status dnat meta l4proto tcp ct original proto-dst { 9200 } accept',
    )
    const made = texts.map((text, handle) => {
      const [, name, comment] = /filter (\w+) .*comment "(.*)"$/.exec(text) ?? []
      return { rule: { family: 'inet', table: 'filter', chain: name, handle, comment } }
    })
    expect(await nftables.missing(opening, nftAnswer([input, forward, ...made]))).toEqual([])
    const foreign = { rule: { family: 'inet', table: 'filter', chain: 'input', handle: 99, comment: 'mine' } }
    const removal = await nftables.removal(opening, nftAnswer([input, forward, ...made, foreign]))
    expect(removal.map((argv) => argv.at(-1))).toEqual(['0', '1', '2', '3', '4'])
    // What the containers need among themselves stays, and is all that an installation asks for.
    const inner = { ...opening, ports: [] }
    const ports = await nftables.removal(opening, nftAnswer([input, forward, ...made, foreign]), inner)
    expect(ports.map((argv) => argv.at(-1))).toEqual(['1', '2'])
    const asked = (await nftables.missing(inner, nftAnswer([input, forward]))).map((argv) => argv[1] ?? '')
    expect(asked).toEqual([texts[0], texts[3], texts[4]])
  })

  it('opens the ports of processes in the input chain only', async () => {
    const commands = await nftables.missing(bare, nftAnswer([input, forward]))
    expect(commands.map((argv) => argv[1]?.replace(/ accept.*/, ''))).toEqual([
      'insert rule inet filter input tcp dport { 9200 }',
      'insert rule inet filter input udp dport { 514 }',
    ])
  })
})

describe('ufw', () => {
  it('routes to containers, and knows its rules as ufw lists them', async () => {
    const none = answers({ 'ufw show added': "Added user rules (see 'ufw status' for running firewall):\n(None)\n" })
    const commands = await ufw.missing(opening, none)
    expect(commands[0]).toEqual(['ufw', 'route', 'allow', '9200/tcp', 'comment', 'logstack'])
    const listed = commands.map((argv) => argv.join(' ').replace(/ comment .*/, " comment 'logstack'")).join('\n')
    const all = answers({ 'ufw show added': `Added:\n${listed}\nufw allow 22/tcp\n` })
    expect(await ufw.missing(opening, all)).toEqual([])
    expect((await ufw.removal(opening, all))[0]).toEqual(['ufw', 'route', 'delete', 'allow', '9200/tcp'])
    expect(await ufw.removal(opening, none)).toEqual([])
    const closed = await ufw.removal(opening, all, { ...opening, ports: [] })
    expect(closed.map((argv) => argv.at(-1))).toEqual(['9200/tcp', '514/udp'])
    expect(await ufw.missing(bare, none)).toEqual([
      ['ufw', 'allow', '9200/tcp', 'comment', 'logstack'],
      ['ufw', 'allow', '514/udp', 'comment', 'logstack'],
    ])
  })
})

describe('firewalld', () => {
  it('adds each port now and for good, and only what is missing', async () => {
    const look = answers({
      'firewall-cmd --query-port=9200/tcp': 'yes\n',
      'firewall-cmd --permanent --query-port=514/udp': 'no\n',
    })
    expect((await firewalld.missing(opening, look)).map((argv) => argv.slice(1).join(' '))).toEqual([
      '--permanent --add-port=9200/tcp',
      '--add-port=514/udp',
      '--permanent --add-port=514/udp',
    ])
    expect(await firewalld.removal(opening, look)).toEqual([['firewall-cmd', '--remove-port=9200/tcp']])
  })
})
