import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import type { Brain } from '../../support/model-server/index.ts'
import { type Browser, chromiumPath, NO_CHROMIUM, openPage, startBrowser, type Watched } from './browser.ts'
import { DEADLINE_MS } from './deadline.ts'
import { startWorld, type WebWorld } from './world.ts'

/** A server and a browser for the tests of a file. Pages that asked others or reported an error fail their test. */
export type Desk = {
  readonly world: () => WebWorld
  readonly open: (hash?: string, token?: string) => Promise<Watched>
}

/** Tests that need a browser; where there is none they say so. */
export function describeInBrowser(title: string, brain: Brain, tests: (desk: Desk) => void): void {
  if (chromiumPath === undefined) process.stderr.write(`${NO_CHROMIUM}\n`)
  describe.skipIf(chromiumPath === undefined)(title, () => {
    let world: WebWorld
    let browser: Browser
    let opened: Watched[] = []
    beforeAll(async () => {
      world = await startWorld(brain)
      browser = await startBrowser()
    }, DEADLINE_MS)
    afterAll(async () => {
      await browser?.close()
      await world?.stop()
    }, DEADLINE_MS)
    afterEach(async () => {
      const all = opened
      opened = []
      for (const { page } of all) await page.close()
      expect(all.flatMap(({ foreign }) => foreign)).toEqual([])
      expect(all.flatMap(({ errors }) => errors)).toEqual([])
    }, DEADLINE_MS)
    tests({
      world: () => world,
      open: async (hash, token) => {
        const watched = await openPage(browser, world, token)
        opened.push(watched)
        if (hash !== undefined) await watched.page.goto(`${world.url}/${hash}`)
        return watched
      },
    })
  })
}
