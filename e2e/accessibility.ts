import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly impact?: string | null
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
  }[]
}

/** What keeps people with a keyboard or a screen reader from using the page as it stands: axe's serious and critical violations, one line each. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const result = await page.evaluate(() => {
    const inPage = globalThis as unknown as { axe: { run(options: object): Promise<AxeResult> } }
    return inPage.axe.run({ resultTypes: ['violations'] })
  })
  return result.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html.slice(0, 300)} ${failureSummary ?? ''}`),
    )
}
