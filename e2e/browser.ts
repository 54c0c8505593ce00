import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'

/** The browser that is used. */
export const chromiumPath = process.env['LOGSTACK_CHROMIUM'] ?? '/usr/bin/chromium'
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const actionLimitMs = 60_000

/** A page that remembers what its browser complained of. */
export interface WatchedPage {
  readonly page: Page
  /** Errors of the browser's console and of scripts, in order. */
  readonly problems: string[]
}

/** Starts Debian's Chromium without a window, with flags of its own besides. */
export function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath, args: [...flags, ...more] })
}

/** Opens a page that trusts the stack's own authority and notes every error. */
export async function openPage(
  browser: Browser,
  options: { scheme?: 'light' | 'dark'; width?: number; height?: number; timeZone?: string } = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    colorScheme: options.scheme ?? 'light',
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
    ...(options.timeZone === undefined ? {} : { timezoneId: options.timeZone }),
  })
  const page = await context.newPage()
  page.setDefaultTimeout(actionLimitMs)
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => problems.push(error.stack ?? error.message))
  return { page, problems }
}

/** Logs in at the dashboard with its login page. */
export async function logIn(
  watched: WatchedPage,
  dashboardUrl: string,
  user: { username: string; password: string },
): Promise<void> {
  const { page } = watched
  await page.goto(`${dashboardUrl}/`)
  await page.getByLabel('User name').fill(user.username)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
}

/** Saves a picture of the page when LOGSTACK_SCREENSHOTS names a directory. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const directory = process.env['LOGSTACK_SCREENSHOTS']
  if (!directory) return
  mkdirSync(directory, { recursive: true })
  await page.screenshot({ path: join(directory, `${name}.png`) })
}
