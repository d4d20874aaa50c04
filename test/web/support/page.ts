import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import type { Brain } from '../../support/model-server/index.ts'
import { type Browser, chromiumPath, NO_CHROMIUM, openPage, SIZE, startBrowser, type Watched } from './browser.ts'
import { DEADLINE_MS } from './deadline.ts'
import { startWorld, TOKEN, type WebWorld } from './world.ts'

/** A server and a browser for the tests of a file. Pages that asked others or reported an error fail their test. */
export type Desk = {
  readonly world: () => WebWorld
  /** A tab of its own that has just signed in. */
  readonly open: (hash?: string, token?: string) => Promise<Watched>
  /** A screen in the tab that the tests of the file share: to open one takes five times the processor time. */
  readonly show: (hash: string) => Promise<Watched>
}

/** Tests that need a browser; if there is none they say so. */
export function describeInBrowser(title: string, brain: Brain, tests: (desk: Desk) => void): void {
  if (chromiumPath === undefined) process.stderr.write(`${NO_CHROMIUM}\n`)
  describe.skipIf(chromiumPath === undefined)(title, () => {
    let world: WebWorld
    let browser: Browser
    let opened: Watched[] = []
    let shared: Watched | undefined
    beforeAll(async () => {
      world = await startWorld(brain)
      browser = await startBrowser()
    }, DEADLINE_MS)
    afterAll(async () => {
      await browser?.close()
      await world?.stop()
    }, DEADLINE_MS)
    afterEach(async ({ task }) => {
      const all = opened
      opened = []
      if (task.result?.state === 'fail') shared = undefined
      for (const watched of all) if (watched !== shared) await watched.page.close()
      expect(all.flatMap(({ foreign }) => foreign)).toEqual([])
      expect(all.flatMap(({ errors }) => errors)).toEqual([])
    }, DEADLINE_MS)
    tests({
      world: () => world,
      open: async (hash, token = TOKEN) => {
        // A sign-in counts for the whole browser.
        if (token !== TOKEN) shared = undefined
        const watched = await openPage(browser, world, token)
        opened.push(watched)
        if (hash !== undefined) await watched.page.goto(`${world.url}/${hash}`)
        return watched
      },
      show: async (hash) => {
        shared ??= await openPage(browser, world)
        const { page, errors, foreign } = shared
        // Errors of an earlier test are not this one's; those on an earlier screen of this one are.
        const kept = opened.includes(shared)
          ? { errors: [...errors], foreign: [...foreign] }
          : { errors: [], foreign: [] }
        if (!opened.includes(shared)) opened.push(shared)
        if (screenOf(page.url()) === screenOf(hash)) await leave(page)
        // To leave a screen breaks its requests off: that is not an error.
        errors.splice(0, errors.length, ...kept.errors)
        foreign.splice(0, foreign.length, ...kept.foreign)
        await page.setViewportSize(SIZE)
        await page.goto(`${world.url}/${hash}`)
        return shared
      },
    })
  })
}

/** The memory of a screen ends when another one is shown. To show the list takes half the time of an empty page. */
async function leave(page: Page): Promise<void> {
  if (screenOf(page.url()) === '') return void (await page.goto('about:blank'))
  await page.goto(`${new URL(page.url()).origin}/#/`)
  await page.getByRole('heading', { name: 'Sessions' }).waitFor()
}

/** The session on the screen, or the list of them. */
function screenOf(address: string): string {
  return /#\/([^/?]*)/.exec(address)?.[1] ?? ''
}
