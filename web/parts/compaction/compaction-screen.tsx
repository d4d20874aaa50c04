import { useState } from 'preact/hooks'
import type { WireCompactionDetail, WireFact } from '../../../src/contract/shapes/compaction-shapes.ts'
import { notUndoableText } from '../../../src/engine/report/change-text.ts'
import { costText, count, counted, percentOf } from '../../../src/engine/report/numbers.ts'
import { refusalText } from '../../../src/engine/report/outcome.ts'
import { reasonText, rungText } from '../../../src/engine/report/progress-text.ts'
import { compactionCost } from '../../../src/tokens/cost.ts'
import { sessionPath } from '../../api/api-client.ts'
import { useChanges } from '../../hooks/use-changes.ts'
import { useLoaded } from '../../hooks/use-loaded.ts'
import type { PageSession } from '../../hooks/use-session.ts'
import { type PageRoute, routeHash } from '../../state/page-route.ts'
import { localDateTime } from '../../text/times.ts'
import { visibleLine } from '../../text/visible.ts'
import { Term } from '../term.tsx'
import { Handle } from '../text.tsx'
import { NotThere } from '../top-bar.tsx'
import { BeforeAfter } from './before-after.tsx'
import { Losses } from './losses.tsx'
import { Summary } from './summary.tsx'

type Props = { session: PageSession; seq: number; seqs: readonly number[]; route: PageRoute }

/** One compaction: the tokens it saved, the messages before and after it, its summary and facts. */
export function CompactionScreen({ session, seq, seqs, route }: Props) {
  const path = sessionPath(session.id, `/compactions/${seq}`)
  const { value: detail, failure } = useLoaded<WireCompactionDetail>(path, { version: session.version })
  if (failure !== undefined) {
    const why = failure.status === 404 ? `This session has no compaction #${seq}.` : failure.message
    return (
      <div class="main-column">
        <NotThere why={why} to={routeHash({ session: session.id })} label="The whole session" />
      </div>
    )
  }
  if (detail === undefined || detail.seq !== seq) return <div class="main-column blank" aria-busy="true" />
  return (
    <div class="main-column compaction">
      <Headline detail={detail} session={session} seqs={seqs} />
      <Losses key={`lost ${seq} ${session.redactions}`} session={session} detail={detail} route={route} />
      <BeforeAfter
        key={`${seq} ${detail.undone} ${session.redactions}`}
        session={session}
        detail={detail}
        route={route}
      />
      <div class="pair">
        <Summary key={`${seq} ${session.redactions}`} session={session} detail={detail} route={route} />
        <Facts facts={detail.facts} route={route} />
      </div>
    </div>
  )
}

function Headline(props: { detail: WireCompactionDetail; session: PageSession; seqs: readonly number[] }) {
  const { detail, seqs } = props
  const before = seqs.findLast((seq) => seq < detail.seq)
  const after = seqs.find((seq) => seq > detail.seq)
  const saved = detail.tokens_before - detail.tokens_after
  return (
    <section class="headline" aria-label="What it did">
      <p class="saving">
        <span class="number">{count(detail.tokens_before)}</span>
        <span class="soft" aria-hidden="true">
          →
        </span>
        <strong class="number">{count(detail.tokens_after)}</strong>
        <span>tokens</span>
        {saved < 0 && <span class="tag warn">the context grew by {count(-saved)} tokens</span>}
        {saved >= 0 && detail.tokens_before > 0 && (
          <span class="tag good">−{percentOf(saved, detail.tokens_before)}</span>
        )}
        {detail.undone && <span class="tag warn">undone</span>}
        {detail.edited && <span class="tag warn">edited</span>}
      </p>
      <p class="soft small facts-line">
        <span>{counted(detail.messages_removed, 'message')} replaced</span>
        <span title={`${detail.reason} · ${detail.rung}`}>
          {reasonText(detail.reason)}, <Maker detail={detail} />
        </span>
        <span>{costText(compactionCost(detail))}</span>
        <span>{localDateTime(detail.at)}</span>
        {detail.focus !== undefined && <span>focus: {visibleLine(detail.focus, 120)}</span>}
      </p>
      {detail.refusal !== undefined && <p class="soft small">{visibleLine(refusalText(detail.refusal))}</p>}
      <UndoLine detail={detail} session={props.session} />
      <nav class="steps" aria-label="Compactions">
        <Step session={props.session.id} to={before} label="‹ Earlier" />
        <Step session={props.session.id} to={after} label="Later ›" />
      </nav>
    </section>
  )
}

