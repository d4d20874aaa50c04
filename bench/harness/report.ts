import type { BenchResult, Plot } from './bench.ts'
import type { MachineFacts } from './machine.ts'
import { markdownTable } from './markdown-table.ts'

/** The result of one run of a benchmark, as it is kept in `results/<name>.json`. */
export type Report = BenchResult & {
  readonly name: string
  readonly what: string
  readonly quick: boolean
  /** Recorded sessions were among the material. */
  readonly recorded: boolean
  readonly date: string
  readonly seconds: number
  readonly machine: MachineFacts
  /** Why there are no numbers. */
  readonly failure?: string
}

/** The file names of a report begin with this. */
export function slugOf(name: string): string {
  return name.replaceAll('/', '-')
}

/** A report as Markdown: what was measured, on what, the tables, the plots, the notes. */
export function reportMarkdown(report: Report, level = 1): string {
  const heading = (depth: number, text: string) => `${'#'.repeat(level + depth)} ${text}`
  const tables = report.tables.flatMap((table) => [heading(1, table.title), markdownTable(table)])
  const plots = (report.plots ?? []).map((plot) => `![${plot.title}](${plotFile(plot)})`)
  const notes = (report.notes ?? []).map((note) => `- ${note}`).join('\n')
  const failure = report.failure === undefined ? [] : [`**Not measured:** ${report.failure}`]
  return [heading(0, report.name), report.what, conditions(report), ...failure, ...tables, ...plots, notes]
    .filter((part) => part !== '')
    .join('\n\n')
}

export function plotFile({ name }: Plot): string {
  return `${name}.svg`
}

function conditions({ date, seconds, quick, recorded, machine }: Report): string {
  const material = recorded ? 'made-up and recorded sessions' : 'made-up sessions only'
  const peers = Object.entries(machine.peers).map(([name, version]) => `${name} ${version}`)
  const facts = [
    `${date}${quick ? ', quick mode' : ''}`,
    `${seconds} s`,
    material,
    `${machine.processor} × ${machine.cores}, ${machine.memoryGb} GB, ${machine.system}, Node ${machine.node}`,
    `Pith ${machine.pith}`,
    ...peers,
  ]
  return `<sub>${facts.join(' · ')}</sub>`
}
