import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Message } from '../../../src/model/types.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { LOCAL_OWNER } from '../../../src/store/store.ts'
import { failed, ran, read, said } from '../../study/memory/worked-session.ts'
import { findings, outside } from '../../web/support/findings.ts'
import { describeInBrowser } from '../../web/support/page.ts'
import { storyteller } from '../../web/support/story.ts'
import type { WebWorld } from '../../web/support/world.ts'

/** A session of the owner of the machine in a folder. */
async function worked({ data }: WebWorld, workspace: string, messages: readonly Message[]): Promise<string> {
  const store = await openStore(join(data, 'pith.db'))
  const { id } = await store.createSession({ owner: LOCAL_OWNER, workspace })
  await store.append(
    id,
    messages.map((message) => ({ type: 'message', message })),
  )
  await store.close()
  return id
}

describeInBrowser('the memory of a project on the page', storyteller, ({ world, show }) => {
  it('is chosen by its project, and opens the entry of each line', async () => {
    await worked(world(), '/home/me/till', said('Never print a receipt twice.'))
    const first = await worked(world(), '/home/me/shop', [
      ...said('Always write prices in cents, never as <b>floats</b>.'),
      ...read('src/a/rather/long/way/to/the/till-of-the-shop-in-the-old-town.ts'),
      ...ran('npm test'),
    ])
    await worked(world(), '/home/me/shop', [...said('Go on.'), ...ran('npm test'), ...failed('npm run lint')])
    const { page } = await show('#/')
    await page.getByRole('link', { name: 'Memory' }).click()
    const rules = page.getByRole('region', { name: 'Rules that you stated' })
    await rules.getByText('“Always write prices in cents, never as <b>floats</b>.”').waitFor()
    await page.getByText(/^From 2 sessions, the last on \d{4}-\d\d-\d\d · \d+ tokens/).waitFor()
    await page.getByRole('region', { name: 'Build, test and run' }).locator('code', { hasText: 'npm test' }).waitFor()
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 })
      expect([width, ...(await findings(page)), ...(await outside(page))]).toEqual([width])
    }
    await page.getByLabel('Project').selectOption('/home/me/till')
    await rules.getByText('“Never print a receipt twice.”').waitFor()
    await page.goBack()
    await rules.getByText('cents').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${world().url}/#/${first}?entry=1`)
    await page.getByRole('complementary').getByText('Always write prices in cents').waitFor()
  })

  it('says why there is none', async () => {
    const { page, errors } = await show('#/?memory=%2Fnowhere')
    await page.getByText('this token has no session in that folder').waitFor()
    // The browser reports the answer 404 itself.
    errors.splice(0)
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Sessions' }).waitFor()
  })
})
