import { useState } from 'preact/hooks'
import type { WireLink, WireNewLink } from '../../../src/contract/routes/link-routes.ts'
import { sessionPath } from '../../api/api-client.ts'
import { useApp } from '../../hooks/app-context.ts'
import { useLoaded } from '../../hooks/use-loaded.ts'
import { copyText } from '../../state/copy-text.ts'
import { localDateTime } from '../../text/times.ts'
import { visibleLine } from '../../text/visible.ts'
import { Modal } from '../modal.tsx'

const LIVES = [
  [1, 'an hour'],
  [24, 'a day'],
  [168, 'a week'],
  [720, '30 days'],
] as const

/** Makes a read-only link to the session, and lists and ends those that there are. */
export function ShareDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { notify } = useApp()
  const { links, failed, made, make, end } = useLinks(id)
  const [hours, setHours] = useState<number>(168)
  const copy = async (link: string) =>
    (await copyText(link)) ? notify('The link is on the clipboard') : notify('Copy it from the field', 'error')
  return (
    <Modal title="Share" class="share" onClose={onClose}>
      <p class="soft">Everybody who has the link can read this session, including its whole log, and nothing else.</p>
      <form
        class="actions"
        onSubmit={(event) => {
          event.preventDefault()
          void make(hours)
        }}
      >
        <label>
          Valid for
          <select autofocus value={hours} onChange={(event) => setHours(Number(event.currentTarget.value))}>
            {LIVES.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" class="primary">
          Make a link
        </button>
      </form>
      {made !== undefined && (
        <div class="made">
          <label>
            The new link: it is shown only now
            <input readOnly value={made} onFocus={(event) => event.currentTarget.select()} />
          </label>
          <button type="button" onClick={() => void copy(made)}>
            Copy the link
          </button>
        </div>
      )}
      <section aria-label="Links">
        <h3>Links to this session</h3>
        {failed !== undefined && <p class="bad">{failed}</p>}
        {links?.length === 0 && <p class="soft">There is none.</p>}
        <ul class="links">
          {links?.map((link) => (
            <li key={link.id}>
              <span class="mono">{link.id.slice(0, 8)}</span>
              <span class="grow soft">
                until {localDateTime(Date.parse(link.expires))}, by {visibleLine(link.by, 40)}
              </span>
              <button type="button" aria-label={`End link ${link.id.slice(0, 8)}`} onClick={() => void end(link.id)}>
                End
              </button>
            </li>
          ))}
        </ul>
      </section>
    </Modal>
  )
}

/** The read-only links to a session, and the ways to make and end one. */
function useLinks(id: string) {
  const { client, notify } = useApp()
  const [version, setVersion] = useState(0)
  /** The address of the link that was just made: its secret is shown only now. */
  const [made, setMade] = useState<string>()
  const path = sessionPath(id, '/links')
  const { value, failure } = useLoaded<{ links: WireLink[] }>(path, { version })
  return {
    links: value?.links,
    failed: failure?.message,
    made,
    make: async (hours: number) => {
      const answer = await client.ask<WireNewLink>(path, { method: 'POST', body: { hours } })
      if (!answer.ok) return notify(answer.message, 'error')
      setMade(`${location.origin}${answer.value.path}`)
      setVersion(version + 1)
    },
    end: async (link: string) => {
      const answer = await client.ask(`${path}/${encodeURIComponent(link)}`, { method: 'DELETE' })
      if (!answer.ok) return notify(answer.message, 'error')
      notify('The link shows nothing any more')
      setMade(undefined)
      setVersion(version + 1)
    },
  }
}
