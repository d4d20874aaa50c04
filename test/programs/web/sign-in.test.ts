import { expect, it } from 'vitest'
import { tokenHash } from '../../../src/server/access/tokens.ts'
import { contrasts } from '../../web/support/contrast.ts'
import { eventually } from '../../web/support/eventually.ts'
import { findings } from '../../web/support/findings.ts'
import { describeInBrowser } from '../../web/support/page.ts'
import { storyteller } from '../../web/support/story.ts'
import { TOKEN } from '../../web/support/world.ts'

describeInBrowser('signing in', storyteller, ({ world, open }) => {
  it('is for the whole browser: a new tab is signed in, and signing out ends it in all of them', async () => {
    const { page } = await open()
    await page.getByRole('heading', { name: 'Sessions' }).waitFor()
    const [cookie] = await page.context().cookies()
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', secure: false })
    const other = await page.context().newPage()
    await other.goto(world().url)
    await other.getByRole('heading', { name: 'Sessions' }).waitFor()
    expect(await other.evaluate('document.cookie + sessionStorage.length + localStorage.length')).toBe('00')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Token').waitFor()
    // Its event stream ends, and the next request is refused.
    await other.getByLabel('Token').fill(TOKEN)
    await other.getByRole('button', { name: 'Open' }).click()
    await other.getByRole('heading', { name: 'Sessions' }).waitFor()
    await other.close()
  })

  it('works once by a link, and a link to one session shows it in its tab alone', async () => {
    const id = await world().session('Shown', [{ role: 'user', content: 'Hello' }])
    await world().session('Hidden', [{ role: 'user', content: 'Hello' }])
    const access = world().access()
    const token = tokenHash(TOKEN)
    const { page, errors } = await open()
    // Nobody is signed in, and no request of the screen before is still on its way.
    await page.goto('about:blank')
    await page.context().clearCookies()
    errors.splice(0)
    const link = `${world().url}/#link=${(await access.makeGrant({ kind: 'link', token }))?.secret}`
    await page.goto(link)
    await page.getByRole('heading', { name: 'Sessions' }).waitFor()
    expect(page.url()).toBe(`${world().url}/`)
    await page.goto(`${world().url}/#share=${(await access.makeGrant({ kind: 'share', token, session: id }))?.secret}`)
    await page.getByRole('heading', { name: 'Shown' }).waitFor()
    expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0)
    await page.reload()
    await page.getByRole('heading', { name: 'Shown' }).waitFor()
    const other = await page.context().newPage()
    await other.goto(world().url)
    await other.getByText('Hidden').first().waitFor()
    await other.close()
    expect(errors).toEqual([])
    await page.goto(link)
    expect(await page.getByRole('alert').textContent()).toBe(
      'This link was used before or is too old. Make a new one with pith serve link.',
    )
    await eventually(() => errors.length).toBe(1)
    errors.splice(0)
  })

  it('can be read in dark and in light, and says to a person what to do about a wrong token', async () => {
    const watched = await open(undefined, 'not-a-token')
    const { page } = watched
    const alert = page.getByRole('alert')
    await alert.waitFor()
    await page.getByLabel('Token').waitFor()
    expect(await page.evaluate('document.activeElement.type')).toBe('password')
    expect(await alert.textContent()).toBe(
      'This server does not know that token. It may have been removed or have expired: ask for a new one, or make one with pith serve token add.',
    )
    expect((await contrasts(page)).length).toBeGreaterThan(5)
    expect(await findings(page)).toEqual([])
    // The browser itself reports the refusal.
    await eventually(() => watched.errors.length).toBe(1)
    watched.errors.splice(0)
  })
})
