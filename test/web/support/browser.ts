import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { DEADLINE_MS } from './deadline.ts'
import { TOKEN, type WebWorld } from './world.ts'

const PLACES = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The Chromium of this machine, or nothing. */
export const chromiumPath = PLACES.find((path) => path !== undefined && existsSync(path))

export const NO_CHROMIUM =
  'No Chromium was found, so the page is not driven by a browser here: apt-get install chromium, or name one in CHROMIUM.'

/** A browser with an empty profile that talks to nobody but whom a page asks. */
export type Browser = { readonly context: BrowserContext; readonly close: () => Promise<void> }

export async function startBrowser(options: { width?: number; height?: number } = {}): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'pith-profile-'))
  const { width = 1360, height = 860 } = options
  const context = await chromium.launchPersistentContext(profile, {
    ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
    viewport: { width, height },
    colorScheme: 'dark',
    reducedMotion: 'reduce',
    timeout: DEADLINE_MS,
    timezoneId: 'UTC',
    locale: 'en-GB',
  })
  return {
    context,
    close: async () => {
      await context.close()
      rmSync(profile, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** What a page did that it must not do. */
export type Watched = { readonly page: Page; readonly foreign: string[]; readonly errors: string[] }

/** Opens the page as the printed address does: with the token in the fragment. */
export async function openPage({ context }: Browser, world: WebWorld, token = TOKEN): Promise<Watched> {
  const page = await context.newPage()
  const foreign: string[] = []
  const errors: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(`${world.url}/`)) foreign.push(request.url())
  })
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  page.setDefaultTimeout(DEADLINE_MS)
  await page.goto(`${world.url}/#token=${token}`)
  await page.waitForFunction("!location.hash.startsWith('#token')")
  return { page, foreign, errors }
}
