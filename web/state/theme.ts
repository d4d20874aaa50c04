import { useLayoutEffect, useState } from 'preact/hooks'

export type Theme = 'dark' | 'light'

const KEY = 'pith.theme'

/** The theme, and its switch. Until somebody uses the switch it is the system's. */
export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(themeNow)
  useLayoutEffect(() => {
    const system = matchMedia('(prefers-color-scheme: light)')
    const follow = () => setTheme(themeNow())
    system.addEventListener('change', follow)
    // It may have changed since the first look.
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

function themeNow(): Theme {
  const chosen = localStorage.getItem(KEY)
  if (chosen === 'dark' || chosen === 'light') return chosen
  return matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
}

/** Before the children render: the chart reads its colours from the style. */
function showTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme
}
