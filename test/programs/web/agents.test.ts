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

  it('are not asked for with a token of somebody else, whom the server would refuse', async () => {
    const { secret } = await world().access().add({ name: 'ann', access: 'write' })
    const { page, errors } = await open(undefined, secret)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const overview = page.waitForResponse(/\/v1\/overview/)
    await page.reload()
    await (await overview).finished()
    expect(asked).not.toContain('/v1/agent-sessions')
    expect(errors).toEqual([])
  })
})
