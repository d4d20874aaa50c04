import { useLayoutEffect, useState } from 'preact/hooks'

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
