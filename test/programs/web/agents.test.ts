import { expect, it } from 'vitest'
import { describeInBrowser } from '../../web/support/page.ts'
import { storyteller } from '../../web/support/story.ts'

describeInBrowser('sessions of other agents on the page', storyteller, ({ world, open }) => {
  it('are listed under our own, found by the search, and open read-only as they grow', async () => {
    const { page } = await open('#/')
    await page.getByText('Other agents on this machine').waitFor()
    await page.getByLabel('Search sessions').fill('printer')
    const row = page.getByRole('row', { name: /The printer/ })
    await row.getByText('50%').waitFor()
    await row.getByRole('link').click()
    await page.getByText('Look after the printer.').first().waitFor()
    await page.getByText('A session of another agent, read-only').waitFor()
    expect(await page.getByRole('button', { name: 'Compact…' }).count()).toBe(0)
    world().agent.say('And after the scanner.')
    await page.getByText('And after the scanner.').first().waitFor()
  })
})
