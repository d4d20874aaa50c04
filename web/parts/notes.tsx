import { useEffect } from 'preact/hooks'

export type Note = { readonly id: number; readonly text: string; readonly tone: 'error' | undefined }

const SHOWN_MS = 6_000

/** Short messages about what just happened; each disappears by itself. */
export function Notes({ notes, onGone }: { notes: readonly Note[]; onGone: (id: number) => void }) {
  return (
    <div class="notes" role="status" aria-live="polite">
      {notes.map((note) => (
        <OneNote key={note.id} note={note} onGone={() => onGone(note.id)} />
      ))}
    </div>
  )
}

function OneNote({ note, onGone }: { note: Note; onGone: () => void }) {
  useEffect(() => {
    const timer = setTimeout(onGone, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [])
  return <p class={note.tone === 'error' ? 'note bad' : 'note'}>{note.text}</p>
}
