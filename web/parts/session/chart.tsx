import { useState } from 'preact/hooks'
import type { WireContextHistory, WireMark, WirePoint } from '../../../src/contract/shapes/shapes.ts'
import { count } from '../../../src/engine/report/numbers.ts'
import { NOT_IN_LOG } from '../../../src/engine/report/part-names.ts'
import { PART_KINDS } from '../../state/plot-data.ts'
import { clock, localDateTime } from '../../text/times.ts'
import { Plot, type PlotPlace } from './plot.tsx'

type Props = { history: WireContextHistory | undefined; onEntry: (seq: number) => void; onMark: (seq: number) => void }

/** The context over the life of a session: stacked by kind, with the window, the trigger and every reduction. */
export function Chart({ history = NOT_LOADED, onEntry, onMark }: Props) {
  const [over, setOver] = useState<number>()
  const [place, setPlace] = useState<PlotPlace>()
  const isLoaded = history !== NOT_LOADED
  const point = history.points[over ?? history.points.length - 1]
  return (
    <section class="chart" aria-label="Context over time" aria-busy={!isLoaded}>
      <header class="section-head">
        <h2>Context over time</h2>
        <span class="soft small reading">
          {point === undefined ? NO_POINT[isLoaded ? 'empty' : 'loading'] : reading(point, over !== undefined)}
        </span>
      </header>
      <div class="plot-box">
        <Plot history={history} onOver={setOver} onEntry={onEntry} onPlace={setPlace} />
        {place !== undefined && <Marks marks={history.marks} place={place} onMark={onMark} />}
      </div>
      {point === undefined ? <div class="legend" /> : <Legend point={point} points={history.points} />}
    </section>
  )
}

const NOT_LOADED: WireContextHistory = { points: [], marks: [] }

const NO_POINT = { empty: 'No messages yet', loading: 'Loading…' } as const

function reading(point: WirePoint, isOver: boolean): string {
  return `${isOver ? `#${point.seq} · ${clock(point.at)}` : 'Now'} · ${count(point.tokens)} tokens`
}

/** The reductions as buttons over the plot, so that the keyboard reaches them too. */
function Marks(props: { marks: readonly WireMark[]; place: PlotPlace; onMark: (seq: number) => void }) {
  const { place } = props
  return (
    <div
      class="marks"
      style={{ left: `${place.left}px`, width: `${place.width}px`, height: `${place.top + place.height}px` }}
    >
      {props.marks.map((mark) => {
        const label = `${mark.type} #${mark.seq}: ${count(mark.tokens_before)} → ${count(mark.tokens_after)} tokens${mark.undone ? ', undone' : ''}`
        const x = place.toX(mark.seq)
        if (x < -1 || x > place.width + 1) return null
        return (
          <button
            type="button"
            key={mark.seq}
            class={`mark ${mark.type}${mark.undone ? ' undone' : ''}`}
            style={{ left: `${x}px` }}
            title={`${label}\n${localDateTime(mark.at)}`}
            aria-label={label}
            onClick={() => props.onMark(mark.seq)}
          />
        )
      })}
    </div>
  )
}

function Legend({ point, points }: { point: WirePoint; points: readonly WirePoint[] }) {
  const used = PART_KINDS.filter(({ kind }) => points.some(({ parts }) => parts[kind] > 0))
  return (
    <ul class="legend">
      {used.map(({ kind, name }) => (
        <li key={kind}>
          <i class={`swatch ${kind}`} />
          <span>{name}</span>
          <span class="number">{count(point.parts[kind])}</span>
        </li>
      ))}
      {used.some(({ kind }) => kind === 'hidden') && <li class="soft small">{NOT_IN_LOG}</li>}
    </ul>
  )
}
