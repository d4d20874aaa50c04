import { createContext } from 'preact'
import { useContext, useLayoutEffect, useState } from 'preact/hooks'
import type { ApiClient } from '../api/api-client.ts'

export type PageTheme = 'dark' | 'light'

const KEY = 'pith.theme'

/** The theme and its switch. It follows the system until the user switches it. */
export function useTheme(): [PageTheme, () => void] {
  const [theme, setTheme] = useState<PageTheme>(themeNow)
  useLayoutEffect(() => {
    const system = matchMedia('(prefers-color-scheme: light)')
    const follow = () => setTheme(themeNow())
    system.addEventListener('change', follow)
    // The value may have changed between the first render and this effect.
    follow()
    return () => system.removeEventListener('change', follow)
  }, [])
  showTheme(theme)
  return [
    theme,
    () => {
      const other = theme === 'dark' ? 'light' : 'dark'
      localStorage.setItem(KEY, other)
      setTheme(other)
    },
  ]
}

function themeNow(): PageTheme {
  const chosen = localStorage.getItem(KEY)
  if (chosen === 'dark' || chosen === 'light') return chosen
  return matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
}

/** Sets the theme before the children render: the chart reads its colours from the style. */
function showTheme(theme: PageTheme): void {
  document.documentElement.dataset.theme = theme
}

/** The services that every part of the web inspector may use. */
export type PageApp = {
  readonly client: ApiClient
  /** The owner of the sessions that are shown. */
  readonly owner: string
  /** False with a read-only token: then no changes are offered. */
  readonly mayWrite: boolean
  /** True with an administrator's token. */
  readonly isAdmin: boolean
  readonly theme: PageTheme
  /** Shows one line for a while. */
  readonly notify: (text: string, tone?: 'error') => void
}

export const AppContext = createContext<PageApp | undefined>(undefined)

/** The services of the web inspector. */
export function useApp(): PageApp {
  const app = useContext(AppContext)
  if (app === undefined) throw new Error('A part was rendered outside of the AppContext')
  return app
}
