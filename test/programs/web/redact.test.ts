import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { type Brain, isSummarising } from '../../support/model-server/index.ts'
import { eventually } from '../../web/support/eventually.ts'
import { describeInBrowser } from '../../web/support/page.ts'
import type { WebWorld } from '../../web/support/world.ts'

const SECRET = 'sk-live-51Hx9zQw77'

/** A model that repeats the secret in its summary. */
const leaks: Brain = (request) => ({
  text: isSummarising(request) ? `## Goal\nUse the key ${SECRET} for the shop.\n## Next\nGo on.` : 'Fine.',
})

/** A session whose title, first message, later message and summary have the secret. */
async function leakingSession(world: WebWorld): Promise<{ id: string; compaction: number }> {
  const filler = (n: number) => [
    { role: 'user', content: `Look at part ${n} of the shop.` },
    { role: 'assistant', content: `Part ${n} of the shop is fine. ${'It has all it needs. '.repeat(20)}` },
  ]
  const { id } = await world.ask('POST', '/v1/sessions', {
    title: `my key is ${SECRET}, use it for the shop`,
    messages: [
      { role: 'user', content: `my key is ${SECRET}, use it for the shop` },
      { role: 'assistant', content: 'I will.' },
      ...Array.from({ length: 12 }, (_, n) => filler(n)).flat(),
      { role: 'user', content: `The key again: ${SECRET}` },
      { role: 'assistant', content: 'I have it.' },
    ],
  })
  await world.ask('POST', `/v1/sessions/${id}/compact`, { policy: 'agent' })
  const { compactions } = await world.ask('GET', `/v1/sessions/${id}/compactions`)
  return { id, compaction: compactions[0].seq }
}

/** Everything that the web inspector shows or holds: its text, its attributes and what is typed into it. */
async function contentOf(page: Page): Promise<string> {
  const fields = await page
    .locator('input, textarea')
    .evaluateAll((all) => all.map((each) => Reflect.get(each, 'value')))
  return [await page.title(), await page.content(), ...fields].join('\n')
}

describeInBrowser('a redaction', leaks, ({ world, open, show }) => {
  it('in the web inspector leaves the secret in no place of it, and offers the other messages that have it', async () => {
    const { id, compaction } = await leakingSession(world())
    const { page } = await show(`#/${id}?entry=1`)
    const list = (await open('')).page
    const summary = (await open(`#/${id}/${compaction}`)).page
    // A browser has six connections to a server, and each page keeps one.
    const all = [page, list, summary]
    for (const each of all) await eventually(() => contentOf(each)).toContain(SECRET)
    await page.getByRole('button', { name: 'redact…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Redact #1' })
    await dialog.getByText('The same words are in #27.').waitFor()
    await dialog.getByRole('button', { name: 'Redact #1 and #27' }).click()
    await page.getByText('#1, #27 are redacted').waitFor()
    for (const each of all) await eventually(() => contentOf(each)).not.toContain(SECRET)
    await list.locator(`a[href="#/${id}"]`).first().click()
    await list.getByLabel('Search the log').fill('shop')
    await list.locator('.hit').first().waitFor()
    expect(await contentOf(list)).not.toContain(SECRET)
  })

  it('of another client reaches a page that shows it', async () => {
    const { id, compaction } = await leakingSession(world())
    const searching = (await show(`#/${id}?entry=${compaction}`)).page
    await searching.getByLabel('Search the log').fill('my key is')
    const other = (await open(`#/${id}?entry=27`)).page
    for (const shown of [searching.locator('.hit'), other.locator('.entry-panel .text')])
      await shown.getByText(SECRET).first().waitFor()
    const all = [searching, other]
    for (const seq of [1, 27]) await world().ask('POST', `/v1/sessions/${id}/redact`, { seq })
    for (const each of all) await eventually(() => contentOf(each)).not.toContain(SECRET)
  })

  it('can be left, and a single one leaves the others', async () => {
    const { id } = await leakingSession(world())
    const { page } = await show(`#/${id}?entry=27`)
    await page.getByRole('button', { name: 'redact…' }).click()
    await page.getByRole('button', { name: 'Leave it' }).click()
    await page.locator('.entry-panel').getByText(SECRET).waitFor()
    await page.getByRole('button', { name: 'redact…' }).click()
    await page.getByRole('button', { name: 'Redact #27', exact: true }).click()
    await page.locator('.entry-panel').getByText('[redacted by the user]').waitFor()
    expect(await page.getByRole('button', { name: 'redact…' }).count()).toBe(0)
    expect(JSON.stringify(await world().ask('GET', `/v1/sessions/${id}/messages`))).toContain(SECRET)
  })
})
