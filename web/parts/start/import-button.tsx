import { useRef } from 'preact/hooks'
import type { WireSession } from '../../../src/contract/shapes/shapes.ts'
import { useApp } from '../../hooks/app-context.ts'

/** Imports a session file of any agent. */
export function ImportButton({ onOpen }: { onOpen: (id: string) => void }) {
  const { client, mayWrite, notify } = useApp()
  const input = useRef<HTMLInputElement>(null)
  if (!mayWrite) return null
  const take = async (file: File | undefined) => {
    if (file === undefined) return
    const made = await client.upload<{ session: WireSession }>('/v1/sessions/import', file)
    if (made.ok) onOpen(made.value.session.id)
    else notify(made.message, 'error')
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Session file"
        onChange={(event) => void take(event.currentTarget.files?.[0])}
      />
      <button type="button" onClick={() => input.current?.click()}>
        Import…
      </button>
    </>
  )
}
