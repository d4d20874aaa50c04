import { expect, it } from 'vitest'
import { eventually } from '../../web/support/eventually.ts'
import { describeInBrowser } from '../../web/support/page.ts'
import { compactedSession, ENDLESS, exampleMessages, storyteller, UNSAID } from '../../web/support/story.ts'
import { READER } from '../../web/support/world.ts'

describeInBrowser('changing a session from the page', storyteller, ({ world, open, show }) => {
  const percentOf = async (id: string): Promise<string> =>
    `${(await world().ask('GET', `/v1/sessions/${id}/context`)).status.percent.toFixed(2)}%`

  it('says what a compaction would do, does it, and takes it back and forth', async () => {
    const id = await world().session('To be compacted', exampleMessages())
    const full = await percentOf(id)
    const { page } = await show(`#/${id}`)
    const number = page.locator('.gauge-number')
    await number.getByText(full).waitFor()
    await page.getByRole('button', { name: 'Compact…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Compact' })
    const { messages } = await world().ask('POST', `/v1/sessions/${id}/compact`, { dry_run: true })
    await dialog.getByText(`A summary would replace ${messages} messages`).waitFor()
    expect(await percentOf(id)).toBe(full)
    await dialog.getByRole('button', { name: 'Compact', exact: true }).click()
    await dialog.getByText(`Conversation compacted: ${messages} messages`).waitFor()
    await dialog.getByText(/ · 1 name flagged/).waitFor()
    const reduced = await percentOf(id)
    expect(reduced).not.toBe(full)
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    await number.getByText(reduced).waitFor()
    await page.locator('.mark.compaction').waitFor()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await number.getByText(full).waitFor()
    await page.locator('.mark.compaction.undone').waitFor()
    await page.getByRole('button', { name: 'Redo' }).click()
    await number.getByText(reduced).waitFor()
  })

  it('says why there is a digest if a model was asked for a summary', async () => {
    const id = await world().session('To be told in no words', exampleMessages())
    const { page } = await show(`#/${id}`)
    await page.getByRole('button', { name: 'Compact…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Compact' })
    await dialog.getByLabel('Focus').fill(UNSAID)
    await dialog.getByText('The newest of those that would stay:').waitFor()
    await dialog.getByRole('button', { name: 'Compact', exact: true }).click()
    await dialog.getByText(/tokens · 98 messages replaced · digest/).waitFor()
    await dialog.getByText(/^No summary by a model: /).waitFor()
  })

  it('renames a session, sets its policy and deletes it from the list, and asks before it deletes', async () => {
    const id = await world().session('A working title')
    const { page } = await show('#/')
    await page.getByRole('button', { name: 'Manage A working title' }).click()
    const dialog = page.getByRole('dialog', { name: 'A working title' })
    await dialog.getByLabel('Name').fill('The last title')
    await dialog.getByLabel('How it is compacted').selectOption('economy')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'The last title' }).waitFor()
    expect(await world().ask('GET', `/v1/sessions/${id}`)).toMatchObject({ title: 'The last title', preset: 'economy' })
    await page.keyboard.press('m')
    await eventually(() => page.evaluate('document.activeElement.value')).toBe('The last title')
    await page.getByRole('button', { name: 'Delete…' }).click()
    const question = page.getByRole('dialog', { name: 'Delete “The last title”?' })
    await page.keyboard.press('Enter')
    await question.waitFor({ state: 'detached' })
    await page.keyboard.press('m')
    await page.getByRole('button', { name: 'Delete…' }).click()
    await question.getByRole('button', { name: 'Delete for good' }).click()
    await page.getByRole('link', { name: 'The last title' }).waitFor({ state: 'detached' })
  })

  it('redacts what a search in all sessions has found', async () => {
    const id = await world().session('Too much said', [{ role: 'user', content: 'The code of the safe is 4711-0815.' }])
    const { page } = await show('#/')
    await page.getByRole('searchbox').fill('4711-0815')
    await page.getByRole('button', { name: 'Redact #1' }).click()
    await page
      .getByRole('dialog', { name: 'Redact #1' })
      .getByRole('button', { name: 'Redact #1', exact: true })
      .click()
    await page.getByText(/None of \d+ entr(y|ies) matches/).waitFor()
    expect(JSON.stringify(await world().ask('GET', `/v1/sessions/${id}/view`))).not.toContain('4711')
  })

  it('saves a session as a file of another agent, and takes one over', async () => {
    const id = await world().session('To be taken along', exampleMessages())
    const { page } = await show(`#/${id}`)
    await page.getByLabel('Export format').selectOption('claude-code')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save', exact: true }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/-claude-code\.jsonl$/)
    const { page: list } = await show('#/')
    await list.getByRole('button', { name: 'Import…' }).waitFor()
    await list.getByLabel('Session file').setInputFiles(await download.path())
    await list.locator('.gauge-number').waitFor()
    const { sessions } = await world().ask('GET', '/v1/sessions')
    expect(sessions.length).toBeGreaterThan(1)
  })

  it('cancels a compaction that is running, and leaves the context as it was', async () => {
    const id = await world().session('Cancelled', exampleMessages())
    const full = await percentOf(id)
    const { page } = await show(`#/${id}`)
    await page.getByRole('button', { name: 'Compact…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Compact' })
    await dialog.getByLabel('Focus').fill(ENDLESS)
    await dialog.getByRole('button', { name: 'Compact', exact: true }).click()
    await dialog.getByText('Compacting…').waitFor()
    await dialog.locator('.progress li').first().waitFor()
    await dialog.getByRole('button', { name: 'Cancel the compaction' }).click()
    await dialog.getByText(/cancelled/i).waitFor()
    expect(await percentOf(id)).toBe(full)
  })

  // Made once: the first of the two tests takes back what it does.
  let made: Promise<string> | undefined
  const compacted = () => {
    made ??= compactedSession(world(), 'Compacted')
    return made
  }

  it('rewrites a summary, and undo brings the first one back', async () => {
    const id = await compacted()
    const [, { seq }] = (await world().ask('GET', `/v1/sessions/${id}/compactions`)).compactions
    const { page } = await show(`#/${id}/${seq}`)
    await page.getByRole('button', { name: 'Edit' }).waitFor()
    await page.keyboard.press('e')
    await eventually(() => page.evaluate('document.activeElement.value')).toContain('## Goal')
    await page.getByLabel('Summary').last().fill('All of it was about the time-out.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.summary-text').first().getByText('All of it was about the time-out.').waitFor()
    await page.getByText('Rewritten by the user').waitFor()
    expect(JSON.stringify(await world().ask('GET', `/v1/sessions/${id}/view`))).toContain('about the time-out.')
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.locator('.summary-text').first().getByText('## Goal').waitFor()
  })

  it('shows what a compaction lost, puts a message back and takes it out again, forks there, and undoes only the newest', async () => {
    const id = await compacted()
    const { compactions } = await world().ask('GET', `/v1/sessions/${id}/compactions`)
    const [, { seq }] = compactions
    const { messages } = await world().ask('GET', `/v1/sessions/${id}/compactions/${seq}/lost`)
    const [lost] = messages
    const { page } = await show(`#/${id}/${seq}`)
    const row = page.locator('.loss', { has: page.getByRole('button', { name: `Put back #${lost.seq}`, exact: true }) })
    await row.getByText(lost.first_line).first().waitFor()
    // The mask came after it.
    expect(await page.getByRole('button', { name: 'Undo this compaction' }).isDisabled()).toBe(true)
    await page.getByText('Undo takes back the newest change first: #').waitFor()
    await row.getByRole('button', { name: 'Put back' }).click()
    await page.getByText(`#${lost.seq} with what belongs to it`).waitFor()
    await row.waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Put back')
    const { entries } = await world().ask('GET', `/v1/sessions/${id}/messages?after=${lost.seq - 1}&limit=1`)
    expect(entries[0]).toMatchObject({ place: 'whole', pinned: true })
    await page.keyboard.press('u')
    await row.waitFor()
    await row.getByRole('button', { name: 'Fork from here' }).click()
    await page.getByText(`This is a fork that ends with #${Math.max(...lost.step)}`).waitFor()
    expect(page.url()).not.toContain(id)
  })

  it('pins a message that was compacted back into the context, and an undo takes it out', async () => {
    const id = await world().session('To be pinned', exampleMessages())
    await world().ask('POST', `/v1/sessions/${id}/compact`)
    const reduced = await percentOf(id)
    const { page } = await show(`#/${id}?entry=3`)
    const panel = page.locator('.entry-panel')
    await panel.getByText('compacted').waitFor()
    await panel.getByRole('button', { name: 'pin', exact: true }).click()
    await page.getByText('#3 is back word for word and stays').waitFor()
    await panel.getByRole('button', { name: 'unpin' }).waitFor()
    await panel.getByText('compacted').waitFor({ state: 'detached' })
    const { entries } = await world().ask('GET', `/v1/sessions/${id}/messages?after=2&limit=1`)
    expect(entries[0]).toMatchObject({ place: 'whole', pinned: true })
    expect(await percentOf(id)).not.toBe(reduced)
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await panel.getByText('compacted').waitFor()
    expect(await percentOf(id)).toBe(reduced)
  })

  it('shows what other clients do as it happens, also after the server was away', async () => {
    const id = await world().session('Live', exampleMessages().slice(0, 5))
    const watched = await show(`#/${id}`)
    const { page } = watched
    await page.locator('.live.on').waitFor()
    await world().append(id, [{ role: 'user', content: 'said by another client' }])
    await page.locator('[data-seq="6"]').getByText('said by another client').waitFor()
    await page.locator('.gauge').getByText('6 messages in view').waitFor()
    const resumed: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.url().includes('/events')) resumed.push(request.headers()['last-event-id'])
    })
    await world().restart()
    await world().append(id, [{ role: 'user', content: 'said while nobody listened' }])
    await page.locator('[data-seq="7"]').getByText('said while nobody listened').waitFor()
    expect(resumed).toContain('6')
    // The browser itself reports the connection that was gone.
    watched.errors.splice(0)
  })

  it('shows a new session in the list without a reload', async () => {
    const { page } = await show('#/')
    await page.locator('.live.on').waitFor()
    await world().session('Just begun', exampleMessages().slice(0, 1))
    await page.getByRole('link', { name: 'Just begun' }).waitFor()
  })

  it('offers nothing that changes a session to a token that may only read', async () => {
    const id = await world().session('Read only', exampleMessages())
    const { page } = await open(`#/${id}`, READER)
    await page.locator('.log-row.said').first().waitFor()
    await page.keyboard.press('c')
    await page.keyboard.press('u')
    expect(await page.getByRole('button', { name: /Compact…|Undo|Redo/ }).count()).toBe(0)
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.goto(`${world().url}/#/`)
    await page.locator('.session-row').first().waitFor()
    expect(await page.getByRole('button', { name: /^Manage/ }).count()).toBe(0)
  })
})
