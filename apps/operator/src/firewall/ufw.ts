import { type Firewall, type Opening, ruleMark } from './firewall.ts'

/** ufw: connections to containers are routed, so they need `ufw route`; names are asked of the host itself. */
export const ufw: Firewall = {
  name: 'ufw',
  keepsRules: true,
  async isActive(look) {
    return /^Status: active$/m.test((await look(['ufw', 'status'])) ?? '')
  },
  async missing(opening, look) {
    const added = linesOf(await look(['ufw', 'show', 'added']))
    return rulesFor(opening)
      .filter((rule) => !added.includes(['ufw', ...rule].join(' ')))
      .map((rule) => ['ufw', ...rule, 'comment', ruleMark])
  },
  async removal(opening, look, kept) {
    const added = linesOf(await look(['ufw', 'show', 'added']))
    const keptRules = (kept ? rulesFor(kept) : []).map((rule) => rule.join(' '))
    return rulesFor(opening)
      .filter((rule) => added.includes(['ufw', ...rule].join(' ')) && !keptRules.includes(rule.join(' ')))
      .map((rule) => (rule[0] === 'route' ? ['ufw', 'route', 'delete', ...rule.slice(1)] : ['ufw', 'delete', ...rule]))
  },
}

/** The rules as `ufw show added` writes them. */
function rulesFor({ ports, bridge }: Opening): string[][] {
  if (bridge === undefined) return ports.map(({ port, protocol }) => ['allow', `${port}/${protocol}`])
  return [
    ...ports.map(({ port, protocol }) => ['route', 'allow', `${port}/${protocol}`]),
    ...['udp', 'tcp'].map((protocol) => ['allow', 'in', 'on', bridge, 'to', 'any', 'port', '53', 'proto', protocol]),
    ['route', 'allow', 'in', 'on', bridge],
  ]
}

function linesOf(text: string | undefined): string[] {
  return (text ?? '').split('\n').map((line) => line.replace(/ comment .*$/, '').trim())
}
