import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { full } from '../../support/full.ts'
import { contrasts } from './contrast.ts'

// Half the size of the one that can be read, which every page that is looked at has to load.
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const THEMES = ['light', 'dark'] as const
const WHOLE = 'html'

// Its rules about colours take nine times the time of all others, so they run in the long form. In the short one ours replaces the first.
const rules = `{ 'color-contrast': { enabled: ${full} }, 'link-in-text-block': { enabled: ${full} } }`
const run = (part: string) => `axe.run('${part}', { resultTypes: ['violations'], preload: false, rules: ${rules} })
  .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target.join(' '))))`

/** The elements that stick out at the right and cannot be scrolled to. */
const OUTSIDE = `[...document.querySelectorAll('body *')].flatMap((element) => {
  const { right, width } = element.getBoundingClientRect()
  if (width === 0 || right <= innerWidth + 1 || !element.checkVisibility()) return []
  for (let at = element.parentElement; at !== null && at.tagName !== 'MAIN'; at = at.parentElement)
    if (getComputedStyle(at).overflowX !== 'visible' && at.getBoundingClientRect().right <= innerWidth + 1) return []
  return [ element.tagName + '.' + element.className]
})`

/** The elements that are cut off at the right of the screen. */
export function outside(page: Page): Promise<string[]> {
  return page.evaluate(OUTSIDE)
}

/**
 * The faults of a page as it is on the screen, in light and in dark, a line each: by axe, in contrast, and what is outside.
 * The short form looks only at the part that is named, as the rest was looked at before.
 */
export async function findings(page: Page, named = WHOLE): Promise<string[]> {
  const part = full ? WHOLE : named
  if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(AXE)
  const all = await outside(page)
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-theme="${colorScheme}"], html:not([data-theme])`).waitFor({ state: 'attached' })
    const faint = (await contrasts(page, part)).filter(({ ratio }) => ratio < 4.5)
    all.push(...faint.map(({ text, ratio }) => `${colorScheme}, contrast ${ratio.toFixed(1)}: ${text.slice(0, 60)}`))
    if (full || colorScheme === THEMES[0]) all.push(...(await page.evaluate<string[]>(run(part))))
  }
  return all
}
