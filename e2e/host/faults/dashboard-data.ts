import type { OperatorHost } from '../installed-host.ts'
import { defineInjection } from './define-injection.ts'

/** A request to the dashboard's API on the host as the administrator. */
async function askDashboard(host: OperatorHost, method: string, path: string, body?: string): Promise<void> {
  const data = body === undefined ? '' : `--header 'content-type: application/json' --data '${body}'`
  await host.shell(
    `curl --silent --show-error --fail-with-body --insecure --header 'kbn-xsrf: test' \
      --user "elastic:$(logstack password show)" --request ${method} ${data} 'https://localhost:5601${path}'`,
  )
}

export const defaultPattern = defineInjection({
  fault: 'default-pattern',
  how: 'an index pattern that matches no event is made the Default',
  evidence: /nothing-\*: 0 events \(Default\)/,
  async inject(host) {
    const view = { id: 'nothing', title: 'nothing-*', name: 'nothing-*', timeFieldName: '@timestamp' }
    await askDashboard(host, 'POST', '/api/data_views/data_view', JSON.stringify({ data_view: view }))
    const all = { id: 'fault-events', title: 'fault-events', name: 'fault-events', timeFieldName: '@timestamp' }
    await askDashboard(host, 'POST', '/api/data_views/data_view', JSON.stringify({ data_view: all }))
    await askDashboard(
      host,
      'POST',
      '/api/data_views/default',
      JSON.stringify({ data_view_id: 'nothing', force: true }),
    )
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
    // Some objects stand in two files.
    for (const key of new Set(keys.split('\n').filter(Boolean))) {
      await askDashboard(host, 'DELETE', `/api/saved_objects/${key}?force=true`)
    }
  },
})
