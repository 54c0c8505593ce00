import type { OperatorHost } from '../installed-host.ts'
import { storedPassword } from './ask-search.ts'
import { defineInjection } from './define-injection.ts'

const endpoint = 'https://localhost:5601'

/** What all requests to the dashboard's API as the administrator begin with. */
async function curlWords(host: OperatorHost): Promise<string> {
  const password = await storedPassword(host)
  return `curl --silent --show-error --fail-with-body --insecure --header 'kbn-xsrf: test' --user 'elastic:${password}'`
}

async function askDashboard(host: OperatorHost, path: string, body: unknown): Promise<void> {
  const data = `--header 'content-type: application/json' --data '${JSON.stringify(body)}'`
  await host.shell(`${await curlWords(host)} --request POST ${data} '${endpoint}${path}'`)
}

export const defaultPattern = defineInjection({
  fault: 'default-pattern',
  how: 'an index pattern that matches no event is made the Default',
  evidence: /nothing-\*: 0 events \(Default\)/,
  async inject(host) {
    const view = { id: 'nothing', title: 'nothing-*', name: 'nothing-*', timeFieldName: '@timestamp' }
    await askDashboard(host, '/api/data_views/data_view', { data_view: view, override: true })
    const all = { id: 'fault-events', title: 'fault-events', name: 'fault-events', timeFieldName: '@timestamp' }
    await askDashboard(host, '/api/data_views/data_view', { data_view: all, override: true })
    await askDashboard(host, '/api/data_views/default', { data_view_id: 'nothing', force: true })
  },
})

export const dashboards = defineInjection({
  fault: 'dashboards',
  how: 'every saved object of the shipped files is deleted',
  evidence: /none of the shipped dashboards of search/,
  follows: ['markers'],
  async inject(host) {
    const keys = await host.shell(
      `cat dashboards/search/*.ndjson | node -e '
        const lines = require("node:fs").readFileSync(0, "utf8").split("\\n").filter((line) => line.trim() !== "")
        for (const { type, id } of lines.map((line) => JSON.parse(line))) if (type && id) console.log(type + "/" + id)'`,
    )
    // Some objects stand in two files. One command deletes them all.
    const urls = [...new Set(keys.split('\n').filter(Boolean))].map(
      (key) => `'${endpoint}/api/saved_objects/${key}?force=true'`,
    )
    await host.shell(`${await curlWords(host)} --request DELETE ${urls.join(' ')} >/dev/null`)
  },
})
