import type { Stack } from '../stack.ts'
import { unproven } from '../telling/unproven.ts'
import { defineStep, findingOf } from './define-step.ts'

/** The index patterns every install has; the first is the Default until the user chooses another. */
const shippedPatterns = ['logs-*', 'winlogbeat-*', 'endpoint-*'] as const

const defaultPlan = `make ${shippedPatterns[0]} the Default`

function planOf(title: string): string {
  return `create the index pattern ${title}`
}

interface DataViews {
  readonly data_view: readonly { readonly id: string; readonly title: string }[]
}

/** The shipped index patterns; exactly one Default, which the user's choice wins over. */
export const indexPatterns = defineStep({
  name: 'index-patterns',
  title: 'index patterns',
  needs: ['dashboard'],
  async diagnose(stack) {
    const missing = (await missingPatterns(stack)).map(planOf)
    return findingOf((await defaultPattern(stack)) ? missing : [...missing, defaultPlan])
  },
  planFromNothing: () => [...shippedPatterns.map(planOf), defaultPlan],
  async apply(stack) {
    const dashboard = stack.clients.dashboard()
    for (const title of await missingPatterns(stack)) {
      const body = { data_view: { id: title, title, name: title, timeFieldName: '@timestamp' } }
      await dashboard.request({ method: 'POST', path: '/api/data_views/data_view', body })
    }
    // Without force: a choice the user made stays.
    const body = { data_view_id: shippedPatterns[0], force: false }
    await dashboard.request({ method: 'POST', path: '/api/data_views/default', body })
  },
  async prove(stack) {
    const [missing] = await missingPatterns(stack)
    if (missing) throw unproven(`the index pattern ${missing} was not stored`)
    if (!(await defaultPattern(stack))) throw unproven('no index pattern is the Default')
  },
})

/** The id of the Default pattern; undefined when none is. */
export async function defaultPattern(stack: Stack): Promise<string | undefined> {
  const answer = await stack.clients
    .dashboard()
    .request<{ data_view_id?: string | null }>({ method: 'GET', path: '/api/data_views/default' })
  return answer.body.data_view_id ?? undefined
}

async function missingPatterns(stack: Stack): Promise<string[]> {
  const answer = await stack.clients.dashboard().request<DataViews>({ method: 'GET', path: '/api/data_views' })
  const titles = answer.body.data_view.map((view) => view.title)
  return shippedPatterns.filter((title) => !titles.includes(title))
}
