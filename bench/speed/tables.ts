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

/** Time over size, both logarithmic: linear growth is a line at 45 degrees. */
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

/** The missed goals. A goal is to be ahead of every peer that does the same work, and within three times the limit. */
export function goalNotes(measured: Measured): string[] {
  const { contest, columns } = measured
  const ours = contest.entrants.filter(({ kind }) => kind === 'pith')
  const peers = contest.entrants.filter(({ kind, rival }) => kind === 'peer' && rival !== 'none')
  const missed = columns.flatMap((column) => {
    const ahead = peers.flatMap(({ name, rival = ours[0]?.name ?? '' }) => {
      const times = ratio(resultOf(column, rival), resultOf(column, name))
      return times !== undefined && times > 1 ? [`${column.label}: ${name} is ${short(times)} times faster`] : []
    })
    const above = ours.flatMap(({ name }) => {
      const times = ratio(resultOf(column, name), limitOf(measured, column))
      return times !== undefined && times > MOST_TIMES_LIMIT
        ? [`${column.label}: ${name} is ${short(times)} times the limit`]
        : []
    })
    return [...ahead, ...above]
  })
  const verdict = missed.length === 0 ? 'held everywhere' : `missed: ${missed.join('; ')}`
  const goal = `ahead of every peer that does the same work, within ${MOST_TIMES_LIMIT} times the limit`
  return [`${contest.title}: goal (${goal}) ${verdict}.`]
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
