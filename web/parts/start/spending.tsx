import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { WireOverview, WireProblem, WireShare } from '../../../src/contract/routes/overview-routes.ts'
import { count, counted, dollars, short, spentText } from '../../../src/engine/report/numbers.ts'
import { routeHash } from '../../state/page-route.ts'
import { ago, localDateTime } from '../../text/times.ts'
import { sessionName, visibleLine } from '../../text/visible.ts'

/** The spending of the shown sessions, by day, tool and file, and their compactions that went wrong. */
export function SpendingPanel({ overview }: { overview: WireOverview }) {
  const { spent, days, tools, files, problems, uncounted } = overview
  return (
    <aside class="spending" aria-label="What it costs">
      <p class="sum">
        <strong>{spent.calls === 0 && spent.cost === 0 ? 'No cost known' : spentText(spent)}</strong> in{' '}
        {counted(overview.total, 'session')}
        {spent.calls > 0 && (
          <span class="soft small">
            {counted(spent.calls, 'answer')} of models, {short(spent.input_tokens)} tokens sent (
            {short(spent.cache_read_tokens)} from the cache), {short(spent.output_tokens)} written
            {spent.unpriced > 0 && `; the price of ${count(spent.unpriced)} is not known`}
          </span>
        )}
        {uncounted > 0 && (
          <span class="soft small" role="status">
            Counting… {counted(uncounted, 'session')} to go
          </span>
        )}
      </p>
      <Problems problems={problems} />
      <Sums
        title="By day"
        rows={days.map((day) => ({
          name: day.day,
          tokens: day.input_tokens + day.output_tokens,
          cost: day.cost,
          costs: spentText(day),
        }))}
      />
      <Sums title="By tool" rows={tools} />
      <Sums title="By file" rows={files} isPath />
      <details class="small soft">
        <summary>How this is counted</summary>
        <p>
          By day: the counts of the providers, in UTC. By tool and file: the tokens that calls and results brought into
          the context, estimated, and their share of the cost of every request that sent them again, until they were
          compacted or masked. The sessions of other agents’ files on this machine are not in it.
        </p>
      </details>
    </aside>
  )
}

const FEW = 8

const NAMES = { 'By day': 'Day', 'By tool': 'Tool', 'By file': 'File' } as const

type SumRow = Pick<WireShare, 'name' | 'tokens' | 'cost'> & {
  /** The cost in words, if a part of it may not be known. */
  readonly costs?: string
}

type SumsProps = { title: keyof typeof NAMES; rows: readonly SumRow[]; isPath?: boolean }

function Sums({ title, rows, isPath = false }: SumsProps) {
  const shown = useFew(rows)
  const most = Math.max(...rows.map(({ cost, tokens }) => cost || tokens / 1e9), 0)
  if (rows.length === 0) return null
  return (
    <Group title={title} shown={shown} all={rows.length}>
      <table class="sums">
        <thead>
          <tr>
            <th>{NAMES[title]}</th>
            <th class="number">Tokens</th>
            <th class="number">Cost</th>
          </tr>
        </thead>
        <tbody>
          {shown.rows.map(({ name, tokens, cost, costs }) => (
            <tr key={name} style={{ '--part': most === 0 ? 0 : (cost || tokens / 1e9) / most }}>
              <td class={isPath ? 'mono path-end' : 'name-cell'} title={visibleLine(name, 500)}>
                <bdi>{visibleLine(name, 200)}</bdi>
              </td>
              <td class="number soft" title={`${count(tokens)} tokens`}>
                {tokens === 0 ? '' : short(tokens)}
              </td>
              <td class="number">{costs ?? (cost === 0 ? '' : dollars(cost))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Group>
  )
}

const KINDS: Readonly<Record<WireProblem['kind'], string>> = {
  failed: 'failed',
  'fell-back': 'made without the model’s summary',
  'not-taken': 'came too late',
}

function Problems({ problems }: { problems: readonly WireProblem[] }) {
  const shown = useFew(problems)
  if (problems.length === 0) return null
  return (
    <Group title="Compactions that went wrong" shown={shown} all={problems.length}>
      <ul class="problems">
        {shown.rows.map(({ session_id, seq, kind, reason, at, ...problem }) => (
          <li class="problem" key={`${session_id} ${seq}`}>
            <a href={routeHash({ session: session_id, entry: seq })}>{sessionName(problem, 80)}</a>
            <span class="tag warn">{KINDS[kind]}</span>
            <span class="soft small" title={localDateTime(at)}>
              {visibleLine(reason, 200)} · {ago(at, Date.now())}
            </span>
          </li>
        ))}
      </ul>
    </Group>
  )
}

type Few<T> = { readonly rows: readonly T[]; readonly toggle: () => void; readonly isAll: boolean }

function useFew<T>(rows: readonly T[]): Few<T> {
  const [isAll, setAll] = useState(false)
  return { rows: isAll ? rows : rows.slice(0, FEW), isAll, toggle: () => setAll(!isAll) }
}

type GroupProps = { title: string; shown: Few<unknown>; all: number; children: ComponentChildren }

function Group({ title, shown, all, children }: GroupProps) {
  return (
    <section class="group">
      <h2>{title}</h2>
      {children}
      {all > FEW && (
        <button type="button" class="link small" onClick={shown.toggle}>
          {shown.isAll ? 'Fewer' : `${count(all - FEW)} more`}
          <span class="hidden-text">: {title}</span>
        </button>
      )}
    </section>
  )
}
