import { useLayoutEffect, useState } from 'preact/hooks'
import { type PageRoute, parseRoute } from '../state/page-route.ts'

/** The route in the address bar; renders again when it changes. */
export function useRoute(): PageRoute {
  const [route, setRoute] = useState(() => parseRoute(location.hash))
  useLayoutEffect(() => {
    const read = () => setRoute(parseRoute(location.hash))
    addEventListener('hashchange', read)
    addEventListener('popstate', read)
    // The value may have changed between the first render and this effect.
    read()
    return () => {
      removeEventListener('hashchange', read)
      removeEventListener('popstate', read)
    }
  }, [])
  return route
}
