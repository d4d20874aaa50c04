import { expect, it } from 'vitest'
import { ROUTES } from '../../../src/contract/document.ts'
import { findings } from '../../web/support/findings.ts'
import { describeInBrowser } from '../../web/support/page.ts'
import { storyteller } from '../../web/support/story.ts'
import { TOKEN } from '../../web/support/world.ts'

describeInBrowser('the page of the API', storyteller, ({ world, open }) => {
  it('lists every route of the document, and sends a request as it was filled in', async () => {
    const id = await world().session('Explored', [{ role: 'user', content: 'Hello' }])
    const { page } = await open('docs')
    await page.locator('details#listSessions').waitFor()
    expect(await page.locator('details').count()).toBe(ROUTES.length)
    await page.getByLabel('Token').fill(TOKEN)
    await page.getByLabel('Search').fill('/context')
    await page.locator('details#getContext > summary').click()
    await page.locator('details#getContext').getByLabel('id').first().fill(id)
    await page.locator('details#getContext').getByRole('button', { name: 'Send' }).click()
    await page
      .locator('details#getContext pre')
      .getByText(/^200[\s\S]*"status"/)
      .waitFor()
    expect(await page.locator('details#deleteSession').isVisible()).toBe(false)
    expect(await findings(page)).toEqual([])
  })
})
