import { expect, it } from 'vitest'
import { contrasts } from '../../web/support/contrast.ts'
import { eventually } from '../../web/support/eventually.ts'
import { describeInBrowser } from '../../web/support/page.ts'
import { storyteller } from '../../web/support/story.ts'

describeInBrowser('signing in', storyteller, ({ open }) => {
  it('can be read in dark and in light, and says to a person what to do about a wrong token', async () => {
    const watched = await open(undefined, 'not-a-token')
    const { page } = watched
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.textContent()).toBe(
      'This server does not know that token. It may have been removed or have expired: ask for a new one, or make one with pith serve token add.',
    )
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await eventually(() => page.evaluate('document.documentElement.dataset.theme')).toBe(colorScheme)
      const texts = await contrasts(page)
      expect(texts.length).toBeGreaterThan(5)
      expect(texts.filter(({ ratio }) => ratio < 4.5)).toEqual([])
    }
    // The browser itself reports the refusal.
    await eventually(() => watched.errors.length).toBe(1)
    watched.errors.splice(0)
  })
})
