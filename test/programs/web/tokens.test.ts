import { expect, it } from 'vitest'
import { findings, outside } from '../../web/support/findings.ts'
import { describeInBrowser } from '../../web/support/page.ts'
import { storyteller } from '../../web/support/story.ts'
import { READER } from '../../web/support/world.ts'

describeInBrowser('the tokens of the server on the page', storyteller, ({ world, show, open }) => {
  it('are made with limits, changed and removed by an administrator, and a secret is shown once', async () => {
    const { page, errors } = await show('#/')
    await page.getByRole('link', { name: 'Tokens' }).click()
    await page.getByText('Reads the sessions of local').waitFor()
    expect(await page.getByRole('button', { name: 'Remove local' }).count()).toBe(0)
    await page.getByRole('button', { name: 'New token' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('reader')
    await dialog.getByRole('button', { name: 'Make the token' }).click()
    expect(await dialog.getByRole('alert').textContent()).toContain('there is a token reader already')
    // The browser reports the refusal itself.
    errors.splice(0)
    await dialog.getByLabel('Name').fill('ann')
    await dialog.getByLabel('What it may do').selectOption('read')
    await dialog.getByLabel('How long it works').selectOption('30')
    await dialog.getByLabel('Dollars a day').fill('2.5')
    expect(await findings(page, 'dialog')).toEqual([])
    await dialog.getByRole('button', { name: 'Make the token' }).click()
    const secret = await page.getByLabel('The new token ann').inputValue()
    expect(secret).toMatch(/^pith_[\w-]{43}$/)
    const { access } = world()
    expect(access().token(secret)).toMatchObject({ access: 'read', budget: { dollarsPerDay: 2.5 } })
    const row = page.getByRole('listitem').filter({ hasText: 'ann' })
    await row.getByText('Today: $0.00 of $2.50 · 0 tokens').waitFor()
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 })
      expect([width, ...(await findings(page)), ...(await outside(page))]).toEqual([width])
    }
    await page.getByRole('button', { name: 'Change ann' }).click()
    await dialog.getByLabel('What it may do').selectOption('admin')
    await dialog.getByLabel('Dollars a day').fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await row.getByText('administers the tokens').waitFor()
    expect(access().token(secret)).toMatchObject({ access: 'write', admin: true, expires: expect.any(String) })
    expect(await page.getByLabel('The new token ann').count()).toBe(0)
    await page.getByRole('button', { name: 'Remove ann' }).click()
    await dialog.getByRole('button', { name: 'Remove the token' }).click()
    await row.waitFor({ state: 'detached' })
    expect(access().token(secret)).toBeUndefined()
  })

  it('are not offered to others, and their address says why', async () => {
    const { page, errors } = await open(undefined, READER)
    await page.getByRole('heading', { name: 'Sessions' }).waitFor()
    expect(await page.getByRole('link', { name: 'Tokens' }).count()).toBe(0)
    await page.goto(`${world().url}/#/?tokens`)
    await page.getByText('the token reader may not administer tokens').waitFor()
    errors.splice(0)
  })
})
