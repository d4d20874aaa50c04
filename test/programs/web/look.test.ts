import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { full } from '../../support/full.ts'
import { eventually } from '../../web/support/eventually.ts'
import { findings, outside } from '../../web/support/findings.ts'
import { describeInBrowser } from '../../web/support/page.ts'
import { compactedSession, exampleMessages, INVENTED, settled, storyteller } from '../../web/support/story.ts'
import { TOKEN } from '../../web/support/world.ts'

const TITLE = 'Uploads that hang now and then, and what followed from that'

const DIALOG = 'dialog'

const INLINE = `(() => {
  document.head.append(Object.assign(document.createElement('script'), { textContent: 'document.title = 1' }))
  return document.title
})()`

describeInBrowser('the page', storyteller, ({ world, open, show }) => {
  // Made once: these tests only look.
  let made: Promise<string> | undefined
  const story = () => {
    made ??= compactedSession(world(), TITLE)
    return made
  }

  it('takes the token from the address and keeps it for this tab only', async () => {
    const { page } = await open()
    await page.getByRole('heading', { name: 'Sessions' }).waitFor()
    expect(page.url()).toBe(`${world().url}/`)
    await page.reload()
    await page.getByRole('heading', { name: 'Sessions' }).waitFor()
    expect(await page.evaluate('localStorage.length + document.cookie.length')).toBe(0)
  })

  it('may send requests only to its server, and runs no script that was not built', async () => {
    const watched = await show('#/')
    const { page } = watched
    await page.getByRole('heading', { name: 'Sessions' }).waitFor()
    expect(await page.evaluate("fetch('http://localhost:9/').then(() => 'sent', () => 'refused')")).toBe('refused')
    expect(await page.evaluate(INLINE)).toBe('Pith')
    for (const directive of ["connect-src 'self'", "script-src 'self'"])
      await eventually(() => watched.errors.join('\n')).toContain(directive)
    watched.errors.splice(0)
    watched.foreign.splice(0)
  })

  it('lists sessions, the newest first, and finds them by their title', async () => {
    await world().session('An older one', settled(exampleMessages().slice(0, 9)))
    await world().session('A newer one', settled(exampleMessages().slice(0, 30)))
    const { page } = await show('#/')
    const titles = page.locator('.session-row a')
    await titles.nth(1).waitFor()
    expect((await titles.allTextContents()).slice(0, 2)).toEqual(['A newer one', 'An older one'])
    await page.getByRole('searchbox').fill('older')
    await eventually(() => titles.allTextContents()).toEqual(['An older one'])
  })

  it('finds what was said in any session, shows what the filters let through, and what it all costs', async () => {
    const id = await world().session('About the boiler', [
      { role: 'user', content: `The valve of the boiler leaks. ${'It drips on the floor. '.repeat(20)}` },
    ])
    const usage = { input_tokens: 10_000, output_tokens: 0 }
    const answer = { message: { role: 'assistant', content: 'Close it.' }, usage, model: 'local/pith-test' }
    await world().ask('POST', `/v1/sessions/${id}/messages`, { messages: [answer] })
    const { page } = await show('#/')
    const titles = page.locator('.list-main > .sessions .session-row a')
    await page
      .getByRole('row', { name: /About the boiler/ })
      .getByText('$0.03')
      .waitFor()
    await page.getByRole('combobox', { name: 'Cost' }).selectOption('from $0.10')
    await page.getByText('No session matches the filter.').waitFor()
    expect(page.url()).toContain('min_cost=0.1')
    await page.reload()
    await page.getByText('No session matches the filter.').waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Most expensive first')
    await eventually(async () => (await titles.allTextContents())[0]).toBe('About the boiler')
    await page.getByLabel('What it costs').getByText('$0.03').first().waitFor()
    await page.getByRole('searchbox').fill('valve')
    const hit = page.getByRole('region', { name: 'Said' }).getByRole('link', { name: /About the boiler/ })
    expect(await hit.locator('mark').textContent()).toBe('valve')
    expect(await findings(page, '.all-hits')).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    await expect.poll(() => outside(page)).toEqual([])
    await hit.click()
    await page.getByRole('complementary', { name: 'Entry 1', exact: true }).getByText('leaks').waitFor()
  })

  it('shows the folder and the entries of a session on a phone, too, and keeps a large number in its column', async () => {
    const file = readFileSync('test/fixtures/formats/claude-code.jsonl')
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/x-ndjson' }
    const imported = await fetch(`${world().url}/v1/sessions/import`, { method: 'POST', headers, body: file })
    const { session } = (await imported.json()) as { session: { id: string; workspace: string; last_seq: number } }
    const { page } = await show('#/')
    const row = page.locator('.session-row').filter({ has: page.getByTitle(session.id) })
    const percent = row.locator('.fullness .number')
    await percent.waitFor()
    const overhang = await percent.evaluate((number) => {
      number.textContent = '3979.42%'
      const cell = number.closest('td')?.getBoundingClientRect()
      const { left, right } = number.getBoundingClientRect()
      return (
        cell === undefined || left < cell.left + 8 || right > cell.right - 8 || number.scrollWidth > right - left + 1
      )
    })
    expect(overhang).toBe(false)
    await page.setViewportSize({ width: 390, height: 844 })
    await row.getByText(session.workspace).waitFor()
    await row.getByText(`${session.last_seq}`, { exact: true }).waitFor()
    await expect.poll(() => outside(page)).toEqual([])
  })

  it('says that it waits for a slow server, and keeps the size of a context on one line', async () => {
    const id = await story()
    const { page } = await show('#/')
    await page.getByRole('heading', { name: 'Sessions' }).waitFor()
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/v1/token', async (route) => {
      await held
      await route.continue()
    })
    await page.goto(`${world().url}/#/${id}`)
    await page.reload()
    await page.getByText('Asking the server…').waitFor()
    answer()
    const size = page.locator('.gauge .tokens')
    await size.waitFor()
    expect(await size.evaluate((element) => element.getClientRects().length)).toBe(1)
    expect(await size.evaluate((element) => element.getBoundingClientRect().height)).toBeLessThan(30)
  })

  it('marks from where on an end of work is compacted, and the trigger, unless the policy asks first', async () => {
    const id = await world().session('At an end of work', settled(exampleMessages().slice(0, 9)))
    await world().ask('PATCH', `/v1/sessions/${id}`, { policy: { target_percent: 30 } })
    const { budget } = await world().ask('GET', `/v1/sessions/${id}/context`)
    const [from, latest] = [budget.end_of_work_trigger, budget.trigger].map((tokens) => tokens.toLocaleString('en'))
    const { page } = await show(`#/${id}`)
    await page.getByTitle(`Compacts at the next end of work from ${from}, at the latest at ${latest}`).waitFor()
    await page.getByTitle(`Compacts by itself from ${latest}`).waitFor()
    await page.getByRole('complementary', { name: 'Overview' }).getByText('at an end of work from').waitFor()
    await world().ask('PATCH', `/v1/sessions/${id}`, { policy: { target_percent: 30, mode: 'ask' } })
    await page.locator('.bar .end-of-work').waitFor({ state: 'detached' })
    await page.getByTitle(`Compacts by itself from ${latest}`).waitFor()
  })

  it('shows the hits in one session below each other, and the search above an open entry on a phone', async () => {
    const id = await story()
    const { page } = await show(`#/${id}?entry=79`)
    await page.getByRole('complementary', { name: 'Entry 79', exact: true }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('retry')
    const lines = page.locator('.hit .hit-line')
    await lines.nth(4).waitFor()
    const tops = '[...document.querySelectorAll(".hit-line")].map((line) => line.getBoundingClientRect())'
    const overlaps = `${tops}.filter(({ bottom }, i, all) => (all[i + 1]?.top ?? bottom) < bottom - 1).length`
    expect(await page.evaluate(overlaps)).toBe(0)
    expect(await findings(page, '.hits')).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(() => outside(page)).toEqual([])
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('.entry-panel').waitFor()
    await page.keyboard.press('/')
    await page.locator('.entry-panel').waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Search the log')
  })

  it('shows the one number of a session, the largest items and a drawn chart', async () => {
    const id = await story()
    const { status, largest } = await world().ask('GET', `/v1/sessions/${id}/context`)
    const { page } = await show(`#/${id}`)
    await page
      .getByText(`${status.percent.toFixed(2)}%`)
      .first()
      .waitFor()
    await page.locator('.overview').getByText(`#${largest[0].seq}`).first().waitFor()
    const colours = `(() => {
      const canvas = document.querySelector('.plot canvas')
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
      return new Set(new Uint32Array(data.buffer)).size
    })()`
    await eventually(() => page.evaluate(colours)).toBeGreaterThan(6)
    expect(await page.locator('.legend li').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringContaining('Tool results'), expect.stringContaining('Summary')]),
    )
  })

  it('opens a compaction by a click on its line in the chart, and keeps its number clear of the rest on a phone', async () => {
    const id = await story()
    const { page } = await show(`#/${id}`)
    const mark = page.getByRole('button', { name: /^compaction #131/ })
    await mark.click({ position: { x: 7, y: 60 }, timeout: 10_000 })
    await page.getByRole('heading', { name: 'Compaction #131' }).waitFor()
    await page.setViewportSize({ width: 390, height: 800 })
    const gap = `document.querySelector('.live').getBoundingClientRect().left - document.querySelector('.crumbs').lastElementChild.getBoundingClientRect().right`
    await eventually(() => page.evaluate(gap)).toBeGreaterThanOrEqual(6)
  })

  it('shows a compaction from its mark: before and after, what was found, what was flagged, and where facts came from', async () => {
    const id = await story()
    const { page } = await show(`#/${id}`)
    await page.getByRole('button', { name: /^compaction #131/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Compaction #131' }).waitFor()
    const before = page.getByRole('region', { name: 'Before' })
    await before.getByText('Uploads larger than 5 MB fail').waitFor()
    const after = page.getByRole('region', { name: 'After' })
    await after.getByText('The earlier part of this conversation').waitFor()
    const summary = page.getByRole('region', { name: 'Summary' })
    expect(await summary.locator('mark.flagged').allTextContents()).toEqual([INVENTED])
    await summary.getByText(/1 name not in the source/).waitFor()
    await summary.getByRole('link', { name: 'src/retry.ts' }).click()
    await page
      .getByRole('complementary', { name: /^Entry/ })
      .getByText('src/retry.ts')
      .first()
      .waitFor()
    const facts = page.getByRole('region', { name: 'Facts' })
    for (const kind of ['Constraints', 'Files', 'Errors', 'Commands']) await facts.getByText(kind).first().waitFor()
    await facts.getByRole('link', { name: '#1', exact: true }).first().click()
    const entry = page.getByRole('complementary', { name: 'Entry 1', exact: true })
    await entry.getByText('do not add dependencies').waitFor()
  })

  it('leaves compacted and masked entries in their place in the log, and finds what they said', async () => {
    const id = await story()
    const { page } = await show(`#/${id}?entry=1`)
    await page.locator('[data-seq="1"]').getByText('compacted').waitFor()
    await page.goto(`${world().url}/#/${id}?entry=214`)
    await page.locator('[data-seq="214"]').getByText('masked').waitFor()
    // As it was said, though the model does not see it any more.
    await page.locator('.entry-panel .text').getByText('./http/client.ts').first().waitFor()
    await page.locator('.mark.mask').waitFor()
    await page.getByRole('searchbox').fill('socketOnEnd')
    await page.locator('.hit mark').first().waitFor()
    await page.locator('.hit').first().click()
    await page.getByRole('complementary').getByText('Socket.socketOnEnd').waitFor()
  })

  it('can be used by keyboard alone, and lists its keys', async () => {
    const id = await story()
    const { page } = await show('#/')
    await page.getByRole('searchbox').fill(TITLE)
    await eventually(() => page.locator('.session-row').count()).toBe(1)
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys and words' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: TITLE }).waitFor()
    expect(page.url()).toContain(id)
    await page.keyboard.press(']')
    await page.getByRole('heading', { name: 'Compaction #131' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('listbox', { name: 'Entries' }).focus()
    await page.keyboard.press('Home')
    await page.getByRole('complementary', { name: 'Entry 1', exact: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('complementary', { name: 'Entry 2', exact: true }).waitFor()
    await page.getByRole('link', { name: 'The entry after' }).focus()
    await page.keyboard.press('Escape')
    await eventually(() => page.evaluate('document.activeElement.role')).toBe('listbox')
    await page.keyboard.press('/')
    await eventually(() => page.evaluate('document.activeElement.type')).toBe('search')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
  })

  it('follows the dark or light of the system until its switch is used', async () => {
    const { page } = await show('#/')
    const theme = () => page.evaluate('document.documentElement.dataset.theme')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.getByRole('button', { name: 'Switch to dark' }).click()
    expect(await theme()).toBe('dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.reload()
    await page.getByRole('button', { name: 'Switch to light' }).click()
    expect(await theme()).toBe('light')
    await page.evaluate('localStorage.clear()')
  })

  it('keeps every row of a compaction on its line on a phone, and shows the whole cost in a narrow list', async () => {
    const id = await world().session('Partly priced', exampleMessages())
    const unpriced = { usage: { input_tokens: 1_000, output_tokens: 10 }, model: 'nobody/knows' }
    const message = { role: 'assistant', content: 'Yes.' }
    await world().ask('POST', `/v1/sessions/${id}/messages`, { messages: [{ message, ...unpriced }] })
    await world().ask('POST', `/v1/sessions/${id}/compact`)
    const { compactions } = await world().ask('GET', `/v1/sessions/${id}/compactions`)
    const { page } = await show(`#/${id}/${compactions[0].seq}`)
    await page.locator('.side .log-row.said').first().waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    const below = `[...document.querySelectorAll('.side .log-row')].flatMap((row) =>
      [...row.children].filter((part) => part.getBoundingClientRect().bottom > row.getBoundingClientRect().bottom))`
    expect(await page.evaluate(`${below}.map(({ textContent }) => textContent)`)).toEqual([])
    const { page: list } = await show('#/')
    await list.setViewportSize({ width: 820, height: 900 })
    const cost = list.getByRole('row', { name: 'Partly priced' }).locator('.cost')
    await cost.getByText('≥ $').waitFor()
    expect(await cost.evaluate((cell) => cell.scrollWidth - cell.clientWidth)).toBe(0)
  })

  it('has nothing that axe finds or that cannot be read, on every screen, and fits the width of a phone', async () => {
    const id = await story()
    const { page } = await show('#/')
    const dialogs = [
      ['#/', '.fullness', DIALOG, () => page.keyboard.press('?')],
      [`#/${id}`, '.log-row.said', DIALOG, () => page.getByRole('button', { name: 'Share…' }).click()],
      [`#/${id}?entry=3`, '.entry-panel .text', DIALOG, () => page.getByRole('button', { name: 'redact…' }).click()],
    ] as const
    // The screen, the part to wait for, and the part that no screen before had.
    const screens: readonly (readonly [hash: string, there: string, part?: string, dialog?: () => Promise<void>])[] = [
      ['#/', '.fullness'],
      ['#/', '.fullness', DIALOG, () => page.keyboard.press('m')],
      [`#/${id}`, '.log-row.said'],
      [`#/${id}`, '.log-row.said', DIALOG, () => page.keyboard.press('c')],
      [`#/${id}/131`, '.loss', 'main'],
      [`#/${id}/131?entry=3`, '.entry-panel .text', '.entry-panel'],
      ...(full ? dialogs : []),
    ]
    const sizes = [
      { width: 1280, height: 800 },
      { width: 360, height: 740 },
    ]
    for (const [hash, there, part, dialog] of screens) {
      await page.goto(`${world().url}/${hash}`)
      await page.locator(there).first().waitFor()
      await dialog?.()
      if (part !== undefined) await page.locator(part).waitFor()
      for (const [i, size] of sizes.entries()) {
        await page.setViewportSize(size)
        // The chart follows the width of its place a moment later.
        await expect.poll(() => outside(page), { message: `${hash} ${size.width}` }).toEqual([])
        if (full || i === 0) expect(await findings(page, part), `${hash} ${size.width}`).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth'), hash).toBe(size.width)
      }
      if (dialog !== undefined) await page.keyboard.press('Escape')
    }
  })
})
