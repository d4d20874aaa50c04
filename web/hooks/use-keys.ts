import { useLayoutEffect } from 'preact/hooks'

/** The keyboard shortcuts, as `?` lists them. */
export const PAGE_SHORTCUTS: readonly { readonly keys: string; readonly does: string; readonly where: string }[] = [
  { keys: '?', does: 'Show this list', where: 'Everywhere' },
  { keys: '/', does: 'Search', where: 'Everywhere' },
  { keys: 't', does: 'Switch between dark and light', where: 'Everywhere' },
  { keys: 'Esc', does: 'Close the open panel or dialog, then go back', where: 'Everywhere' },
  { keys: '↓ ↑', does: 'Move in a list (also j and k)', where: 'Lists' },
  { keys: 'Enter', does: 'Open the selected row', where: 'Lists' },
  { keys: 'Home End', does: 'The first and the last', where: 'Lists' },
  { keys: 'm', does: 'Rename, change or delete the selected session', where: 'Lists' },
  { keys: '[ ]', does: 'The compaction before, the compaction after', where: 'Session' },
  { keys: 'c', does: 'Compact, with a preview', where: 'Session' },
  { keys: 'u', does: 'Undo the newest change', where: 'Session' },
  { keys: 'r', does: 'Redo', where: 'Session' },
  { keys: 'x', does: 'Mark the selected message, to leave it out', where: 'Session' },
  { keys: 'Shift X', does: 'Mark all messages up to the selected one', where: 'Session' },
  { keys: 'e', does: 'Edit the summary', where: 'Compaction' },
]

export type KeyActions = Readonly<Record<string, (() => void) | undefined>>

/**
 * Runs the action of a key, unless the user types in a field or a dialog is open. If several parts have an action for a key,
 * that of a part which is `first` runs.
 */
export function useKeys(keys: KeyActions, order?: 'first'): void {
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (document.querySelector('dialog[open]') !== null) return
      const action = isTyping(event.target) ? leaveField(event) : keys[event.key]
      if (action === undefined || (event.key === 'Enter' && isControl(event.target))) return
      event.preventDefault()
      action()
    }
    const capture = order === 'first'
    addEventListener('keydown', onKey, { capture })
    return () => removeEventListener('keydown', onKey, { capture })
  })
}

/** In a field only Escape acts: it leaves the field. */
function leaveField({ key, target }: KeyboardEvent): (() => void) | undefined {
  return key === 'Escape' && target instanceof HTMLElement ? () => target.blur() : undefined
}

/**
 * Enter on a link or button is its own action. A dialog that has just closed may keep the focus for a moment: it does
 * not count.
 */
function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('a, button') && target.closest('dialog') === null
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
}
