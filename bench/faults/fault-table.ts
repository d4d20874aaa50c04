import type { FaultRow } from './measure.ts'

/** The rows as a table. Protocols that behave alike share a row. */
export function faultTable(rows: readonly FaultRow[]): string {
  const alike = new Map<string, { row: FaultRow; protocols: string[] }>()
  for (const row of rows) {
    const key = `${row.fault}|${row.often}|${row.requests}|${row.pausedMs}|${row.notes}|${row.reported === row.billed}|${row.reason}`
    const known = alike.get(key)
    if (known === undefined) alike.set(key, { row, protocols: [row.protocol] })
    else known.protocols.push(row.protocol)
  }
  const lines = [...alike.values()].map(({ row, protocols }) =>
    cells([
      row.fault,
      row.often,
      protocols.length === 4 ? 'all' : protocols.join(', '),
      String(row.requests),
      `${row.pausedMs / 1_000} s`,
      String(row.notes),
      row.reported === row.billed ? row.reported : `${row.reported} of ${row.billed}`,
      row.reason,
      String(row.exit),
    ]),
  )
  const head = [
    'fault',
    'how often',
    'protocol',
    'requests',
    'pauses',
    'lines',
    'reported of billed',
    'turn ends',
    'exit code',
  ]
  return [cells(head), cells(head.map((_, n) => (n < 3 || n === 7 ? '---' : '---:'))), ...lines].join('\n')
}

function cells(values: readonly string[]): string {
  return `| ${values.join(' | ')} |`
}
