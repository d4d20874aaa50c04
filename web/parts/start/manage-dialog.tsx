import { useState } from 'preact/hooks'
import type { WireOverviewSession } from '../../../src/contract/routes/overview-routes.ts'
import { counted } from '../../../src/engine/report/numbers.ts'
import { PRESET_NAMES } from '../../../src/model/policy/preset-names.ts'
import { sessionPath } from '../../api/api-client.ts'
import { useApp } from '../../hooks/app-context.ts'
import { sessionName, visibleLine } from '../../text/visible.ts'
import { Modal } from '../modal.tsx'

type Props = { session: WireOverviewSession; onClose: () => void; onChanged: () => void }

/** Renames a session, changes how it is compacted, or deletes it. It asks twice before a change that cannot be undone. */
export function ManageDialog({ session, onClose, onChanged }: Props) {
  const { client, notify } = useApp()
  const [title, setTitle] = useState(session.title ?? '')
  const [preset, setPreset] = useState('')
  const [isAsking, setAsking] = useState(false)
  const name = sessionName(session, 80)
  const send = async (method: string, done: string, body?: unknown) => {
    const answer = await client.ask(sessionPath(session.id), { method, body })
    if (!answer.ok) return notify(answer.message, 'error')
    notify(done)
    onChanged()
    onClose()
  }
  const changes = {
    ...(title.trim() === '' || title === session.title ? {} : { title: title.trim() }),
    ...(preset === '' ? {} : { policy: preset }),
  }
  const save = () => void send('PATCH', `“${visibleLine(title || name, 80)}” is changed`, changes)
  if (isAsking)
    return (
      <Modal key="question" title={`Delete “${name}”?`} class="compact" onClose={onClose}>
        <p>
          The session and {counted(session.last_seq, 'entry')} are deleted for good. This cannot be undone. What its
          forks share stays with them.
        </p>
        <div class="actions">
          <button type="button" autofocus onClick={onClose}>
            Keep it
          </button>
          <button type="button" class="danger" onClick={() => void send('DELETE', `“${name}” is deleted`)}>
            Delete for good
          </button>
        </div>
      </Modal>
    )
  return (
    <Modal key="fields" title={name} class="compact manage-dialog" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (Object.keys(changes).length > 0) save()
        }}
      >
        <label>
          Name
          <input autofocus value={title} maxLength={1_000} onInput={(event) => setTitle(event.currentTarget.value)} />
        </label>
        <label>
          How it is compacted (policy)
          <select value={preset} onChange={(event) => setPreset(event.currentTarget.value)}>
            <option value="">As it is</option>
            {PRESET_NAMES.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        <p class="soft small">
          {visibleLine(session.agent, 60)} · <span class="mono">{visibleLine(session.id)}</span>
        </p>
        <div class="actions">
          <button type="submit" class="primary" disabled={Object.keys(changes).length === 0}>
            Save
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="button" class="danger" onClick={() => setAsking(true)}>
            Delete…
          </button>
        </div>
      </form>
    </Modal>
  )
}
