import { existsSync } from 'node:fs'
import { type BrowserContext, type Browser as Chromium, chromium, type Page } from 'playwright-core'
import { full } from '../../support/full.ts'
import { DEADLINE_MS } from './deadline.ts'
import { TOKEN, type WebWorld } from './world.ts'

/** Chromium without visible windows: a quarter less processor time. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'
const WHOLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** The long form drives the browser that people have. */
const PLACES = [process.env.CHROMIUM, ...(full ? [...WHOLE, HEADLESS_SHELL] : [HEADLESS_SHELL, ...WHOLE])]

/** The Chromium of this machine, or nothing. */
export const chromiumPath = PLACES.find((path) => path !== undefined && existsSync(path))

export const NO_CHROMIUM =
  'No Chromium was found, so the page is not driven by a browser here: apt-get install chromium, or name one in CHROMIUM.'

/** A browser with an empty profile that sends requests only for its pages. */
export type Browser = { readonly context: BrowserContext; readonly close: () => Promise<void> }

/** The size of the window by default. */
export const SIZE = { width: 1360, height: 860 }

// One for all test files of a process: to start it takes longer than most tests.
let chromiumHere: Promise<Chromium> | undefined

/** A profile of its own in the Chromium of this process, which starts with the first and ends with the process. */
export async function startBrowser(options: { width?: number; height?: number } = {}): Promise<Browser> {
  chromiumHere ??= startChromium()
  const running = await chromiumHere
  const context = await running.newContext({
    viewport: { ...SIZE, ...options },
    colorScheme: 'dark',
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
    locale: 'en-GB',
  })
  return { context, close: () => context.close() }
}

/**
 * Chromium starts a process for each tab and for each way out of an empty page. In the short form all tabs share one, which
 * takes a sixth less processor time.
 */
const FEW_PROCESSES = [
  '--disable-site-isolation-trials',
  '--process-per-site',
  '--renderer-process-limit=1',
  '--in-process-gpu',
]

function startChromium(): Promise<Chromium> {
  return chromium.launch({
    // It ends with the process; listeners of its own would stay in it until then.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
    args: [
      '--no-sandbox',
      // Each window would load the address bar's own pages: a third of the processor time. The others are Playwright's.
      '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,HttpsUpgrades,MediaRouter,OptimizationHints,PaintHolding',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      ...(full ? [] : FEW_PROCESSES),
    ],
    timeout: DEADLINE_MS,
  })
}

/** Ends the Chromium of this process, for a script that is to end by itself. */
export async function endChromium(): Promise<void> {
  await (await chromiumHere)?.close()
  chromiumHere = undefined
}

/** A page, and the requests and errors that it must not have. */
export type Watched = { readonly page: Page; readonly foreign: string[]; readonly errors: string[] }

/** Opens the web inspector as the printed address does: with the token in the fragment. */
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
  // The page takes the token out of its address before the server has answered. To leave it earlier breaks the sign-in off.
  await Promise.all([page.waitForResponse(`${world.url}/v1/sign-in`), page.goto(`${world.url}/#token=${token}`)])
  return { page, foreign, errors }
}
