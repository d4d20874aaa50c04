import { useState } from 'preact/hooks'
import type { WireCompactionDetail, WireLoss, WireLostMessage } from '../../../src/contract/shapes/compaction-shapes.ts'
import { count, counted } from '../../../src/engine/report/numbers.ts'
import { sessionPath } from '../../api/api-client.ts'
import { type SessionChanges, useChanges } from '../../hooks/use-changes.ts'
import { useLoaded } from '../../hooks/use-loaded.ts'
import type { PageSession } from '../../hooks/use-session.ts'
import type { PageRoute } from '../../state/page-route.ts'
import { visibleLine } from '../../text/visible.ts'
import { Term } from '../term.tsx'
import { Handle } from '../text.tsx'

const FIRST = 6
const MORE = 50

type Props = { session: PageSession; detail: WireCompactionDetail; route: PageRoute }

/** The messages that are neither in the record nor in the tail. Those that the session needed again come first, and each can be put back. */
export function Losses({ session, detail, route }: Props) {
  const [limit, setLimit] = useState(FIRST)
  const changes = useChanges(session.id)
  // Loaded again when the view has changed, not with every message.
  const version = session.data?.detail.revision ?? 0
  const path = sessionPath(session.id, `/compactions/${detail.seq}/lost?limit=${limit}`)
  const { value: loss, failure } = useLoaded<WireLoss>(path, { version })
  if (detail.undone) return null
  const rest = loss === undefined ? 0 : loss.total - loss.messages.length
  return (
    <section class="side losses" aria-label="Lost" aria-busy={loss === undefined && failure === undefined}>
      <header class="section-head">
        <h2>What the model no longer sees</h2>
        {loss !== undefined && loss.total > 0 && (
          <span class="soft small">{lossText(loss)} · first what was needed again or demanded</span>
        )}
      </header>
      {loss === undefined && failure === undefined && (
        <p class="soft pad" role="status">
          Comparing the messages with the record…
        </p>
      )}
      {failure !== undefined && <p class="bad pad">{failure.message}</p>}
      {loss?.total === 0 && (
        <p class="soft pad">
          Nothing: the <Term of="record">record</Term> and the <Term of="tail">messages kept word for word</Term> have
          everything.
        </p>
      )}
      <ol>
        {loss?.messages.map((message) => (
          <Loss key={message.seq} message={message} changes={changes} route={route} />
        ))}
      </ol>
      {rest > 0 && loss !== undefined && (
        <button type="button" class="more" onClick={() => setLimit(loss.messages.length + MORE)}>
          {count(rest)} more: show {count(Math.min(rest, MORE))}
        </button>
      )}
    </section>
  )
}

/** The sizes of messages that were gone before are not part of this compaction's. */
function lossText({ total, earlier = 0, tokens }: WireLoss): string {
  const own = `${counted(total - earlier, 'message')} · ${count(tokens)} tokens`
  return earlier === 0 ? own : `${own} · ${counted(earlier, 'message')} gone before`
}

function Loss(props: { message: WireLostMessage; changes: SessionChanges; route: PageRoute }) {
  const { message, changes, route } = props
  const { seq, step } = message
  const [first, ...others] = message.why
  return (
    <li class="loss">
      <p class="loss-head">
        <Handle seq={seq} route={route} />
        <span class={`speaker by-${message.role}`}>{message.role}</span>
        <span class="grow mono small loss-name" dir="auto">
          {visibleLine(nameOf(message), 160)}
        </span>
        <span class="number">{count(message.tokens)} tokens</span>
      </p>
      {!message.name.includes(message.first_line.slice(0, 40)) && (
        <p class="soft mono small loss-line" dir="auto">
          {visibleLine(message.first_line, 160)}
        </p>
      )}
      <p class="small loss-why">
        {first !== undefined && (
          <strong>
            <Linked text={visibleLine(first)} route={route} />
          </strong>
        )}
        {others.map((reason) => (
          <span key={reason} class="soft">
            {' '}
            <Linked text={visibleLine(reason)} route={route} />
          </span>
        ))}
        {message.since !== undefined && (
          <span class="soft">
            {' '}
            Gone since <Handle seq={message.since} route={route} />.
          </span>
        )}
      </p>
      <div class="actions">
        {changes.allowed && (
          <button
            type="button"
            disabled={message.does_not_fit !== undefined}
            aria-label={`Put back #${seq}`}
            onClick={({ currentTarget }) => {
              const row = currentTarget.closest('li')
              void changes.putBack(message).then(() => focusNext(row))
            }}
          >
            Put back
          </button>
        )}
        {changes.allowed && (
          <button
            type="button"
            aria-label={`Fork from here: #${seq}`}
            title="A new session that ends here, with all messages before"
            onClick={() => void changes.fork(Math.max(...step))}
          >
            Fork from here
          </button>
        )}
        {message.does_not_fit !== undefined && <span class="soft small">{visibleLine(message.does_not_fit)}.</span>}
      </div>
    </li>
  )
}

/** Moves the focus to the next row when a row is removed, so that the keyboard does not start at the top again. */
function focusNext(row: HTMLElement | null): void {
  if (row === null || !row.contains(document.activeElement)) return
  const next = row.nextElementSibling ?? row.previousElementSibling
  next?.querySelector('button')?.focus()
}

/** The name without the role, which is shown next to it. */
function nameOf({ name, role }: WireLostMessage): string {
  return name.startsWith(`${role}: `) ? name.slice(role.length + 2) : name
}

/** A sentence whose handles are links. */
function Linked({ text, route }: { text: string; route: PageRoute }) {
  const pieces = text.split(/#(\d+)/)
  return <>{pieces.map((piece, i) => (i % 2 === 0 ? piece : <Handle key={i} seq={Number(piece)} route={route} />))}</>
}
