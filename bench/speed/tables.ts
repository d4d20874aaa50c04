import type { Plot, Table } from '../harness/bench.ts'
import type { Column, Measured, Result } from './measure.ts'

const MOST_TIMES_LIMIT = 3

/** A row for each entrant; for each material its time, how many times the limit that is, and the memory it added. */
export function contestTable({ contest, columns }: Measured): Table {
  const unit = contest.unit ?? 'ms'
  return {
    title: contest.title,
    columns: ['', ...columns.flatMap(({ label }) => [`${label}: ${unit}`, '× limit', 'MB'])],
    rows: contest.entrants.map(({ name, kind }) => [
      kind === 'limit' ? `limit: ${name}` : name,
      ...columns.flatMap((column) => {
        const result = resultOf(column, name)
        const limit = limitOf({ contest, columns }, column)
        return [
          scaled(result?.ms, unit),
          kind === 'limit' && limit === result ? 1 : ratio(result, limit),
          result?.addedMb,
        ]
      }),
    ]),
  }
}

/** Time over size, both logarithmic: what grows as the session does is a line at 45 degrees. */
export function contestPlot({ contest, columns }: Measured): Plot {
  const unit = contest.unit ?? 'ms'
  return {
    name: `speed-${contest.slug}`,
    title: contest.title,
    x: { label: 'messages', scale: 'log' },
    y: { label: unit, scale: 'log' },
    lines: contest.entrants.map(({ name, kind }) => ({
      label: kind === 'limit' ? `limit: ${name}` : name,
      points: columns.flatMap((column): [number, number][] => {
        const ms = scaled(resultOf(column, name)?.ms, unit)
        return column.size === undefined || ms === undefined || !Number.isFinite(ms) ? [] : [[column.size, ms]]
      }),
    })),
  }
}

/** Where the goals are missed: ahead of every peer, and within three times the limit. */
export function goalNotes(measured: Measured): string[] {
  const { contest, columns } = measured
  const ours = contest.entrants.find(({ kind }) => kind === 'pith')?.name ?? ''
  const missed = columns.flatMap((column) => {
    const own = resultOf(column, ours)
    const ahead = contest.entrants
      .filter(({ kind }) => kind === 'peer')
      .map(({ name }) => resultOf(column, name))
      .filter((peer): peer is Result => peer !== undefined && own !== undefined && peer.ms < own.ms)
    const times = ratio(own, limitOf(measured, column))
    return [
      ...ahead.map((peer) => `${column.label}: ${peer.name} is ${short((own?.ms ?? 0) / peer.ms)} times faster`),
      ...(times !== undefined && times > MOST_TIMES_LIMIT ? [`${column.label}: ${short(times)} times the limit`] : []),
    ]
  })
  const verdict = missed.length === 0 ? 'held everywhere' : `missed: ${missed.join('; ')}`
  return [
    `${contest.title}: goal (${ours} ahead of every peer, within ${MOST_TIMES_LIMIT} times the limit) ${verdict}.`,
  ]
}

/** Rows without a number, and why. */
export function failureNotes({ contest, columns }: Measured): string[] {
  return columns.flatMap(({ label, results }) =>
    results.flatMap(({ name, failure }) =>
      failure === undefined ? [] : [`${contest.title}, ${label}, ${name}: ${failure}.`],
    ),
  )
}

function limitOf({ contest }: Measured, column: Column): Result | undefined {
  const limit = contest.entrants.find(({ kind }) => kind === 'limit')
  return limit === undefined ? undefined : resultOf(column, limit.name)
}

function resultOf({ results }: Column, name: string): Result | undefined {
  return results.find((result) => result.name === name)
}

function ratio(result: Result | undefined, limit: Result | undefined): number | undefined {
  return result === undefined || limit === undefined ? undefined : result.ms / limit.ms
}

function scaled(ms: number | undefined, unit: 'ms' | 'µs'): number | undefined {
  return ms === undefined ? undefined : unit === 'µs' ? ms * 1_000 : ms
}

function short(value: number): string {
  return String(Number(value.toPrecision(2)))
}
