import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { assistant, call, result, user } from '../../support/messages.ts'
import { eventually } from '../../web/support/eventually.ts'
import { findings, outside } from '../../web/support/findings.ts'
import { describeInBrowser } from '../../web/support/page.ts'
import { storyteller } from '../../web/support/story.ts'
import { READER } from '../../web/support/world.ts'

const LONG = 'The old way fails again with the same trace. '.repeat(60)

/** #3-#6 is a detour. #4 and #5 are a call and its result. */
const messages = [
  user('Make the parser faster.'),
  assistant(`I looked at it. ${LONG}`),
  user('Try it with a cache.'),
  call('r', 'read', { path: 'src/parser.ts' }),
  result('r', LONG),
  assistant(`The cache did not help. ${LONG}`),
  user('Now without it.'),
  assistant('Done without it.'),
]

const row = (page: Page, seq: number) => page.locator(`[data-seq="${seq}"]`)
const box = (page: Page, seq: number) => row(page, seq).locator('.mark-box.there')
const bar = (page: Page) => page.getByRole('region', { name: 'Marked messages' })

describeInBrowser('leaving messages out on the page', storyteller, ({ world, open, show }) => {
  const view = async (id: string) => JSON.stringify((await world().ask('GET', `/v1/sessions/${id}/view`)).messages)

  it('says what the marked rows free and cost, leaves them out, and puts them back from their one row', async () => {
    const id = await world().session('A detour', messages)
    const before = await view(id)
    const watched = await show(`#/${id}`)
    const { page } = watched
    await box(page, 3).click()
    await bar(page).getByText('#3 is not left out: the line instead of it would be as long').waitFor()
    expect(await bar(page).getByRole('button', { name: 'Leave out', exact: true }).isDisabled()).toBe(true)
    await row(page, 6).click({ modifiers: ['Shift'] })
    await bar(page)
      .getByText(/^4 messages, 1\.\dk tokens\. Breaks the cache from #3 on: about \$[\d.]+ once, saves \$[\d.]+ a /)
      .waitFor()
    expect(await row(page, 4).getAttribute('aria-checked')).toBe('true')
    expect(await view(id)).toBe(before)
    await bar(page).getByRole('button', { name: 'Leave out', exact: true }).click()
    await page.getByText(/^4 messages left out · context /).waitFor()
    await bar(page).waitFor({ state: 'detached' })
    await row(page, 5).getByText('left-out #9').waitFor()
    expect(await view(id)).toContain('[#3–#6 left out by the user')
    expect(await box(page, 5).count()).toBe(0)
    await row(page, 9).getByText('#3–#6 left out by the user.').waitFor()
    await row(page, 9).getByText('Put back').click()
    await page.getByText(/^What #9 left out is back · context /).waitFor()
    await box(page, 5).waitFor()
    expect(await view(id)).toBe(before)
    // The browser itself reports the preview that was refused.
    watched.errors.splice(0)
  })

  it('is done with keys alone, and Escape only takes the marks away', async () => {
    const id = await world().session('By keys', messages)
    const { page } = await show(`#/${id}?entry=2`)
    await box(page, 2).waitFor()
    await page.keyboard.press('x')
    await bar(page)
      .getByText(/^1 message, /)
      .waitFor()
    await page.keyboard.press('Escape')
    await bar(page).waitFor({ state: 'detached' })
    expect(page.url()).toContain(`${id}?entry=2`)
    await page.keyboard.press('x')
    for (const _ of [3, 4]) await page.keyboard.press('ArrowDown')
    await eventually(() => page.url()).toContain('entry=4')
    await page.keyboard.press('Shift+X')
    // The result of the call comes along.
    await bar(page)
      .getByText(/^4 messages, /)
      .waitFor()
    await bar(page).getByRole('button', { name: 'Leave out later' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('4 messages to be left out when the cache is cold or a compaction is due').waitFor()
    expect(await view(id)).not.toContain('left out')
    await page.goto(`${world().url}/#/${id}?entry=9`)
    await page.locator('.entry-panel').getByRole('button', { name: 'take back' }).click()
    await page.getByText('#9 is taken back').waitFor()
  })

  it('fits a small screen, works by touch, and is accessible', async () => {
    const id = await world().session('By touch', messages)
    const { page } = await show(`#/${id}`)
    await page.setViewportSize({ width: 390, height: 800 })
    await box(page, 6).click()
    await bar(page)
      .getByText(/^1 message, /)
      .waitFor()
    expect(await outside(page)).toEqual([])
    expect(await findings(page, '.leave-out-bar')).toEqual([])
    await bar(page).getByRole('button', { name: 'Leave out', exact: true }).click()
    await row(page, 9).getByText('Put back').waitFor()
    expect(await outside(page)).toEqual([])
    expect(await findings(page, '[data-seq="9"]')).toEqual([])
  })

  it('says that a record covers a part, and leads to its messages', async () => {
    const id = await world().session('Covered', messages)
    await world().ask('POST', `/v1/sessions/${id}/leave-out`, { what: '#3-#6' })
    await world().ask('POST', `/v1/sessions/${id}/compact`, { policy: { keep_tokens: 1 } })
    const { page } = await show(`#/${id}?entry=9`)
    const panel = page.locator('.entry-panel')
    await panel.getByText('A record covers this part, so it cannot be put back.').waitFor()
    expect(await row(page, 9).getByText('Put back').count()).toBe(0)
    await panel.getByRole('link', { name: '#3', exact: true }).click()
    await panel.getByText('Try it with a cache.').waitFor()
  })

  it('is not offered to a token that may only read', async () => {
    const id = await world().session('Read only', messages)
    const { page } = await open(`#/${id}?entry=2`, READER)
    await row(page, 2).waitFor()
    await page.keyboard.press('x')
    expect(await page.locator('.mark-box').count()).toBe(0)
    expect(await bar(page).count()).toBe(0)
  })
})
