// Takes the pictures of docs/images: node test/web/take-screenshots.ts [folder]
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { type Browser, openPage, startBrowser } from './support/browser.ts'
import { compactedSession, exampleMessages, settled, storyteller } from './support/story.ts'
import { startWorld } from './support/world.ts'

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../../docs/images'))
mkdirSync(folder, { recursive: true })
const MINUTE = 60_000
let now = Date.now() - 26 * 60 * MINUTE
const world = await startWorld(storyteller, () => now)
try {
  for (const [title, most] of [
    ['Release notes for 2.4', 31],
    ['Flaky queue test on Windows', 79],
    ['Rename the config keys', 17],
  ] as const) {
    await slowly(await world.session(title), settled(exampleMessages().slice(0, most)))
    now += 5 * 60 * MINUTE
  }
  now = Date.now() - 140 * MINUTE
  const id = await compactedSession(world, 'Uploads that hang', slowly)
  const [compaction] = (await world.ask('GET', `/v1/sessions/${id}/compactions`)).compactions
  const wide = await startBrowser()
  await shoot(wide, 'desktop', ['dark', 'light'], id, compaction.seq)
  await wide.close()
  const narrow = await startBrowser({ width: 390, height: 844 })
  await shoot(narrow, 'phone', ['dark', 'light'], id, compaction.seq)
  await narrow.close()
} finally {
  await world.stop()
}

async function shoot(browser: Browser, size: string, themes: readonly string[], id: string, seq: number) {
  const { page } = await openPage(browser, world)
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme === 'dark' ? 'dark' : 'light' })
    const take = (name: string) => page.screenshot({ path: join(folder, `inspector-${name}-${size}-${theme}.png`) })
    await show(page, '#/', '.fullness')
    await take('sessions')
    await show(page, `#/${id}`, '.log-row.said')
    await take('session')
    await show(page, `#/${id}/${seq}`, '.summary-text')
    await take('compaction')
    await show(page, `#/${id}/${seq}?entry=24`, '.entry-panel .text')
    await take('entry')
    await show(page, `#/${id}`, '.log-row.said')
    await page.keyboard.press('c')
    await page.waitForSelector('.preview .bar')
    await take('preview')
    await page.keyboard.press('Escape')
  }
}

/** Message by message, with time between them. */
async function slowly(id: string, messages: readonly unknown[]): Promise<void> {
  for (const message of messages) {
    now += MINUTE / 2
    await world.append(id, [message])
  }
}

async function show(page: Page, hash: string, selector: string): Promise<void> {
  await page.goto(`${world.url}/${hash}`)
  await page.locator(selector).first().waitFor()
  await page.waitForTimeout(400)
}
