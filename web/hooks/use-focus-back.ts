import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

/** When a part with the focus is removed, the focus returns to the element that had it before, or else to the log. */
export function useFocusBack(part: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = part.current
    const before = document.activeElement
    return () => {
      if (element === null || !element.contains(document.activeElement)) return
      const isThere = before instanceof HTMLElement && before !== document.body && before.isConnected
      const to = isThere ? before : document.querySelector<HTMLElement>('[role=listbox]')
      to?.focus()
    }
  }, [])
}
