import { useLayoutEffect } from 'preact/hooks'

/** What each key does where it works; they are listed under `?`. */
export const SHORTCUTS: readonly { readonly keys: string; readonly does: string; readonly where: string }[] = [
  { keys: '?', does: 'Show this list', where: 'Everywhere' },
  { keys: '/', does: 'Search', where: 'Everywhere' },
  { keys: 't', does: 'Switch between dark and light', where: 'Everywhere' },
  { keys: 'Esc', does: 'Close what is open, then go back', where: 'Everywhere' },
  { keys: '↓ ↑', does: 'Move in a list (also j and k)', where: 'Lists' },
  { keys: 'Enter', does: 'Open what is selected', where: 'Lists' },
  { keys: 'Home End', does: 'The first and the last', where: 'Lists' },
  { keys: '[ ]', does: 'The compaction before, the compaction after', where: 'Session' },
  { keys: 'c', does: 'Compact, with a preview', where: 'Session' },
  { keys: 'u', does: 'Undo the newest change', where: 'Session' },
  { keys: 'r', does: 'Redo', where: 'Session' },
  { keys: 'e', does: 'Edit the summary', where: 'Compaction' },
]

export type Keys = Readonly<Record<string, (() => void) | undefined>>

/** Listens to keys while nobody types and no dialog is open; what is on the screen is what a key works on. */
export function useKeys(keys: Keys): void {
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (document.querySelector('dialog[open]') !== null) return
      const action = isTyping(event.target) ? leaveField(event) : keys[event.key]
      if (action === undefined || (event.key === 'Enter' && isControl(event.target))) return
      event.preventDefault()
      action()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
}

/** Escape leaves a field; every other key is what somebody types. */
function leaveField({ key, target }: KeyboardEvent): (() => void) | undefined {
  return key === 'Escape' && target instanceof HTMLElement ? () => target.blur() : undefined
}

/** Enter on these does what they do; a dialog that has just closed may still have the focus for a moment. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('a, button') && target.closest('dialog') === null
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
}
