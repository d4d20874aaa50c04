// Takes the pictures of docs/images: node test/web/take-screenshots.ts [folder]
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { endChromium, openPage, startBrowser } from './support/browser.ts'
import { compactedSession, exampleMessages, settled, storyteller } from './support/story.ts'
import { startWorld } from './support/world.ts'

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../../docs/images'))
const MINUTE = 60_000
const SIZES = { desktop: { width: 1200, height: 760 }, phone: { width: 390, height: 844 } }

type Picture = {
  readonly name: string
  readonly size: keyof typeof SIZES
  readonly themes: readonly ('dark' | 'light')[]
  readonly hash: (id: string) => string
  /** The parts that must be there before the picture is taken. */
  readonly shows: string
  readonly key?: string
}

const both = ['dark', 'light'] as const
const PICTURES: readonly Picture[] = [
  {
    name: 'sessions',
    size: 'desktop',
    themes: ['light'],
    hash: () => '#/',
    shows: '.session-row:nth-child(4) .fullness',
  },
  { name: 'session', size: 'desktop', themes: both, hash: (id) => `#/${id}`, shows: '.log-row.said' },
  { name: 'entry', size: 'desktop', themes: ['light'], hash: (id) => `#/${id}?entry=218`, shows: '.log-row.selected' },
  { name: 'compaction', size: 'desktop', themes: both, hash: (id) => `#/${id}/131`, shows: '.summary-text' },
  { name: 'preview', size: 'desktop', themes: ['dark'], hash: (id) => `#/${id}`, key: 'c', shows: '.preview .bar' },
  { name: 'session', size: 'phone', themes: both, hash: (id) => `#/${id}`, shows: '.log-row.said' },
  { name: 'compaction', size: 'phone', themes: ['dark'], hash: (id) => `#/${id}/131`, shows: '.summary-text' },
]

let now = Date.now() - 26 * 60 * MINUTE
mkdirSync(folder, { recursive: true })
const world = await startWorld(storyteller, () => now)
const browser = await startBrowser()
try {
  await olderSessions()
  now = Date.now() - 150 * MINUTE
  const id = await compactedSession(world, 'Uploads that hang', slowly)
  for (const picture of PICTURES) for (const theme of picture.themes) await take(picture, theme, id)
} finally {
  await browser.close()
  await endChromium()
  await world.stop()
}

async function take({ name, size, hash, shows, key }: Picture, theme: 'dark' | 'light', id: string): Promise<void> {
  const { page } = await openPage(browser, world)
  await page.setViewportSize(SIZES[size])
  await page.emulateMedia({ colorScheme: theme })
  await page.goto(`${world.url}/${hash(id)}`)
  await page.locator('.live.on').waitFor()
  if (key !== undefined) await page.locator('.log-row.said').first().waitFor()
  if (key !== undefined) await page.keyboard.press(key)
  await page.locator(shows).first().waitFor()
  // The canvas is drawn in the frame after its data is there.
  await page.waitForTimeout(500)
  await page.screenshot({ path: join(folder, `inspector-${name}-${size}-${theme}.png`) })
  await page.close()
}

async function olderSessions(): Promise<void> {
  for (const [title, most] of [
    ['Release notes for 2.4', 31],
    ['Flaky queue test on Windows', 79],
    ['Rename the config keys', 17],
  ] as const) {
    await slowly(await world.session(title), settled(exampleMessages().slice(0, most)))
    now += 5 * 60 * MINUTE
  }
}

/** Message by message, with time between them. */
async function slowly(id: string, messages: readonly unknown[]): Promise<void> {
  for (const message of messages) {
    now += MINUTE / 2
    await world.append(id, [message])
  }
}
