import { askSearch } from './ask-search.ts'
import { defineInjection } from './define-injection.ts'

const file = '/opt/logstack/rules/alerts/fault.yml'

export const alertRules = defineInjection({
  fault: 'alert-rules',
  how: 'a rule file gets a line that is no YAML',
  evidence: /rules\/alerts\/fault\.yml:\d+:\d+: /,
  async inject(host) {
    await host.shell(`printf 'name: broken\\ntype: [any\\n' >${file}`)
    // The alerter looks at its folder now and then.
    for (;;) {
      const found = await askSearch(
        host,
        'GET',
        '/.logstack-alerts-rules/_search?q=state:broken&ignore_unavailable=true',
      )
      if (/fault\.yml/.test(found)) return
    }
  },
  async restore(host) {
    await host.run('rm', '-f', file, `${file}.broken`)
  },
})
