import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** A dialog of the browser: it keeps the focus inside and closes with Escape. */
export function Modal(props: { title: string; class?: string; onClose: () => void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null
    dialog.current?.showModal()
    return () => before?.focus()
  }, [])
  return (
    <dialog ref={dialog} class={props.class} aria-label={props.title} onClose={props.onClose}>
      <header class="modal-head">
        <h2>{props.title}</h2>
        <button type="button" class="icon" aria-label="Close" onClick={props.onClose}>
          ✕
        </button>
      </header>
      {props.children}
    </dialog>
  )
}
