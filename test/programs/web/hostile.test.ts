import { expect, it } from 'vitest'
import { full } from '../../support/full.ts'
import { eventually } from '../../web/support/eventually.ts'
import { describeInBrowser } from '../../web/support/page.ts'
import { storyteller } from '../../web/support/story.ts'

const SCRIPT = '<script>document.title="owned"</script><img src=x onerror="document.title=\'owned\'">'
const TURNED = 'abc \u202edlrow\u202c \u2066x\u2069 \u0007\u001b[31mred\u0000'
const END = "document.querySelector('.entry-panel .text').textContent.endsWith('x the end')"

describeInBrowser('text of a session', storyteller, ({ world, show }) => {
  it('is shown as text, wherever it appears', async () => {
    const id = await world().session(SCRIPT, [
      { role: 'user', content: SCRIPT },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'c1', toolName: '<b>tool</b>', input: { path: SCRIPT } }],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'c1', toolName: '<b>tool</b>', output: { type: 'text', value: SCRIPT } },
        ],
      },
    ])
    const { page } = await show('#/')
    await page.locator('.session-row a').getByText('<script>').waitFor()
    await page.goto(`${world().url}/#/${id}`)
    await page.locator('.log-row.said').nth(2).waitFor()
    for (const seq of [1, 2, 3]) {
      await page.goto(`${world().url}/#/${id}?entry=${seq}`)
      await page.locator('.entry-panel .text').getByText('<script>').first().waitFor()
    }
    await page.getByRole('searchbox').fill('onerror')
    await page.locator('.hit').getByText('onerror').first().waitFor()
    expect(await page.title()).toBe('Pith')
    expect(await page.locator('main script, main img, main b').count()).toBe(0)
  })

  it('does not turn the direction of the web inspector, and its invisible characters have names', async () => {
    const id = await world().session(`\u202e${TURNED}`, [{ role: 'user', content: TURNED }])
    const { page } = await show(`#/${id}?entry=1`)
    const names = page.locator('.entry-panel .unseen')
    await names.first().waitFor()
    expect(await names.allTextContents()).toEqual([
      'U+202E',
      'U+202C',
      'U+2066',
      'U+2069',
      'U+0007',
      'U+001B',
      'U+0000',
    ])
    const shown = (await page.locator('main').textContent()) ?? ''
    expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u0000-\u0008\u001b]/)
    expect(await page.title()).toBe('Pith')
  })

  it('of very many characters in one line is shown in steps', async () => {
    const count = full ? 1_048_576 : 548_576
    const id = await world().session('Large', [{ role: 'user', content: `start ${'x'.repeat(count)} the end` }])
    const { page } = await show(`#/${id}?entry=1`)
    await page
      .locator('[data-seq="1"]')
      .getByText(/^start x+…$/)
      .waitFor()
    const text = page.locator('.entry-panel .text')
    for (const left of [...(full ? ['1,028,590'] : []), '528,590', '28,590'])
      await text.getByRole('button', { name: `… ${left} more characters` }).click()
    await eventually(() => page.evaluate(END)).toBe(true)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  })

  it(`of very many entries is scrolled with few rows in the document`, async () => {
    const many = full ? 100_000 : 1_000
    const id = await world().session('Many')
    for (let from = 0; from < many; from += 1_000) {
      const messages = Array.from({ length: 1_000 }, (_, i) => ({
        role: i % 2 === 0 ? 'user' : 'assistant',
        content: `word ${from + i + 1}`,
      }))
      await world().append(id, messages)
    }
    const { page } = await show(`#/${id}`)
    await page.locator(`[data-seq="${many}"]`).getByText(`word ${many}`).waitFor()
    await page.getByRole('listbox', { name: 'Entries' }).focus()
    await page.keyboard.press('Home')
    await page.locator('[data-seq="1"]').getByText('word 1').waitFor()
    await page.goto(`${world().url}/#/${id}?entry=${many / 2}`)
    await page
      .locator(`[data-seq="${many / 2}"]`)
      .getByText(`word ${many / 2}`)
      .waitFor()
    expect(await page.locator('.log-row').count()).toBeLessThan(80)
  })
})
