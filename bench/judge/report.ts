import type { BenchResult, Cell } from '../harness/bench.ts'
import { bootstrap } from './bootstrap.ts'
import type { Judged } from './judge.ts'
import { CRITERION_NAMES, PROBE_NAMES } from './probes.ts'

/** The marks as tables: by criterion with the interval of the mean of all, and by probe. */
export function marksReport(judged: readonly Judged[], notes: readonly string[]): BenchResult {
  const methods = [...new Set(judged.map(({ method }) => method))]
  const of = (method: string) => judged.filter((one) => one.method === method && one.marks !== undefined)
  const unread = judged.filter(({ marks }) => marks === undefined).length
  return {
    tables: [
      {
        title: 'Marks by criterion, 0 to 5',
        columns: ['method', 'tokens', 'answers', ...CRITERION_NAMES, 'all', '95 % interval'],
        rows: methods.map((method) => [method, ...sizes(of(method)), ...criteria(of(method)), ...overall(of(method))]),
      },
      {
        title: 'Marks by probe, 0 to 5',
        columns: ['method', ...PROBE_NAMES],
        rows: methods.map((method) => [
          method,
          ...PROBE_NAMES.map((probe) =>
            fixed(
              bootstrap(
                of(method)
                  .filter((one) => one.probe === probe)
                  .map(meanMark),
              )?.mean,
            ),
          ),
        ]),
      },
    ],
    notes: [...notes, ...(unread === 0 ? [] : [`${unread} marks could not be read and are left out.`])],
    data: judged,
  }
}

function sizes(judged: readonly Judged[]): Cell[] {
  return [Math.round(bootstrap(judged.map(({ tokens }) => tokens))?.mean ?? 0), judged.length]
}

function criteria(judged: readonly Judged[]): Cell[] {
  return CRITERION_NAMES.map((name) =>
    fixed(bootstrap(judged.flatMap(({ marks }) => (marks === undefined ? [] : [marks[name]])))?.mean),
  )
}

function overall(judged: readonly Judged[]): Cell[] {
  const interval = bootstrap(judged.map(meanMark))
  if (interval === undefined) return [undefined, undefined]
  return [fixed(interval.mean), `${interval.low.toFixed(2)} to ${interval.high.toFixed(2)}`]
}

function meanMark({ marks }: Judged): number {
  const all = CRITERION_NAMES.map((name) => marks?.[name] ?? 0)
  return all.reduce((sum, mark) => sum + mark, 0) / all.length
}

function fixed(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value * 100) / 100
}