/** How the record was made. */
function Maker({ detail: { rung, model } }: { detail: WireCompactionDetail }) {
  const text = visibleLine(rungText(rung, model), 80)
  return rung === 'digest' ? <Term of="digest">{text}</Term> : <span>{text}</span>
}

/** The undo button if an undo would undo this compaction; otherwise the reason why not. */
function UndoLine({ detail, session }: { detail: WireCompactionDetail; session: PageSession }) {
  const changes = useChanges(session.id)
  const { undo, redo } = session.data?.detail ?? {}
  if (!changes.allowed) return null
  const why = notUndoableText(detail.seq, { isUndone: detail.undone, newest: undo })
  return (
    <p class="undo-line">
      <button type="button" disabled={why !== undefined} onClick={changes.undo} aria-describedby="why-not-undo">
        Undo this compaction
      </button>
      {detail.undone && redo !== undefined && (
        <button type="button" onClick={changes.redo}>
          Redo
        </button>
      )}
      <span id="why-not-undo" class="soft small">
        {why === undefined ? 'Later messages are not lost.' : `${why}.`}
      </span>
    </p>
  )
}

function Step({ session, to, label }: { session: string; to: number | undefined; label: string }) {
  return to === undefined ? (
    <span class="button disabled" aria-hidden="true">
      {label}
    </span>
  ) : (
    <a class="button" href={routeHash({ session, compaction: to })}>
      {label}
    </a>
  )
}

const NAMES: Readonly<Record<WireFact['kind'], string>> = {
  constraint: 'Constraints',
  file: 'Files',
  error: 'Errors',
  command: 'Commands',
  todo: 'To-dos',
  identifier: 'Identifiers',
  printed: 'Lines that tools printed',
  user: 'What the user said',
}
const FACT_KINDS = Object.keys(NAMES) as WireFact['kind'][]
const FIRST = 12

/** The facts that the index has about the span. They come from the log, not from a model; each links to its entries. */
function Facts({ facts, route }: { facts: readonly WireFact[]; route: PageRoute }) {
  return (
    <section class="side" aria-label="Facts">
      <header class="section-head">
        <h2>Facts from the log</h2>
        <span class="soft small">{count(facts.length)}</span>
      </header>
      {facts.length === 0 && <p class="soft pad">This compaction has no facts.</p>}
      {FACT_KINDS.map((kind) => (
        <FactGroup key={kind} name={NAMES[kind]} facts={facts.filter((fact) => fact.kind === kind)} route={route} />
      ))}
    </section>
  )
}

function FactGroup({ name, facts, route }: { name: string; facts: readonly WireFact[]; route: PageRoute }) {
  const [all, setAll] = useState(false)
  if (facts.length === 0) return null
  const shown = all ? facts : facts.slice(0, FIRST)
  return (
    <section class="group">
      <h3>
        {name} <span class="soft">{count(facts.length)}</span>
      </h3>
      <ul>
        {shown.map((fact, i) => (
          <li key={i}>
            <span class="grow fact" dir="auto">
              {visibleLine(fact.text, 400)}
              {fact.detail !== undefined && <span class="soft small"> {visibleLine(fact.detail, 200)}</span>}
            </span>
            <span class="handles">
              {fact.seqs.map((seq) => (
                <Handle key={seq} seq={seq} route={route} />
              ))}
            </span>
          </li>
        ))}
      </ul>
      {facts.length > shown.length && (
        <button type="button" class="more" onClick={() => setAll(true)}>
          {count(facts.length - shown.length)} more
        </button>
      )}
    </section>
  )
}
