import type { Firewall, OpenPort } from './firewall.ts'

/** firewalld: ports are added to the default zone, for now and for good; a reload would throw away the rules of running containers. */
export const firewalld: Firewall = {
  name: 'firewalld',
  keepsRules: true,
  async isActive(look) {
    return (await look(['firewall-cmd', '--state']))?.trim() === 'running'
  },
  async missing({ ports }, look) {
    const commands: string[][] = []
    for (const port of ports) {
      for (const scope of [[], ['--permanent']]) {
        const answer = await look(['firewall-cmd', ...scope, `--query-port=${nameOf(port)}`])
        if (answer?.trim() !== 'yes') commands.push(['firewall-cmd', ...scope, `--add-port=${nameOf(port)}`])
      }
    }
    return commands
  },
  async removal({ ports }, look) {
    const commands: string[][] = []
    for (const port of ports) {
      for (const scope of [[], ['--permanent']]) {
        const answer = await look(['firewall-cmd', ...scope, `--query-port=${nameOf(port)}`])
        if (answer?.trim() === 'yes') commands.push(['firewall-cmd', ...scope, `--remove-port=${nameOf(port)}`])
      }
    }
    return commands
  },
}

function nameOf({ port, protocol }: OpenPort): string {
  return `${port}/${protocol}`
}
